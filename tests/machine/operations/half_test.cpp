// f16 and bf16, alone and in pairs, against correct rounding by search (rounding_reference.h). Sources and results are
// bit patterns, so a NaN must be 0x7FFF.
#include <cmath>

#include "machine/operations/rounding_reference.h"
#include "machine/ptx_bench.h"

namespace lanescope::machine::test {
namespace {

struct Half {
    std::string name;
    BinaryFormat format;
};
const Half halves[] = {{"f16", f16}, {"bf16", bf16}};

// Zeros, the ends of the ranges, infinities, NaN, and numbers whose sums and products are ties or lie beside one.
std::vector<uint16_t> values(BinaryFormat format) {
    const uint64_t one = one_of(format), unit = format.smallest_normal();
    const uint64_t m = static_cast<uint64_t>(format.mantissa_bits);
    std::vector<uint64_t> v{0,
                            1,
                            2,
                            unit - 1,
                            unit,
                            unit + 1,
                            one - m * unit,
                            one - (m + 1) * unit,
                            one - (m + 1) * unit + 1,
                            one - 1,
                            one,
                            one + 1,
                            one + 3,
                            one + unit / 2,
                            one + unit + unit / 2,
                            one + m * unit + 1,
                            one + (m + 1) * unit,
                            one / 2,
                            format.infinity() - 1,
                            format.infinity() - unit,
                            format.infinity()};
    std::vector<uint16_t> all;
    for (uint64_t x : v) all.push_back(static_cast<uint16_t>(x));
    for (uint64_t x : v) all.push_back(static_cast<uint16_t>(x | format.sign()));
    all.push_back(static_cast<uint16_t>(format.infinity() + 1));
    all.push_back(static_cast<uint16_t>(format.nan() | format.sign()));
    return all;
}

using Reference = std::function<uint64_t(uint64_t, uint64_t, uint64_t)>;

uint64_t relu(BinaryFormat format, uint64_t x) { return format.is_negative(x) && !format.is_nan(x) ? 0 : x; }

std::string operands(int count) {
    std::string text = " %0";
    for (int i = 1; i <= count; ++i) text += ", %" + std::to_string(i);
    return text + ";";
}

// The operation on single numbers, and on pairs whose halves are different rows.
void expect_half(const std::string& opcode, const Half& half, int sources, const Reference& reference,
                 const std::vector<std::tuple<uint16_t, uint16_t, uint16_t>>& table) {
    expect_ptx(
        opcode + "." + half.name + operands(sources),
        [=](uint16_t a, uint16_t b, uint16_t c) { return static_cast<uint16_t>(reference(a, b, c)); }, table);
    std::vector<std::tuple<uint32_t, uint32_t, uint32_t>> pairs;
    for (size_t i = 0; i < table.size(); ++i) {
        const auto [a, b, c] = table[i];
        const auto [d, e, f] = table[(i + 7) % table.size()];
        pairs.emplace_back(a | uint32_t{d} << 16, b | uint32_t{e} << 16, c | uint32_t{f} << 16);
    }
    expect_ptx(
        opcode + "." + half.name + "x2" + operands(sources),
        [=](uint32_t a, uint32_t b, uint32_t c) {
            const uint64_t low = reference(a & 0xFFFF, b & 0xFFFF, c & 0xFFFF),
                           high = reference(a >> 16, b >> 16, c >> 16);
            return static_cast<uint32_t>(low | high << 16);
        },
        pairs);
}

std::vector<std::tuple<uint16_t, uint16_t, uint16_t>> pairs_of(BinaryFormat format) {
    return combinations(values(format), values(format), std::vector<uint16_t>{0});
}
std::vector<std::tuple<uint16_t, uint16_t, uint16_t>> every_number() {
    std::vector<std::tuple<uint16_t, uint16_t, uint16_t>> table;
    for (uint32_t x = 0; x < 0x10000; ++x) table.emplace_back(static_cast<uint16_t>(x), uint16_t{0}, uint16_t{0});
    return table;
}

TEST(Half, AddSubtractMultiply) {
    for (const Half& half : halves) {
        const BinaryFormat f = half.format;
        const auto table = pairs_of(f);
        const Reference add = [=](uint64_t a, uint64_t b, uint64_t) { return reference_add(f, a, b, Mode::rn); };
        const Reference subtract = [=](uint64_t a, uint64_t b, uint64_t) {
            return reference_subtract(f, a, b, Mode::rn);
        };
        const Reference multiply = [=](uint64_t a, uint64_t b, uint64_t) {
            return reference_multiply(f, a, b, Mode::rn);
        };
        for (const std::string rounding : {"", ".rn"}) {
            expect_half("add" + rounding, half, 2, add, table);
            expect_half("sub" + rounding, half, 2, subtract, table);
            expect_half("mul" + rounding, half, 2, multiply, table);
        }
    }
}

// a * b + c with .ftz: a result is flushed if it would still be below 2^-14 in 11 bits without a lower limit.
uint64_t flushed_fma(uint64_t a, uint64_t b, uint64_t c) {
    a = f16.flush(a);
    b = f16.flush(b);
    c = f16.flush(c);
    const uint64_t result = reference_fma(f16, a, b, c, Mode::rn);
    if ((result & ~f16.sign()) != f16.smallest_normal()) return f16.flush(result);
    const BinaryFormat no_lower_limit{8, 10};
    const Exact exact = value_of(f16, a) * value_of(f16, b) + value_of(f16, c);
    const bool tiny = magnitude_of(no_lower_limit, round_value(no_lower_limit, exact, Mode::rn)) < power_of_two(-14);
    return tiny ? result & f16.sign() : result;
}

TEST(Half, FlushAndSaturateF16) {
    const auto table = pairs_of(f16);
    const uint64_t one = one_of(f16);
    const auto add = [](uint64_t a, uint64_t b) { return reference_add(f16, a, b, Mode::rn); };
    expect_half(
        "add.sat", halves[0], 2, [=](uint64_t a, uint64_t b, uint64_t) { return f16.saturate(add(a, b)); }, table);
    expect_half(
        "add.ftz", halves[0], 2, [=](uint64_t a, uint64_t b, uint64_t) { return flushed_fma(a, one, b); }, table);
    const Reference product = [](uint64_t a, uint64_t b, uint64_t) { return flushed_fma(a, b, (a ^ b) & f16.sign()); };
    expect_half("mul.ftz", halves[0], 2, product, table);
    expect_half(
        "mul.ftz.sat", halves[0], 2, [=](uint64_t a, uint64_t b, uint64_t) { return f16.saturate(product(a, b, 0)); },
        table);
    // 2^-14 * (1 - 2^-11) is a tie between the largest subnormal and 2^-14, but in 11 bits a number of its own.
    const std::vector<std::tuple<uint16_t, uint16_t>> boundary{{0x0400, 0x3BFF}};
    expect_ptx(
        "mul.ftz.f16 %0, %1, %2;", [](uint16_t, uint16_t) { return uint16_t{0}; }, boundary);
    expect_ptx(
        "mul.f16 %0, %1, %2;", [](uint16_t, uint16_t) { return uint16_t{0x0400}; }, boundary);
}

TEST(Half, FusedMultiplyAddRoundsOnce) {
    for (const Half& half : halves) {
        const BinaryFormat f = half.format;
        std::vector<uint16_t> third;
        for (size_t i = 0; i < values(f).size(); i += 5) third.push_back(values(f)[i]);
        const auto table = combinations(values(f), values(f), third);
        const Reference fma = [=](uint64_t a, uint64_t b, uint64_t c) { return reference_fma(f, a, b, c, Mode::rn); };
        expect_half("fma.rn", half, 3, fma, table);
        expect_half(
            "fma.rn.relu", half, 3, [=](uint64_t a, uint64_t b, uint64_t c) { return relu(f, fma(a, b, c)); }, table);
    }
    const auto table =
        combinations(values(f16), values(f16), std::vector<uint16_t>{0, 0x8001, 0x0400, 0x3C00, 0xBC01, 0x7E00});
    expect_half(
        "fma.rn.sat", halves[0], 3,
        [](uint64_t a, uint64_t b, uint64_t c) { return f16.saturate(reference_fma(f16, a, b, c, Mode::rn)); }, table);
    expect_half(
        "fma.rn.ftz.sat", halves[0], 3,
        [](uint64_t a, uint64_t b, uint64_t c) { return f16.saturate(flushed_fma(a, b, c)); }, table);
}

// 1.0625 * 1.0625 = 1 + 2^-3 + 2^-8 is a tie in bf16. A third operand of 2^-60 lifts it above the tie, although it is
// far below the last bit of the sum in single and double precision.
TEST(Half, FusedMultiplyAddSeesBitsFarBelowTheTie) {
    const std::vector<std::tuple<uint16_t, uint16_t, uint16_t>> table{
        {0x3F88, 0x3F88, 0x2180}, {0x3F88, 0x3F88, 0xA180}, {0x3F88, 0x3F88, 0x0000}};
    ASSERT_EQ(reference_fma(bf16, 0x3F88, 0x3F88, 0x2180, Mode::rn), 0x3F91u);
    ASSERT_EQ(reference_fma(bf16, 0x3F88, 0x3F88, 0xA180, Mode::rn), 0x3F90u);
    expect_half(
        "fma.rn", halves[1], 3,
        [](uint64_t a, uint64_t b, uint64_t c) { return reference_fma(bf16, a, b, c, Mode::rn); }, table);
}

TEST(Half, AbsAndNegOfEveryNumber) {
    const auto table = every_number();
    for (const Half& half : halves) {
        const BinaryFormat f = half.format;
        const Reference absolute = [=](uint64_t a, uint64_t, uint64_t) {
            return f.is_nan(a) ? f.nan() : a & ~f.sign();
        };
        const Reference negated = [=](uint64_t a, uint64_t, uint64_t) { return f.is_nan(a) ? f.nan() : a ^ f.sign(); };
        expect_half("abs", half, 1, absolute, table);
        expect_half("neg", half, 1, negated, table);
    }
    expect_half(
        "neg.ftz", halves[0], 1,
        [](uint64_t a, uint64_t, uint64_t) { return f16.is_nan(a) ? f16.nan() : f16.flush(a) ^ f16.sign(); }, table);
}

TEST(Half, MinimumAndMaximum) {
    for (const Half& half : halves) {
        const BinaryFormat f = half.format;
        const auto before = [=](uint64_t a, uint64_t b) {  // a sorts before b; -0 before +0
            const Exact x = value_of(f, a), y = value_of(f, b);
            return x < y || (x == y && f.is_negative(a));
        };
        const auto smaller = [=](uint64_t a, uint64_t b) {
            if (f.is_nan(a) && f.is_nan(b)) return f.nan();
            return f.is_nan(a) ? b : f.is_nan(b) ? a : before(a, b) ? a : b;
        };
        const auto larger = [=](uint64_t a, uint64_t b) {
            if (f.is_nan(a) && f.is_nan(b)) return f.nan();
            return f.is_nan(a) ? b : f.is_nan(b) ? a : before(a, b) ? b : a;
        };
        const auto either_nan = [=](uint64_t a, uint64_t b) { return f.is_nan(a) || f.is_nan(b); };
        const auto table = pairs_of(f);
        expect_half(
            "min", half, 2, [=](uint64_t a, uint64_t b, uint64_t) { return smaller(a, b); }, table);
        expect_half(
            "max", half, 2, [=](uint64_t a, uint64_t b, uint64_t) { return larger(a, b); }, table);
        expect_half(
            "min.NaN", half, 2,
            [=](uint64_t a, uint64_t b, uint64_t) { return either_nan(a, b) ? f.nan() : smaller(a, b); }, table);
        expect_half(
            "max.xorsign.abs", half, 2,
            [=](uint64_t a, uint64_t b, uint64_t) {
                const uint64_t magnitude = larger(a & ~f.sign(), b & ~f.sign());
                return f.is_nan(magnitude) ? magnitude : magnitude | ((a ^ b) & f.sign());
            },
            table);
    }
    expect_half(
        "max.ftz", halves[0], 2,
        [](uint64_t a, uint64_t b, uint64_t) {
            a = f16.flush(a);
            b = f16.flush(b);
            if (f16.is_nan(a) && f16.is_nan(b)) return f16.nan();
            if (f16.is_nan(a) || f16.is_nan(b)) return f16.is_nan(a) ? b : a;
            const Exact x = value_of(f16, a), y = value_of(f16, b);
            return x > y || (x == y && !f16.is_negative(a)) ? a : b;
        },
        pairs_of(f16));
}

// ex2 and tanh of every number, within the error that PTX allows.
struct Approximation {
    BinaryFormat format;
    double relative, absolute;
    bool operator()(const std::tuple<uint16_t>& expected, const std::tuple<uint16_t>& actual, uint16_t) const {
        const uint16_t e = std::get<0>(expected), a = std::get<0>(actual);
        if (format.is_nan(e)) return a == format.nan();
        if (format.is_infinite(e) || format.is_infinite(a)) return a == e;
        const double want = static_cast<double>(value_of(format, e)), got = static_cast<double>(value_of(format, a));
        return std::fabs(got - want) <= std::max(absolute, relative * std::fabs(want));
    }
};
TEST(Half, ExponentialAndHyperbolicTangentOfEveryNumber) {
    std::vector<std::tuple<uint16_t>> table;
    for (uint32_t x = 0; x < 0x10000; ++x) table.emplace_back(static_cast<uint16_t>(x));
    const auto rounded = [](BinaryFormat f, uint64_t a, double (*function)(double)) -> uint16_t {
        if (f.is_nan(a)) return static_cast<uint16_t>(f.nan());
        const double x = f.is_infinite(a) ? HUGE_VAL : static_cast<double>(magnitude_of(f, a));
        const double y = function(f.is_negative(a) ? -x : x);
        if (std::isinf(y)) return static_cast<uint16_t>(f.infinity());
        return static_cast<uint16_t>(round_value(f, static_cast<Exact>(y), Mode::rn));
    };
    const auto exp2 = [](double x) { return std::exp2(x); };
    const auto tanh = [](double x) { return std::tanh(x); };
    expect_ptx(
        "ex2.approx.f16 %0, %1;", [&](uint16_t a) { return rounded(f16, a, exp2); }, table,
        Approximation{f16, 0x1.2p-10, 0x1p-24});
    expect_ptx(
        "tanh.approx.f16 %0, %1;", [&](uint16_t a) { return rounded(f16, a, tanh); }, table,
        Approximation{f16, 0, 0x1.1p-11});
    expect_ptx(
        "tanh.approx.bf16 %0, %1;", [&](uint16_t a) { return rounded(bf16, a, tanh); }, table,
        Approximation{bf16, 0, 0x1p-8});
    expect_ptx(
        "ex2.approx.ftz.bf16 %0, %1;",
        [&](uint16_t a) { return static_cast<uint16_t>(bf16.flush(rounded(bf16, bf16.flush(a), exp2))); }, table,
        Approximation{bf16, 0x1p-7, 0});
    // Pairs compute the same as two single numbers.
    std::vector<std::tuple<uint32_t>> pairs;
    for (uint32_t x = 0; x < 0x10000; x += 7) pairs.emplace_back(x << 16 | (0xFFFF - x));
    const auto both_close = [](BinaryFormat f, double relative, double absolute) {
        return [=](const std::tuple<uint32_t>& e, const std::tuple<uint32_t>& a, uint32_t) {
            const Approximation close{f, relative, absolute};
            const auto part = [&](int shift) {
                const auto half = [=](const std::tuple<uint32_t>& t) {
                    return std::tuple(static_cast<uint16_t>(std::get<0>(t) >> shift));
                };
                return close(half(e), half(a), 0);
            };
            return part(0) && part(16);
        };
    };
    const auto on_pairs = [&](BinaryFormat f, double (*function)(double)) {
        return [=](uint32_t a) {
            return uint32_t{rounded(f, a >> 16, function)} << 16 | rounded(f, a & 0xFFFF, function);
        };
    };
    expect_ptx("ex2.approx.f16x2 %0, %1;", on_pairs(f16, exp2), pairs, both_close(f16, 0x1.2p-10, 0x1p-24));
    expect_ptx("tanh.approx.f16x2 %0, %1;", on_pairs(f16, tanh), pairs, both_close(f16, 0, 0x1.1p-11));
    expect_ptx("tanh.approx.bf16x2 %0, %1;", on_pairs(bf16, tanh), pairs, both_close(bf16, 0, 0x1p-8));
}

TEST(HalfRefused, FormsThatPtxDoesNotHave) {
    expect_refused<uint16_t(uint16_t, uint16_t)>("add.ftz.bf16 %0, %1, %2;", "add");
    expect_refused<uint16_t(uint16_t, uint16_t)>("mul.sat.bf16 %0, %1, %2;", "mul");
    expect_refused<uint16_t(uint16_t, uint16_t)>("add.rz.f16 %0, %1, %2;", "add");
    expect_refused<uint16_t(uint16_t, uint16_t, uint16_t)>("fma.f16 %0, %1, %2, %3;", "fma");
    expect_refused<uint16_t(uint16_t, uint16_t, uint16_t)>("fma.rn.sat.relu.f16 %0, %1, %2, %3;", "fma");
    expect_refused<uint16_t(uint16_t, uint16_t)>("div.rn.f16 %0, %1, %2;", "div");
    expect_refused<uint16_t(uint16_t)>("ex2.approx.bf16 %0, %1;", "ex2");
    expect_refused<uint16_t(uint16_t)>("sqrt.approx.f16 %0, %1;", "sqrt");
    expect_refused<uint16_t(uint16_t, uint16_t)>("min.ftz.bf16 %0, %1, %2;", "min");
}

}  // namespace
}  // namespace lanescope::machine::test
