// and or xor not cnot lop3 shl shr shf prmt, and the logic of predicates.
#include <algorithm>

#include "machine/operations/integer_types.h"
#include "machine/ptx_bench.h"

namespace lanescope::machine::test {
namespace {

TEST(Logic, Bits) {
    for_unsigned_types([]<class T>() {
        const std::string type = bits_name<T>();
        expect_ptx("and." + type + " %0, %1, %2;", [](T a, T b) { return static_cast<T>(a & b); });
        expect_ptx("or." + type + " %0, %1, %2;", [](T a, T b) { return static_cast<T>(a | b); });
        expect_ptx("xor." + type + " %0, %1, %2;", [](T a, T b) { return static_cast<T>(a ^ b); });
        expect_ptx("not." + type + " %0, %1;", [](T a) { return static_cast<T>(~a); });
        expect_ptx("cnot." + type + " %0, %1;", [](T a) { return static_cast<T>(a == 0); });
    });
}

TEST(Logic, Predicates) {
    expect_ptx("and.pred %0, %1, %2;", [](bool a, bool b) { return a && b; });
    expect_ptx("or.pred %0, %1, %2;", [](bool a, bool b) { return a || b; });
    expect_ptx("xor.pred %0, %1, %2;", [](bool a, bool b) { return a != b; });
    expect_ptx("not.pred %0, %1;", [](bool a) { return !a; });
}

// Bit 4a + 2b + c of the table.
uint32_t look_up(int table, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t d = 0;
    for (int i = 0; i < 32; ++i) {
        const uint32_t row = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
        d |= (static_cast<uint32_t>(table) >> row & 1) << i;
    }
    return d;
}

TEST(Logic, Lop3OfEveryTruthTable) {
    const auto table = combinations(std::vector<uint32_t>{0xF0F0F0F0, 0xFFFF0000, 0x9E3779B9, 0},
                                    std::vector<uint32_t>{0xCCCCCCCC, 0xFF00FF00, 0x7F4A7C15},
                                    std::vector<uint32_t>{0xAAAAAAAA, 0xF0F0F0F0, 0xFFFFFFFF});
    for (int truth = 0; truth < 256; ++truth) {
        expect_ptx(
            "lop3.b32 %0, %1, %2, %3, " + std::to_string(truth) + ";",
            [=](uint32_t a, uint32_t b, uint32_t c) { return look_up(truth, a, b, c); }, table);
    }
}

TEST(Logic, Lop3CombinesWithAPredicate) {
    for (const int truth : {0x80, 0x96, 0xFE, 0x00}) {
        const std::string sources = " %2, %3, %4, " + std::to_string(truth) + ", ";
        expect_ptx("lop3.or.b32 %0|%1," + sources + "%5;", [=](uint32_t a, uint32_t b, uint32_t c, bool q) {
            const uint32_t d = look_up(truth, a, b, c);
            return std::tuple{d, d != 0 || q};
        });
        expect_ptx("lop3.and.b32 %0|%1," + sources + "!%5;", [=](uint32_t a, uint32_t b, uint32_t c, bool q) {
            const uint32_t d = look_up(truth, a, b, c);
            return std::tuple{d, d != 0 && !q};
        });
    }
    expect_ptx("lop3.and.b32 _|%0, %1, %2, %3, 0x80, %4;",
               [](uint32_t a, uint32_t b, uint32_t c, bool q) { return (a & b & c) != 0 && q; });
}

// Amounts beyond the width shift everything out.
template <class T>
T shifted_left(T a, uint32_t amount) {
    for (uint32_t i = 0; i < std::min<uint32_t>(amount, 64); ++i) a = static_cast<T>(a * 2u);
    return a;
}
template <class T>
T shifted_right(T a, uint32_t amount) {  // floor(a / 2^amount)
    for (uint32_t i = 0; i < std::min<uint32_t>(amount, 64); ++i)
        a = static_cast<T>(a < 0 ? -((-(__int128{a}) + 1) / 2) : a / 2);
    return a;
}
const std::vector<uint32_t> amounts{0, 1, 2, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 256, 0x80000000, 0xFFFFFFFF};

TEST(Logic, ShiftAmountsAreClamped) {
    for_unsigned_types([]<class T>() {
        const auto table = combinations(edge_values<T>(), amounts);
        expect_ptx(
            "shl." + bits_name<T>() + " %0, %1, %2;", [](T a, uint32_t b) { return shifted_left(a, b); }, table);
        expect_ptx(
            "shr." + bits_name<T>() + " %0, %1, %2;", [](T a, uint32_t b) { return shifted_right(a, b); }, table);
    });
    for_integer_types([]<class T>() {
        expect_ptx(
            "shr." + type_name<T>() + " %0, %1, %2;", [](T a, uint32_t b) { return shifted_right(a, b); },
            combinations(edge_values<T>(), amounts));
    });
    expect_ptx("shl.b64 %0, %1, 33;", [](uint64_t a) { return a << 33; });
    expect_ptx("shr.s16 %0, %1, 40;", [](int16_t a) -> int16_t { return a < 0 ? -1 : 0; });
}

TEST(Logic, FunnelShift) {
    const auto table = combinations(edge_values<uint32_t>(), edge_values<uint32_t>(), amounts);
    for (const bool clamp : {false, true}) {
        const std::string mode = clamp ? "clamp" : "wrap";
        const auto count = [=](uint32_t c) { return clamp ? std::min(c, 32u) : c % 32; };
        expect_ptx(
            "shf.l." + mode + ".b32 %0, %1, %2, %3;",
            [=](uint32_t a, uint32_t b, uint32_t c) {
                return static_cast<uint32_t>((((unsigned __int128){b} << 32 | a) << count(c)) >> 32);
            },
            table);
        expect_ptx(
            "shf.r." + mode + ".b32 %0, %1, %2, %3;",
            [=](uint32_t a, uint32_t b, uint32_t c) {
                return static_cast<uint32_t>((uint64_t{b} << 32 | a) >> count(c));
            },
            table);
    }
}

// The bytes of a, then those of b; then four selected ones as a word.
std::vector<uint32_t> bytes_of(uint32_t a, uint32_t b) {
    std::vector<uint32_t> bytes;
    for (const uint32_t word : {a, b}) {
        for (int i = 0; i < 4; ++i) bytes.push_back(word >> (8 * i) & 0xFF);
    }
    return bytes;
}
uint32_t word_of(uint32_t byte3, uint32_t byte2, uint32_t byte1, uint32_t byte0) {
    return byte3 << 24 | byte2 << 16 | byte1 << 8 | byte0;
}

TEST(Logic, PrmtGeneric) {
    const auto selectors = [] {
        std::vector<uint32_t> values{0x3210, 0x7654, 0xFEDC, 0xBA98, 0x0123, 0x8F70, 0xFFFF4321};
        for (uint32_t i = 0; i < 16; ++i) values.push_back(i * 0x1111);
        return values;
    }();
    const std::vector<uint32_t> words{0x83127F01, 0x00FF807E, 0x12345678, 0xFEDCBA98};
    expect_ptx(
        "prmt.b32 %0, %1, %2, %3;",
        [](uint32_t a, uint32_t b, uint32_t c) {
            const auto bytes = bytes_of(a, b);
            const auto pick = [&](int i) -> uint32_t {
                const uint32_t nibble = c >> (4 * i) & 0xF, byte = bytes[nibble % 8];
                return nibble < 8 ? byte : byte >= 0x80 ? 0xFF : 0;
            };
            return word_of(pick(3), pick(2), pick(1), pick(0));
        },
        combinations(words, words, selectors));
}

// The table of the PTX ISA: for selector 0 to 3, the source bytes of result bytes 3, 2, 1, 0.
struct PrmtMode {
    const char* name;
    int rows[4][4];
};
TEST(Logic, PrmtModes) {
    const PrmtMode modes[] = {
        {"f4e", {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}},
        {"b4e", {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}},
        {"rc8", {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}},
        {"ecl", {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}},
        {"ecr", {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}},
        {"rc16", {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}},
    };
    const std::vector<uint32_t> words{0x83127F01, 0x00FF807E}, selectors{0, 1, 2, 3, 4, 0xFFFFFFFE};
    for (const PrmtMode& mode : modes) {
        expect_ptx(
            std::string("prmt.b32.") + mode.name + " %0, %1, %2, %3;",
            [&](uint32_t a, uint32_t b, uint32_t c) {
                const auto bytes = bytes_of(a, b);
                const auto& row = mode.rows[c % 4];
                return word_of(bytes[row[0]], bytes[row[1]], bytes[row[2]], bytes[row[3]]);
            },
            combinations(words, words, selectors));
    }
}

TEST(Logic, IllegalFormsAreRefused) {
    expect_refused<uint32_t(uint32_t, uint32_t)>("and.u32 %0, %1, %2;", "and");
    expect_refused<uint32_t(uint32_t, uint32_t)>("shl.s32 %0, %1, %2;", "shl");
    expect_refused<uint64_t(uint64_t, uint64_t, uint64_t)>("lop3.b64 %0, %1, %2, %3, 1;", "lop3");
    expect_refused<uint32_t(uint32_t, uint32_t, uint32_t)>("shf.l.b32 %0, %1, %2, %3;", "shf");
    expect_refused<bool(bool)>("cnot.pred %0, %1;", "cnot");
}

}  // namespace
}  // namespace lanescope::machine::test
