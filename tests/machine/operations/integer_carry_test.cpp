// add.cc addc sub.cc subc mad.cc madc: the carry flag, seen through the next instruction that reads it.
#include "machine/operations/integer_types.h"
#include "machine/ptx_bench.h"

namespace lanescope::machine::test {
namespace {

using Wide = unsigned __int128;

template <class T>
uint64_t unsigned_bits(T a) {
    return static_cast<std::make_unsigned_t<T>>(a);
}
template <class T>
constexpr int width = 8 * sizeof(T);

// Each text ends with `addc %1, 0, 0`: %1 is the carry flag.
TEST(IntegerCarry, AddWritesTheCarry) {
    for_word_types([]<class T>() {
        const std::string type = type_name<T>();
        expect_ptx("add.cc." + type + " %0, %2, %3; addc." + type + " %1, 0, 0;", [](T a, T b) {
            const Wide sum = Wide{unsigned_bits(a)} + unsigned_bits(b);
            return std::tuple{static_cast<T>(sum), static_cast<T>(sum >> width<T>)};
        });
    });
}

TEST(IntegerCarry, AddcReadsAndWritesTheCarry) {
    for_word_types([]<class T>() {
        const std::string type = type_name<T>();
        // %4 + %4 carries if %4 has its top bit set.
        expect_ptx("{ .reg ." + bits_name<T>() + " %t; add.cc." + type + " %t, %4, %4; addc.cc." + type +
                       " %0, %2, %3; addc." + type + " %1, 0, 0; }",
                   [](T a, T b, T c) {
                       const Wide sum =
                           Wide{unsigned_bits(a)} + unsigned_bits(b) + (c < 0 || unsigned_bits(c) >> (width<T> - 1));
                       return std::tuple{static_cast<T>(sum), static_cast<T>(sum >> width<T>)};
                   });
    });
}

// subc 0, 0 gives minus the borrow.
TEST(IntegerCarry, SubWritesTheBorrow) {
    for_word_types([]<class T>() {
        const std::string type = type_name<T>();
        expect_ptx("sub.cc." + type + " %0, %2, %3; subc." + type + " %1, 0, 0;", [](T a, T b) {
            const Wide difference = Wide{unsigned_bits(a)} - unsigned_bits(b);
            return std::tuple{static_cast<T>(difference), static_cast<T>(difference >> width<T>)};
        });
    });
}

TEST(IntegerCarry, SubcReadsAndWritesTheBorrow) {
    for_word_types([]<class T>() {
        const std::string type = type_name<T>();
        // 0 - %4 borrows unless %4 is 0.
        expect_ptx("{ .reg ." + bits_name<T>() + " %t; sub.cc." + type + " %t, 0, %4; subc.cc." + type +
                       " %0, %2, %3; subc." + type + " %1, 0, 0; }",
                   [](T a, T b, T c) {
                       const Wide difference = Wide{unsigned_bits(a)} - unsigned_bits(b) - (c != 0);
                       return std::tuple{static_cast<T>(difference), static_cast<T>(difference >> width<T>)};
                   });
    });
}

// The flag is that of a + ~b + 1: set when nothing was borrowed.
TEST(IntegerCarry, AddcAfterASubtractionReadsNoBorrowAsACarry) {
    for_word_types([]<class T>() {
        const std::string type = type_name<T>();
        expect_ptx("sub.cc." + type + " %0, %2, %3; addc." + type + " %1, 0, 0;", [](T a, T b) {
            return std::tuple{static_cast<T>(Wide{unsigned_bits(a)} - unsigned_bits(b)),
                              static_cast<T>(unsigned_bits(a) >= unsigned_bits(b))};
        });
        expect_ptx("add.cc." + type + " %0, %2, %3; subc." + type + " %1, 0, 0;", [](T a, T b) {
            const Wide sum = Wide{unsigned_bits(a)} + unsigned_bits(b);
            return std::tuple{static_cast<T>(sum), static_cast<T>(static_cast<T>(sum >> width<T>) - 1)};
        });
    });
}

// a * b as T reads them, modulo 2^128
template <class T>
Wide product(T a, T b) {
    return static_cast<Wide>(a) * static_cast<Wide>(b);
}

TEST(IntegerCarry, MadAndMadcChain) {
    for_word_types([]<class T>() {
        const std::string type = type_name<T>();
        for (const bool hi : {false, true}) {
            const std::string half = hi ? "hi" : "lo";
            const auto part = [hi](T a, T b) {
                return unsigned_bits(static_cast<T>(product(a, b) >> (hi ? width<T> : 0)));
            };
            expect_ptx("mad." + half + ".cc." + type + " %0, %2, %3, %4; addc." + type + " %1, 0, 0;",
                       [=](T a, T b, T c) {
                           const Wide sum = Wide{part(a, b)} + unsigned_bits(c);
                           return std::tuple{static_cast<T>(sum), static_cast<T>(sum >> width<T>)};
                       });
            // The carry in is 1: all ones plus one.
            expect_ptx("add.cc." + type + " %0, -1, 1; madc." + half + ".cc." + type + " %0, %2, %3, %4; addc." + type +
                           " %1, 0, 0;",
                       [=](T a, T b, T c) {
                           const Wide sum = Wide{part(a, b)} + unsigned_bits(c) + 1;
                           return std::tuple{static_cast<T>(sum), static_cast<T>(sum >> width<T>)};
                       });
            expect_ptx("add.cc." + type + " %0, -1, 1; madc." + half + "." + type + " %0, %1, %2, %3;",
                       [=](T a, T b, T c) { return static_cast<T>(Wide{part(a, b)} + unsigned_bits(c) + 1); });
        }
    });
}

// Instructions without .cc leave the flag alone.
TEST(IntegerCarry, OtherInstructionsKeepTheCarry) {
    expect_ptx(
        "{ .reg .b32 %t; add.cc.u32 %t, %1, %2; add.u32 %t, %2, %2; sub.u32 %t, %2, %1; addc.u32 %t, %1, %1; addc.u32 "
        "%0, 0, 0; }",
        [](uint32_t a, uint32_t b) { return static_cast<uint32_t>((uint64_t{a} + b) >> 32); });
}

TEST(IntegerCarry, IllegalFormsAreRefused) {
    expect_refused<uint16_t(uint16_t, uint16_t)>("add.cc.u16 %0, %1, %2;", "add");
    expect_refused<uint32_t(uint32_t, uint32_t)>("add.sat.cc.s32 %0, %1, %2;", "add");
    expect_refused<uint32_t(uint32_t, uint32_t)>("mul.lo.cc.s32 %0, %1, %2;", "mul");
    expect_refused<uint64_t(uint32_t, uint32_t, uint64_t)>("mad.wide.cc.u32 %0, %1, %2, %3;", "mad");
}

}  // namespace
}  // namespace lanescope::machine::test
