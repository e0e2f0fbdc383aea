// add, sub, mul, fma, mad, div, rcp and sqrt on f32, f64 and f32x2 in all rounding modes, with .ftz and .sat, against
// correct rounding by search (rounding_reference.h).
#include <algorithm>
#include <string>

#include "machine/operations/rounding_reference.h"
#include "machine/ptx_bench.h"

namespace lanescope::machine::test {
namespace {

template <class T>
constexpr BinaryFormat format_of = std::is_same_v<T, float> ? f32 : f64;
template <class T>
using Bits = std::conditional_t<std::is_same_v<T, float>, uint32_t, uint64_t>;
template <class T>
std::string type_name() {
    return std::is_same_v<T, float> ? "f32" : "f64";
}

// Zeros, the ends of the subnormal and normal ranges, infinities, NaN, and numbers whose sums, products and quotients
// are ties or lie just beside one.
template <class T>
std::vector<T> values() {
    using L = std::numeric_limits<T>;
    const T e = L::epsilon();
    std::vector<T> v{T(0),
                     L::denorm_min(),
                     3 * L::denorm_min(),
                     L::min() - L::denorm_min(),
                     L::min(),
                     L::min() * (1 + e),
                     e / 4,
                     e / 2,
                     e / 2 * (1 + e),
                     T(1) - e / 2,
                     T(1),
                     T(1) + e,
                     T(1) + 3 * e,
                     T(1.5),
                     T(1) / T(3),
                     T(3),
                     2 / e + 1,
                     L::max() / 2,
                     L::max(),
                     L::infinity()};
    for (size_t i = 0, n = v.size(); i < n; ++i) v.push_back(-v[i]);
    v.push_back(L::quiet_NaN());
    return v;
}
// Fewer, for three operands.
template <class T>
std::vector<T> some_values() {
    using L = std::numeric_limits<T>;
    const T e = L::epsilon();
    return {T(0),         -T(0), L::denorm_min(), -L::min(), e / 2,     -e / 4,        T(1),          -T(1), T(1) + e,
            T(1) - e / 2, T(3),  -2 / e - 1,      L::max(),  -L::max(), L::infinity(), L::quiet_NaN()};
}

template <class T>
T from_reference(uint64_t bits) {
    return std::bit_cast<T>(static_cast<Bits<T>>(bits));
}
template <class T>
uint64_t to_reference(T x) {
    return std::bit_cast<Bits<T>>(x);
}

using Reference = std::function<uint64_t(BinaryFormat, const std::vector<uint64_t>&, Mode)>;

// f32 or f64 `opcode` with 1 to 3 operands, in one mode and with the modifiers of `suffix` (".ftz.sat").
template <class T, class... S>
void expect_rounded(const std::string& opcode, const std::string& mode_word, Mode mode, const std::string& suffix,
                    const Reference& reference, const std::vector<std::tuple<S...>>& table) {
    const BinaryFormat format = format_of<T>;
    const bool ftz = suffix.find(".ftz") != std::string::npos, sat = suffix.find(".sat") != std::string::npos;
    const std::function<T(S...)> f = [=](S... s) {
        std::vector<uint64_t> operands{to_reference(s)...};
        if (ftz)
            std::transform(operands.begin(), operands.end(), operands.begin(),
                           [&](uint64_t x) { return format.flush(x); });
        uint64_t result = reference(format, operands, mode);
        if (ftz) result = format.flush(result);
        return from_reference<T>(sat ? format.saturate(result) : result);
    };
    std::string ptx = opcode + mode_word + suffix + "." + type_name<T>() + " %0";
    for (size_t i = 1; i <= sizeof...(S); ++i) ptx += ", %" + std::to_string(i);
    expect_rows(ptx + ";", f, table, SameBits{});
}

// In all modes; f32 also with the modifiers that it has.
template <class T, class Table>
void expect_all_modes(const std::string& opcode, const Reference& reference, const Table& table, bool has_sat,
                      bool may_omit_mode) {
    std::vector<std::string> suffixes{""};
    if (std::is_same_v<T, float>)
        suffixes =
            has_sat ? std::vector<std::string>{"", ".ftz", ".sat", ".ftz.sat"} : std::vector<std::string>{"", ".ftz"};
    for (const std::string& suffix : suffixes) {
        for (Mode mode : plain_modes) expect_rounded<T>(opcode, "." + name_of(mode), mode, suffix, reference, table);
        if (may_omit_mode) expect_rounded<T>(opcode, "", Mode::rn, suffix, reference, table);
    }
}

template <class T>
class Rounded : public testing::Test {
public:
    const std::vector<std::tuple<T>> one = combinations(values<T>());
    const std::vector<std::tuple<T, T>> two = combinations(values<T>(), values<T>());
    const std::vector<std::tuple<T, T, T>> three = combinations(some_values<T>(), some_values<T>(), some_values<T>());
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Rounded, Types);

Reference binary(uint64_t (*f)(BinaryFormat, uint64_t, uint64_t, Mode)) {
    return [=](BinaryFormat format, const std::vector<uint64_t>& s, Mode mode) { return f(format, s[0], s[1], mode); };
}
const Reference fma_reference = [](BinaryFormat format, const std::vector<uint64_t>& s, Mode mode) {
    return reference_fma(format, s[0], s[1], s[2], mode);
};

TYPED_TEST(Rounded, Add) { expect_all_modes<TypeParam>("add", binary(reference_add), this->two, true, true); }
TYPED_TEST(Rounded, Subtract) { expect_all_modes<TypeParam>("sub", binary(reference_subtract), this->two, true, true); }
TYPED_TEST(Rounded, Multiply) { expect_all_modes<TypeParam>("mul", binary(reference_multiply), this->two, true, true); }
TYPED_TEST(Rounded, FusedMultiplyAdd) { expect_all_modes<TypeParam>("fma", fma_reference, this->three, true, false); }
TYPED_TEST(Rounded, MultiplyAddIsFused) { expect_all_modes<TypeParam>("mad", fma_reference, this->three, true, false); }
TYPED_TEST(Rounded, Divide) { expect_all_modes<TypeParam>("div", binary(reference_divide), this->two, false, false); }
TYPED_TEST(Rounded, Reciprocal) {
    const Reference reference = [](BinaryFormat format, const std::vector<uint64_t>& s, Mode mode) {
        return reference_divide(format, one_of(format), s[0], mode);
    };
    expect_all_modes<TypeParam>("rcp", reference, this->one, false, false);
}
TYPED_TEST(Rounded, SquareRoot) {
    const Reference reference = [](BinaryFormat format, const std::vector<uint64_t>& s, Mode mode) {
        return reference_square_root(format, s[0], mode);
    };
    expect_all_modes<TypeParam>("sqrt", reference, this->one, false, false);
}

// f32x2: the two halves are independent.
uint64_t pair_of(float low, float high) {
    return std::bit_cast<uint32_t>(low) | uint64_t{std::bit_cast<uint32_t>(high)} << 32;
}

TEST(RoundedPairs, AreTwoIndependentF32) {
    std::vector<std::tuple<uint64_t, uint64_t, uint64_t>> table;
    const std::vector<float> v = some_values<float>();
    for (size_t i = 0; i < v.size(); ++i)
        for (size_t k = 0; k < v.size(); ++k)
            table.emplace_back(pair_of(v[i], v[k]), pair_of(v[k], v[(i + 3) % v.size()]),
                               pair_of(v[(k + 5) % v.size()], v[i]));
    const auto halves = [](auto f) {
        return [f](uint64_t a, uint64_t b, uint64_t c) {
            return f(a & 0xFFFFFFFF, b & 0xFFFFFFFF, c & 0xFFFFFFFF) | f(a >> 32, b >> 32, c >> 32) << 32;
        };
    };
    for (Mode mode : plain_modes) {
        const std::string m = name_of(mode);
        expect_ptx("add." + m + ".f32x2 %0, %1, %2;",
                   halves([=](uint64_t a, uint64_t b, uint64_t) { return reference_add(f32, a, b, mode); }), table);
        expect_ptx("sub." + m + ".f32x2 %0, %1, %2;",
                   halves([=](uint64_t a, uint64_t b, uint64_t) { return reference_subtract(f32, a, b, mode); }),
                   table);
        expect_ptx("mul." + m + ".f32x2 %0, %1, %2;",
                   halves([=](uint64_t a, uint64_t b, uint64_t) { return reference_multiply(f32, a, b, mode); }),
                   table);
        expect_ptx("fma." + m + ".f32x2 %0, %1, %2, %3;",
                   halves([=](uint64_t a, uint64_t b, uint64_t c) { return reference_fma(f32, a, b, c, mode); }),
                   table);
        expect_ptx("fma." + m + ".ftz.f32x2 %0, %1, %2, %3;", halves([=](uint64_t a, uint64_t b, uint64_t c) {
                       return f32.flush(reference_fma(f32, f32.flush(a), f32.flush(b), f32.flush(c), mode));
                   }),
                   table);
    }
}

// add.f32.f16: the narrow operand is widened, and the sum is rounded once.
TEST(RoundedMixed, WidensNarrowOperands) {
    const std::vector<uint16_t> halves{0x0000, 0x8000, 0x0001, 0x0400, 0x3C00, 0xBC01,
                                       0x3555, 0x7BFF, 0x7C00, 0xFC00, 0x7E00};
    const auto table = combinations(halves, halves, some_values<float>());
    const auto widened = [](BinaryFormat from, uint16_t x) {
        const double value = static_cast<double>(value_of(from, x));
        return from.is_nan(x)        ? f32.nan()
               : from.is_infinite(x) ? (from.is_negative(x) ? f32.sign() : 0) | f32.infinity()
                                     : uint64_t{std::bit_cast<uint32_t>(static_cast<float>(value))};
    };
    for (const auto& [name, format] : {std::pair{"f16", f16}, std::pair{"bf16", bf16}}) {
        for (Mode mode : plain_modes) {
            const std::string head = "." + name_of(mode), tail = ".f32." + std::string(name);
            expect_ptx(
                "add" + head + tail + " %0, %1, %3;",
                [=, &widened, format = format](uint16_t a, uint16_t, float c) {
                    return from_reference<float>(reference_add(f32, widened(format, a), to_reference(c), mode));
                },
                table);
            expect_ptx(
                "sub" + head + ".sat" + tail + " %0, %1, %3;",
                [=, &widened, format = format](uint16_t a, uint16_t, float c) {
                    return from_reference<float>(
                        f32.saturate(reference_subtract(f32, widened(format, a), to_reference(c), mode)));
                },
                table);
            expect_ptx(
                "fma" + head + tail + " %0, %1, %2, %3;",
                [=, &widened, format = format](uint16_t a, uint16_t b, float c) {
                    return from_reference<float>(
                        reference_fma(f32, widened(format, a), widened(format, b), to_reference(c), mode));
                },
                table);
        }
    }
}

TEST(RoundedRefused, FormsThatPtxDoesNotHave) {
    expect_refused<float(float, float, float)>("fma.f32 %0, %1, %2, %3;", "fma");  // no rounding mode
    expect_refused<float(float, float)>("div.f32 %0, %1, %2;", "div");
    expect_refused<float(float, float)>("div.rn.sat.f32 %0, %1, %2;", "div");
    expect_refused<double(double, double)>("add.ftz.f64 %0, %1, %2;", "add");
    expect_refused<double(double, double)>("mul.sat.f64 %0, %1, %2;", "mul");
    expect_refused<float(float, float)>("add.rni.f32 %0, %1, %2;", "add");
    expect_refused<float(float, float)>("add.approx.f32 %0, %1, %2;", "add");
    expect_refused<float(float)>("sqrt.f32 %0, %1;", "sqrt");
}

}  // namespace
}  // namespace lanescope::machine::test
