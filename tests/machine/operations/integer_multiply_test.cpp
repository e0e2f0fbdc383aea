// mul mad mul24 mad24 dp4a dp2a, against products in 128 bits.
#include <algorithm>

#include "machine/operations/integer_types.h"
#include "machine/ptx_bench.h"

namespace lanescope::machine::test {
namespace {

using Wide = __int128;

template <class T>
Wide product(T a, T b) {  // of two 64-bit unsigned values: modulo 2^128, which keeps both halves right
    return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
}
template <class T>
T low(Wide product) {
    return static_cast<T>(product);
}
template <class T>
T high(Wide product) {
    return static_cast<T>(product >> (8 * sizeof(T)));
}

int32_t nearest_s32(int64_t value) { return static_cast<int32_t>(std::clamp<int64_t>(value, INT32_MIN, INT32_MAX)); }

TEST(IntegerMultiply, MulLoHi) {
    for_integer_types([]<class T>() {
        expect_ptx("mul.lo." + type_name<T>() + " %0, %1, %2;", [](T a, T b) { return low<T>(product(a, b)); });
        expect_ptx("mul.hi." + type_name<T>() + " %0, %1, %2;", [](T a, T b) { return high<T>(product(a, b)); });
    });
}

TEST(IntegerMultiply, MadLoHi) {
    for_integer_types([]<class T>() {
        expect_ptx("mad.lo." + type_name<T>() + " %0, %1, %2, %3;",
                   [](T a, T b, T c) { return static_cast<T>(Wide{low<T>(product(a, b))} + c); });
        expect_ptx("mad.hi." + type_name<T>() + " %0, %1, %2, %3;",
                   [](T a, T b, T c) { return static_cast<T>(Wide{high<T>(product(a, b))} + c); });
    });
}

TEST(IntegerMultiply, MadHiSaturates) {
    expect_ptx("mad.hi.sat.s32 %0, %1, %2, %3;",
               [](int32_t a, int32_t b, int32_t c) { return nearest_s32((int64_t{a} * b >> 32) + c); });
}

template <class T, class W>
void expect_wide() {
    expect_ptx("mul.wide." + type_name<T>() + " %0, %1, %2;", [](T a, T b) { return static_cast<W>(Wide{a} * b); });
    expect_ptx("mad.wide." + type_name<T>() + " %0, %1, %2, %3;",
               [](T a, T b, W c) { return static_cast<W>(Wide{a} * b + c); });
}
TEST(IntegerMultiply, WideResultsAreTwiceAsLong) {
    expect_wide<uint16_t, uint32_t>();
    expect_wide<int16_t, int32_t>();
    expect_wide<uint32_t, uint64_t>();
    expect_wide<int32_t, int64_t>();
    expect_ptx("mul.wide.s32 %0, %1, -4;", [](int32_t a) { return int64_t{a} * -4; });
    expect_ptx("mad.wide.u32 %0, %1, 8, %2;", [](uint32_t a, uint64_t c) { return a * uint64_t{8} + c; });
}

// Sign- or zero-extended from bit 23.
int64_t low_24(int32_t a) {
    const int64_t bits = a & 0xFFFFFF;
    return bits >= 0x800000 ? bits - 0x1000000 : bits;
}
int64_t low_24(uint32_t a) { return a & 0xFFFFFF; }

template <class T>
void expect_24() {
    const std::string type = type_name<T>();
    expect_ptx("mul24.lo." + type + " %0, %1, %2;", [](T a, T b) { return static_cast<T>(low_24(a) * low_24(b)); });
    expect_ptx("mul24.hi." + type + " %0, %1, %2;",
               [](T a, T b) { return static_cast<T>(low_24(a) * low_24(b) >> 16); });
    expect_ptx("mad24.lo." + type + " %0, %1, %2, %3;",
               [](T a, T b, T c) { return static_cast<T>(low_24(a) * low_24(b) + c); });
    expect_ptx("mad24.hi." + type + " %0, %1, %2, %3;",
               [](T a, T b, T c) { return static_cast<T>((low_24(a) * low_24(b) >> 16) + c); });
}
TEST(IntegerMultiply, TwentyFourBits) {
    expect_24<uint32_t>();
    expect_24<int32_t>();
    expect_ptx("mad24.hi.sat.s32 %0, %1, %2, %3;",
               [](int32_t a, int32_t b, int32_t c) { return nearest_s32((low_24(a) * low_24(b) >> 16) + c); });
}

// Element i of a word, of `bits` bits.
int64_t element(uint32_t word, int i, int bits, bool is_signed) {
    const int64_t value = word >> (i * bits) & ((1u << bits) - 1);
    return is_signed && value >= int64_t{1} << (bits - 1) ? value - (int64_t{1} << bits) : value;
}

TEST(IntegerMultiply, DotProducts) {
    for (const bool a_signed : {false, true}) {
        for (const bool b_signed : {false, true}) {
            const std::string types = std::string(a_signed ? ".s32" : ".u32") + (b_signed ? ".s32" : ".u32");
            expect_ptx("dp4a" + types + " %0, %1, %2, %3;", [=](uint32_t a, uint32_t b, uint32_t c) {
                int64_t sum = c;
                for (int i = 0; i < 4; ++i) sum += element(a, i, 8, a_signed) * element(b, i, 8, b_signed);
                return static_cast<uint32_t>(sum);
            });
            for (const int first : {0, 2}) {
                expect_ptx((first ? "dp2a.hi" : "dp2a.lo") + types + " %0, %1, %2, %3;",
                           [=](uint32_t a, uint32_t b, uint32_t c) {
                               int64_t sum = c;
                               for (int i = 0; i < 2; ++i)
                                   sum += element(a, i, 16, a_signed) * element(b, first + i, 8, b_signed);
                               return static_cast<uint32_t>(sum);
                           });
            }
        }
    }
}

TEST(IntegerMultiply, IllegalFormsAreRefused) {
    expect_refused<uint32_t(uint32_t, uint32_t)>("mul.s32 %0, %1, %2;", "mul");
    expect_refused<uint64_t(uint64_t, uint64_t)>("mul.wide.u64 %0, %1, %2;", "mul");
    expect_refused<uint32_t(uint32_t, uint32_t, uint32_t)>("mad.lo.sat.s32 %0, %1, %2, %3;", "mad");
    expect_refused<uint32_t(uint32_t, uint32_t, uint32_t)>("mad.hi.sat.u32 %0, %1, %2, %3;", "mad");
    expect_refused<uint64_t(uint64_t, uint64_t)>("mul24.lo.u64 %0, %1, %2;", "mul24");
    expect_refused<uint32_t(uint32_t, uint32_t, uint32_t)>("dp2a.u32.u32 %0, %1, %2, %3;", "dp2a");
    expect_refused<uint32_t(uint32_t, uint32_t, uint32_t)>("dp4a.b32.u32 %0, %1, %2, %3;", "dp4a");
}

}  // namespace
}  // namespace lanescope::machine::test
