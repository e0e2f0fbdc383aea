// set setp selp slct on all types.
#include <cmath>

#include "machine/operations/integer_types.h"
#include "machine/ptx_bench.h"

namespace lanescope::machine::test {

// 16-bit floats as this test reads them: their bits, and their value by the definition of the format.
struct F16 {
    uint16_t bits;
};
struct Bf16 {
    uint16_t bits;
};
struct F16x2 {
    uint16_t low, high;
};
struct Bf16x2 {
    uint16_t low, high;
};

namespace {

// 1 sign bit, then the exponent, then the mantissa.
double value_of(uint16_t bits, int exponent_bits, int mantissa_bits) {
    const int exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1), bias = (1 << (exponent_bits - 1)) - 1;
    const double mantissa = std::ldexp(bits & ((1 << mantissa_bits) - 1), -mantissa_bits);
    double value = exponent == 0 ? std::ldexp(mantissa, 1 - bias) : std::ldexp(1 + mantissa, exponent - bias);
    if (exponent == (1 << exponent_bits) - 1) value = mantissa == 0 ? INFINITY : NAN;
    return bits & 0x8000 ? -value : value;
}
double value(F16 x) { return value_of(x.bits, 5, 10); }
double value(Bf16 x) { return value_of(x.bits, 8, 7); }
double value(float x) { return x; }
double value(double x) { return x; }
template <class T>
requires std::is_integral_v<T>
__int128 value(T x) { return x; }

template <class T>
T flushed(T x) {
    constexpr T smallest_normal = std::numeric_limits<T>::min();
    return std::fabs(x) < smallest_normal ? T{0} : x;
}
double flushed(F16 x) { return std::fabs(value(x)) < 0x1p-14 ? 0.0 : value(x); }

// What each comparison says of less, equal, greater, unordered.
struct Operator {
    const char* name;
    bool less, equal, greater, unordered;
};
const Operator ordered[] = {{"eq", false, true, false, false}, {"ne", true, false, true, false},
                            {"lt", true, false, false, false}, {"le", true, true, false, false},
                            {"gt", false, false, true, false}, {"ge", false, true, true, false}};
const Operator unsigned_names[] = {{"lo", true, false, false, false},
                                   {"ls", true, true, false, false},
                                   {"hi", false, false, true, false},
                                   {"hs", false, true, true, false}};
const Operator unordered[] = {{"equ", false, true, false, true}, {"neu", true, false, true, true},
                              {"ltu", true, false, false, true}, {"leu", true, true, false, true},
                              {"gtu", false, false, true, true}, {"geu", false, true, true, true},
                              {"num", true, true, true, false},  {"nan", false, false, false, true}};

template <class V>
bool holds(const Operator& op, V a, V b) {
    return a < b ? op.less : a == b ? op.equal : a > b ? op.greater : op.unordered;
}

const std::vector<uint16_t> f16_bits{0x0000, 0x8000, 0x0001, 0x8001, 0x03FF, 0x0400, 0x3C00, 0xBC00,
                                     0x3C01, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0xFE01};
const std::vector<uint16_t> bf16_bits{0x0000, 0x8000, 0x0001, 0x8001, 0x007F, 0x0080, 0x3F80, 0xBF80,
                                      0x3F81, 0x7F7F, 0xFF7F, 0x7F80, 0xFF80, 0x7FC0, 0xFFC1};

template <class T>
std::vector<T> operands() {
    std::vector<T> values;
    if constexpr (std::is_same_v<T, F16>)
        for (uint16_t bits : f16_bits) values.push_back({bits});
    else if constexpr (std::is_same_v<T, Bf16>)
        for (uint16_t bits : bf16_bits) values.push_back({bits});
    else if constexpr (std::is_same_v<T, F16x2>)
        for (uint16_t bits : f16_bits) values.push_back({bits, f16_bits[(bits + 3) % f16_bits.size()]});
    else if constexpr (std::is_same_v<T, Bf16x2>)
        for (uint16_t bits : bf16_bits) values.push_back({bits, bf16_bits[(bits + 3) % bf16_bits.size()]});
    else
        values = edge_values<T>();
    return values;
}

// f(operator, type name, table of pairs) for every legal comparison of T.
template <class T, class F>
void for_comparisons(F f) {
    const auto table = combinations(operands<T>(), operands<T>());
    if constexpr (std::is_integral_v<T>) {
        for (const Operator& op : ordered) f(op, type_name<T>(), table);
        if constexpr (std::is_unsigned_v<T>) {
            for (const Operator& op : unsigned_names) f(op, type_name<T>(), table);
            for (const Operator& op : {ordered[0], ordered[1]}) f(op, bits_name<T>(), table);
        }
    } else {
        const std::string type = std::is_same_v<T, float>    ? "f32"
                                 : std::is_same_v<T, double> ? "f64"
                                 : std::is_same_v<T, F16>    ? "f16"
                                 : std::is_same_v<T, Bf16>   ? "bf16"
                                 : std::is_same_v<T, F16x2>  ? "f16x2"
                                                             : "bf16x2";
        for (const Operator& op : ordered) f(op, type, table);
        for (const Operator& op : unordered) f(op, type, table);
    }
}
template <class F>
void for_full_types(F f) {  // all but the 16-bit floats, which have no p|q
    for_integer_types(f);
    f.template operator()<float>();
    f.template operator()<double>();
}
template <class F>
void for_scalar_types(F f) {
    for_full_types(f);
    f.template operator()<F16>();
    f.template operator()<Bf16>();
}

TEST(Compare, Setp) {
    for_scalar_types([]<class T>() {
        for_comparisons<T>([](const Operator& op, const std::string& type, const auto& table) {
            expect_ptx(
                std::string("setp.") + op.name + "." + type + " %0, %1, %2;",
                [=](T a, T b) { return holds(op, value(a), value(b)); }, table);
        });
    });
}

TEST(Compare, SetpWithComplement) {
    for_full_types([]<class T>() {
        for_comparisons<T>([](const Operator& op, const std::string& type, const auto& table) {
            expect_ptx(
                std::string("setp.") + op.name + "." + type + " %0|%1, %2, %3;",
                [=](T a, T b) {
                    const bool t = holds(op, value(a), value(b));
                    return std::tuple{t, !t};
                },
                table);
        });
    });
}

TEST(Compare, SetpCombinesWithAPredicate) {
    expect_ptx("setp.lt.and.s32 %0|%1, %2, %3, %4;", [](int32_t a, int32_t b, bool c) {
        return std::tuple{a < b && c, a >= b && c};
    });
    expect_ptx("setp.lt.or.s32 %0|%1, %2, %3, %4;", [](int32_t a, int32_t b, bool c) {
        return std::tuple{a < b || c, a >= b || c};
    });
    expect_ptx("setp.lt.xor.s32 %0|%1, %2, %3, %4;", [](int32_t a, int32_t b, bool c) {
        return std::tuple{(a < b) != c, (a >= b) != c};
    });
    expect_ptx("setp.ge.and.u64 %0, %1, %2, !%3;", [](uint64_t a, uint64_t b, bool c) { return a >= b && !c; });
    expect_ptx("setp.ltu.or.f32 %0, %1, %2, !%3;", [](float a, float b, bool c) { return !(a >= b) || !c; });
    expect_ptx("setp.eq.xor.f64 %0, %1, %2, !%3;", [](double a, double b, bool c) { return (a == b) != !c; });
    expect_ptx("setp.gt.and.s16 _|%0, %1, %2, %3;", [](int16_t a, int16_t b, bool c) { return a <= b && c; });
    expect_ptx("setp.ne.s32 %0|_, %1, 0;", [](int32_t a) { return a != 0; });
}

// A subnormal counts as zero.
TEST(Compare, SetpFlushesSubnormals) {
    for (const Operator& op : {ordered[0], ordered[2], ordered[5], unordered[0], unordered[2], unordered[7]}) {
        expect_ptx(std::string("setp.") + op.name + ".ftz.f32 %0, %1, %2;",
                   [=](float a, float b) { return holds(op, flushed(a), flushed(b)); });
        expect_ptx(
            std::string("setp.") + op.name + ".ftz.f16 %0, %1, %2;",
            [=](F16 a, F16 b) { return holds(op, flushed(a), flushed(b)); },
            combinations(operands<F16>(), operands<F16>()));
    }
}

// %0 for the low halves, %1 for the high ones.
TEST(Compare, SetpOfPairs) {
    for_comparisons<F16x2>([](const Operator& op, const std::string& type, const auto& table) {
        expect_ptx(
            std::string("setp.") + op.name + "." + type + " %0|%1, %2, %3;",
            [=](F16x2 a, F16x2 b) {
                return std::tuple{holds(op, value(F16{a.low}), value(F16{b.low})),
                                  holds(op, value(F16{a.high}), value(F16{b.high}))};
            },
            table);
        expect_ptx(
            std::string("setp.") + op.name + ".ftz." + type + " %0|%1, %2, %3;",
            [=](F16x2 a, F16x2 b) {
                return std::tuple{holds(op, flushed(F16{a.low}), flushed(F16{b.low})),
                                  holds(op, flushed(F16{a.high}), flushed(F16{b.high}))};
            },
            table);
    });
    for_comparisons<Bf16x2>([](const Operator& op, const std::string& type, const auto& table) {
        expect_ptx(
            std::string("setp.") + op.name + "." + type + " %0|%1, %2, %3;",
            [=](Bf16x2 a, Bf16x2 b) {
                return std::tuple{holds(op, value(Bf16{a.low}), value(Bf16{b.low})),
                                  holds(op, value(Bf16{a.high}), value(Bf16{b.high}))};
            },
            table);
    });
    const auto table = combinations(operands<F16x2>(), operands<F16x2>(), edge_values<bool>());
    expect_ptx(
        "setp.le.and.f16x2 %0|%1, %2, %3, !%4;",
        [](F16x2 a, F16x2 b, bool c) {
            return std::tuple{value(F16{a.low}) <= value(F16{b.low}) && !c,
                              value(F16{a.high}) <= value(F16{b.high}) && !c};
        },
        table);
}

TEST(Compare, SetGivesNumbers) {
    for_scalar_types([]<class T>() {
        for_comparisons<T>([](const Operator& op, const std::string& type, const auto& table) {
            const std::string head = std::string("set.") + op.name;
            const std::string tail = "." + type + " %0, %1, %2;";
            expect_ptx(
                head + ".u32" + tail, [=](T a, T b) { return holds(op, value(a), value(b)) ? 0xFFFFFFFFu : 0u; },
                table);
            expect_ptx(
                head + ".s32" + tail, [=](T a, T b) { return holds(op, value(a), value(b)) ? -1 : 0; }, table);
            if constexpr (std::is_same_v<T, F16> || std::is_same_v<T, Bf16>) {
                expect_ptx(
                    head + ".u16" + tail,
                    [=](T a, T b) -> uint16_t { return holds(op, value(a), value(b)) ? 0xFFFF : 0; }, table);
                expect_ptx(
                    head + ".s16" + tail, [=](T a, T b) -> int16_t { return holds(op, value(a), value(b)) ? -1 : 0; },
                    table);
            } else {
                expect_ptx(
                    head + ".f32" + tail, [=](T a, T b) { return holds(op, value(a), value(b)) ? 1.0f : 0.0f; }, table);
            }
        });
    });
    expect_ptx("set.lt.f16.s32 %0, %1, %2;", [](int32_t a, int32_t b) -> uint16_t { return a < b ? 0x3C00 : 0; });
    expect_ptx("set.lt.bf16.u64 %0, %1, %2;", [](uint64_t a, uint64_t b) -> uint16_t { return a < b ? 0x3F80 : 0; });
    expect_ptx(
        "set.lt.f16.f16 %0, %1, %2;", [](F16 a, F16 b) -> uint16_t { return value(a) < value(b) ? 0x3C00 : 0; },
        combinations(operands<F16>(), operands<F16>()));
}

TEST(Compare, SetCombinesAndFlushes) {
    expect_ptx("set.lt.and.u32.s32 %0, %1, %2, %3;",
               [](int32_t a, int32_t b, bool c) { return a < b && c ? 0xFFFFFFFFu : 0u; });
    expect_ptx("set.gt.or.f32.f64 %0, %1, %2, !%3;",
               [](double a, double b, bool c) { return a > b || !c ? 1.0f : 0.0f; });
    expect_ptx("set.eq.xor.s32.u16 %0, %1, %2, %3;",
               [](uint16_t a, uint16_t b, bool c) { return (a == b) != c ? -1 : 0; });
    expect_ptx("set.lt.ftz.u32.f32 %0, %1, %2;",
               [](float a, float b) { return flushed(a) < flushed(b) ? 0xFFFFFFFFu : 0u; });
}

TEST(Compare, SetOfPairs) {
    const auto packed = [](bool low, bool high, uint32_t one) { return (low ? one : 0) | (high ? one << 16 : 0); };
    for_comparisons<F16x2>([=](const Operator& op, const std::string& type, const auto& table) {
        for (const std::string destination : {"f16x2", "u32", "s32"}) {
            const uint32_t one = destination == "f16x2" ? 0x3C00 : 0xFFFF;
            expect_ptx(
                std::string("set.") + op.name + "." + destination + "." + type + " %0, %1, %2;",
                [=](F16x2 a, F16x2 b) {
                    return packed(holds(op, value(F16{a.low}), value(F16{b.low})),
                                  holds(op, value(F16{a.high}), value(F16{b.high})), one);
                },
                table);
        }
    });
    for_comparisons<Bf16x2>([=](const Operator& op, const std::string& type, const auto& table) {
        for (const std::string destination : {"bf16x2", "u32", "s32"}) {
            const uint32_t one = destination == "bf16x2" ? 0x3F80 : 0xFFFF;
            expect_ptx(
                std::string("set.") + op.name + "." + destination + "." + type + " %0, %1, %2;",
                [=](Bf16x2 a, Bf16x2 b) {
                    return packed(holds(op, value(Bf16{a.low}), value(Bf16{b.low})),
                                  holds(op, value(Bf16{a.high}), value(Bf16{b.high})), one);
                },
                table);
        }
    });
}

TEST(Compare, Selp) {
    for_integer_types([]<class T>() {
        expect_ptx("selp." + type_name<T>() + " %0, %1, %2, %3;", [](T a, T b, bool c) { return c ? a : b; });
    });
    for_unsigned_types([]<class T>() {
        expect_ptx("selp." + bits_name<T>() + " %0, %1, %2, %3;", [](T a, T b, bool c) { return c ? a : b; });
    });
    expect_ptx("selp.f32 %0, %1, %2, %3;", [](float a, float b, bool c) { return c ? a : b; });
    expect_ptx("selp.f64 %0, %1, %2, %3;", [](double a, double b, bool c) { return c ? a : b; });
    expect_ptx("selp.s32 %0, -1, 7, %1;", [](bool c) { return c ? -1 : 7; });
}

TEST(Compare, Slct) {
    for_integer_types([]<class T>() {
        const std::string types = type_name<T>();
        expect_ptx("slct." + types + ".s32 %0, %1, %2, %3;", [](T a, T b, int32_t c) { return c >= 0 ? a : b; });
        expect_ptx("slct." + types + ".f32 %0, %1, %2, %3;", [](T a, T b, float c) { return c >= 0 ? a : b; });
    });
    for_unsigned_types([]<class T>() {
        expect_ptx("slct." + bits_name<T>() + ".s32 %0, %1, %2, %3;",
                   [](T a, T b, int32_t c) { return c >= 0 ? a : b; });
    });
    expect_ptx("slct.f32.s32 %0, %1, %2, %3;", [](float a, float b, int32_t c) { return c >= 0 ? a : b; });
    expect_ptx("slct.f64.f32 %0, %1, %2, %3;", [](double a, double b, float c) { return c >= 0 ? a : b; });
    expect_ptx("slct.ftz.u32.f32 %0, %1, %2, %3;",
               [](uint32_t a, uint32_t b, float c) { return flushed(c) >= 0 ? a : b; });
}

TEST(Compare, IllegalFormsAreRefused) {
    expect_refused<bool(uint32_t, uint32_t)>("setp.lt.b32 %0, %1, %2;", "setp");
    expect_refused<bool(uint32_t, uint32_t)>("setp.ltu.s32 %0, %1, %2;", "setp");
    expect_refused<bool(uint64_t, uint64_t)>("setp.lt.ftz.f64 %0, %1, %2;", "setp");
    expect_refused<bool(uint16_t, uint16_t)>("setp.lt.ftz.bf16 %0, %1, %2;", "setp");
    expect_refused<uint16_t(uint16_t, uint16_t)>("set.lt.f16.bf16 %0, %1, %2;", "set");
    expect_refused<uint16_t(uint16_t, uint16_t)>("set.lt.ftz.bf16.f16 %0, %1, %2;", "set");
    expect_refused<uint64_t(uint32_t, uint32_t)>("set.lt.u64.u32 %0, %1, %2;", "set");
    expect_refused<uint32_t(uint16_t, uint16_t)>("set.lt.f32.f16 %0, %1, %2;", "set");
    expect_refused<uint32_t(uint32_t, uint32_t, uint32_t)>("slct.u32.u32 %0, %1, %2, %3;", "slct");
    expect_refused<bool(bool, bool, bool)>("selp.pred %0, %1, %2, %3;", "selp");
}

}  // namespace
}  // namespace lanescope::machine::test
