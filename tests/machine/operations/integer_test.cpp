// add sub abs neg min max sad div rem on integers, against arithmetic in 128 bits.
#include <algorithm>

#include "machine/operations/integer_types.h"
#include "machine/ptx_bench.h"

namespace lanescope::machine::test {
namespace {

using Wide = __int128;

// An s32 as near to `value` as possible.
int32_t nearest_s32(int64_t value) { return static_cast<int32_t>(std::clamp<int64_t>(value, INT32_MIN, INT32_MAX)); }

TEST(Integer, AddAndSubWrapAround) {
    for_integer_types([]<class T>() {
        expect_ptx("add." + type_name<T>() + " %0, %1, %2;", [](T a, T b) { return static_cast<T>(Wide{a} + b); });
        expect_ptx("sub." + type_name<T>() + " %0, %1, %2;", [](T a, T b) { return static_cast<T>(Wide{a} - b); });
    });
}

TEST(Integer, AddAndSubSaturate) {
    expect_ptx("add.sat.s32 %0, %1, %2;", [](int32_t a, int32_t b) { return nearest_s32(int64_t{a} + b); });
    expect_ptx("sub.sat.s32 %0, %1, %2;", [](int32_t a, int32_t b) { return nearest_s32(int64_t{a} - b); });
}

TEST(Integer, ConstantsAreOperands) {
    expect_ptx("add.s32 %0, %1, -7;", [](int32_t a) { return static_cast<int32_t>(Wide{a} - 7); });
    expect_ptx("sub.s64 %0, 0x123456789ABCDEF, %1;",
               [](int64_t a) { return static_cast<int64_t>(Wide{0x123456789ABCDEF} - a); });
    expect_ptx("add.u16 %0, %1, 65535;", [](uint16_t a) { return static_cast<uint16_t>(a - 1); });
    expect_ptx("min.s16 %0, %1, -3;", [](int16_t a) { return std::min<int16_t>(a, -3); });
}

// The smallest value has no positive counterpart and stays as it is.
TEST(Integer, AbsAndNeg) {
    for_signed_types([]<class T>() {
        expect_ptx("abs." + type_name<T>() + " %0, %1;",
                   [](T a) { return static_cast<T>(a < 0 ? -Wide{a} : Wide{a}); });
        expect_ptx("neg." + type_name<T>() + " %0, %1;", [](T a) { return static_cast<T>(-Wide{a}); });
    });
}

TEST(Integer, MinAndMax) {
    for_integer_types([]<class T>() {
        expect_ptx("min." + type_name<T>() + " %0, %1, %2;", [](T a, T b) { return std::min(a, b); });
        expect_ptx("max." + type_name<T>() + " %0, %1, %2;", [](T a, T b) { return std::max(a, b); });
    });
    expect_ptx("min.relu.s32 %0, %1, %2;", [](int32_t a, int32_t b) { return std::max(std::min(a, b), 0); });
    expect_ptx("max.relu.s32 %0, %1, %2;", [](int32_t a, int32_t b) { return std::max({a, b, 0}); });
}

TEST(Integer, SadAddsTheDistance) {
    for_integer_types([]<class T>() {
        expect_ptx("sad." + type_name<T>() + " %0, %1, %2, %3;",
                   [](T a, T b, T c) { return static_cast<T>(Wide{c} + (a < b ? Wide{b} - a : Wide{a} - b)); });
    });
}

TEST(Integer, DivAndRemRoundTowardsZero) {
    for_integer_types([]<class T>() {
        const auto divisors = [] {
            auto values = edge_values<T>();
            std::erase(values, T{0});
            return values;
        }();
        const auto table = combinations(edge_values<T>(), divisors);
        expect_ptx(
            "div." + type_name<T>() + " %0, %1, %2;", [](T a, T b) { return static_cast<T>(Wide{a} / b); }, table);
        expect_ptx(
            "rem." + type_name<T>() + " %0, %1, %2;", [](T a, T b) { return static_cast<T>(Wide{a} % b); }, table);
    });
}

// Left open by PTX; what an H200 gives.
TEST(Integer, DivisionByZeroSetsAllBits) {
    for_integer_types([]<class T>() {
        const auto table = combinations(edge_values<T>(), std::vector<T>{0});
        expect_ptx(
            "div." + type_name<T>() + " %0, %1, %2;", [](T, T) { return static_cast<T>(-1); }, table);
        expect_ptx(
            "rem." + type_name<T>() + " %0, %1, %2;", [](T, T) { return static_cast<T>(-1); }, table);
    });
}

// F on the low and on the high halves.
template <class T, class F>
auto by_halves(F f) {
    return [f](uint32_t a, uint32_t b) {
        const auto low = static_cast<uint16_t>(f(static_cast<T>(a & 0xFFFF), static_cast<T>(b & 0xFFFF)));
        const auto high = static_cast<uint16_t>(f(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
        return static_cast<uint32_t>(high << 16 | low);
    };
}

TEST(Integer, PairsOfSixteenBits) {
    const auto add = [](int a, int b) { return a + b; };
    const auto min = [](int a, int b) { return std::min(a, b); };
    const auto max = [](int a, int b) { return std::max(a, b); };
    expect_ptx("add.u16x2 %0, %1, %2;", by_halves<uint16_t>(add));
    expect_ptx("add.s16x2 %0, %1, %2;", by_halves<int16_t>(add));
    expect_ptx("min.u16x2 %0, %1, %2;", by_halves<uint16_t>(min));
    expect_ptx("min.s16x2 %0, %1, %2;", by_halves<int16_t>(min));
    expect_ptx("max.u16x2 %0, %1, %2;", by_halves<uint16_t>(max));
    expect_ptx("max.s16x2 %0, %1, %2;", by_halves<int16_t>(max));
    expect_ptx("min.relu.s16x2 %0, %1, %2;",
               by_halves<int16_t>([](int a, int b) { return std::max(std::min(a, b), 0); }));
    expect_ptx("max.relu.s16x2 %0, %1, %2;", by_halves<int16_t>([](int a, int b) { return std::max({a, b, 0}); }));
}

TEST(Integer, IllegalFormsAreRefused) {
    using TwoWords = uint32_t(uint32_t, uint32_t);
    expect_refused<TwoWords>("add.sat.u32 %0, %1, %2;", "add");
    expect_refused<TwoWords>("add.b32 %0, %1, %2;", "add");
    expect_refused<TwoWords>("sub.u16x2 %0, %1, %2;", "sub");
    expect_refused<TwoWords>("min.relu.u32 %0, %1, %2;", "min");
    expect_refused<TwoWords>("min.relu.u16x2 %0, %1, %2;", "min");
    expect_refused<TwoWords>("div.sat.s32 %0, %1, %2;", "div");
    expect_refused<uint32_t(uint32_t)>("abs.u32 %0, %1;", "abs");
    expect_refused<uint32_t(uint32_t)>("neg.u32 %0, %1;", "neg");
}

}  // namespace
}  // namespace lanescope::machine::test
