// popc clz bfind fns brev bfe bfi bmsk szext, against loops over single bits.
#include <algorithm>

#include "machine/operations/integer_types.h"
#include "machine/ptx_bench.h"

namespace lanescope::machine::test {
namespace {

template <class T>
constexpr int width = 8 * sizeof(T);
template <class T>
bool bit(T value, int i) {
    return static_cast<uint64_t>(value) >> i & 1;
}
template <class T>
T with_bit(T value, int i, bool set) {
    const uint64_t mask = uint64_t{1} << i;
    return static_cast<T>(set ? static_cast<uint64_t>(value) | mask : static_cast<uint64_t>(value) & ~mask);
}

TEST(IntegerBits, CountAndReverse) {
    for_unsigned_words([]<class T>() {
        expect_ptx("popc." + bits_name<T>() + " %0, %1;", [](T a) {
            uint32_t count = 0;
            for (int i = 0; i < width<T>; ++i) count += bit(a, i);
            return count;
        });
        expect_ptx("clz." + bits_name<T>() + " %0, %1;", [](T a) {
            uint32_t count = 0;
            while (count < width<T> && !bit(a, width<T> - 1 - static_cast<int>(count))) ++count;
            return count;
        });
        expect_ptx("brev." + bits_name<T>() + " %0, %1;", [](T a) {
            T reversed = 0;
            for (int i = 0; i < width<T>; ++i) reversed = with_bit(reversed, width<T> - 1 - i, bit(a, i));
            return reversed;
        });
    });
}

TEST(IntegerBits, Bfind) {
    for_word_types([]<class T>() {
        const auto position = [](T a) {  // of the highest bit that differs from the sign; of u32, that is set
            const bool sign = a < 0;
            for (int i = width<T> - 1; i >= 0; --i) {
                if (bit(a, i) != sign) return i;
            }
            return -1;
        };
        expect_ptx("bfind." + type_name<T>() + " %0, %1;", [=](T a) { return static_cast<uint32_t>(position(a)); });
        expect_ptx("bfind.shiftamt." + type_name<T>() + " %0, %1;",
                   [=](T a) { return static_cast<uint32_t>(position(a) < 0 ? -1 : width<T> - 1 - position(a)); });
    });
}

TEST(IntegerBits, Fns) {
    const auto table =
        combinations(edge_values<uint32_t>(), std::vector<uint32_t>{0, 1, 5, 15, 30, 31},
                     std::vector<int32_t>{0, 1, 2, 3, 16, 32, 33, -1, -2, -3, -17, INT32_MAX});
    expect_ptx(
        "fns.b32 %0, %1, %2, %3;",
        [](uint32_t mask, uint32_t base, int32_t offset) -> uint32_t {
            if (offset == 0) return bit(mask, static_cast<int>(base)) ? base : 0xFFFFFFFF;
            const int step = offset > 0 ? 1 : -1;
            int64_t rank = 0;  // of the set bit at `i`, counted from the base
            for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step) {
                rank += bit(mask, i);
                if (bit(mask, i) && rank == std::abs(int64_t{offset})) return static_cast<uint32_t>(i);
            }
            return 0xFFFFFFFF;
        },
        table);
}

// Only the low 8 bits of position and length count (so the PTX ISA; an H200 keeps to it for 32-bit fields only).
const std::vector<uint32_t> positions{0, 1, 7, 16, 31, 32, 33, 63, 64, 65, 200, 255, 256, 0x80000003};

TEST(IntegerBits, Bfe) {
    for_word_types([]<class T>() {
        expect_ptx(
            "bfe." + type_name<T>() + " %0, %1, %2, %3;",
            [](T a, uint32_t b, uint32_t c) {
                const int position = b & 0xFF, length = c & 0xFF;
                const bool sign =
                    std::is_signed_v<T> && length > 0 && bit(a, std::min(position + length - 1, width<T> - 1));
                T d = 0;
                for (int i = 0; i < width<T>; ++i) {
                    d = with_bit(d, i, i < length && position + i < width<T> ? bit(a, position + i) : sign);
                }
                return d;
            },
            combinations(edge_values<T>(), positions, positions));
    });
}

TEST(IntegerBits, Bfi) {
    for_unsigned_words([]<class T>() {
        expect_ptx(
            "bfi." + bits_name<T>() + " %0, %1, %2, %3, %4;",
            [](T a, T b, uint32_t c, uint32_t d) {
                const int position = c & 0xFF, length = d & 0xFF;
                for (int i = 0; i < length && position + i < width<T>; ++i) b = with_bit(b, position + i, bit(a, i));
                return b;
            },
            combinations(edge_values<T>(), edge_values<T>(), positions, positions));
    });
}

TEST(IntegerBits, Bmsk) {
    for (const bool clamp : {false, true}) {
        expect_ptx(clamp ? "bmsk.clamp.b32 %0, %1, %2;" : "bmsk.wrap.b32 %0, %1, %2;", [=](uint32_t a, uint32_t b) {
            const uint64_t position = clamp ? a : a % 32, count = clamp ? b : b % 32;
            uint32_t mask = 0;
            for (uint64_t i = 0; i < 32; ++i)
                mask = with_bit(mask, static_cast<int>(i), i >= position && i < position + count);
            return mask;
        });
    }
}

template <class T>
void expect_szext() {
    for (const bool clamp : {false, true}) {
        expect_ptx((clamp ? "szext.clamp." : "szext.wrap.") + type_name<T>() + " %0, %1, %2;", [=](T a, uint32_t b) {
            const uint32_t count = clamp ? b : b % 32;
            if (count >= 32) return a;
            const bool sign = std::is_signed_v<T> && count > 0 && bit(a, static_cast<int>(count) - 1);
            for (int i = static_cast<int>(count); i < 32; ++i) a = with_bit(a, i, sign);
            return a;
        });
    }
}
TEST(IntegerBits, Szext) {
    expect_szext<uint32_t>();
    expect_szext<int32_t>();
}

TEST(IntegerBits, IllegalFormsAreRefused) {
    expect_refused<uint32_t(uint32_t)>("popc.u32 %0, %1;", "popc");
    expect_refused<uint16_t(uint16_t)>("brev.b16 %0, %1;", "brev");
    expect_refused<uint32_t(uint32_t)>("bfind.b32 %0, %1;", "bfind");
    expect_refused<uint32_t(uint32_t, uint32_t, uint32_t)>("bfe.b32 %0, %1, %2, %3;", "bfe");
    expect_refused<uint32_t(uint32_t, uint32_t)>("bmsk.b32 %0, %1, %2;", "bmsk");
    expect_refused<uint32_t(uint32_t, uint32_t)>("szext.clamp.b32 %0, %1, %2;", "szext");
}

}  // namespace
}  // namespace lanescope::machine::test
