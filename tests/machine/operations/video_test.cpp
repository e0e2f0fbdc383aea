// The video instructions, against the steps that the PTX ISA lists for them.
//
// The SIMD forms, vset and the unsaturated scalar forms give the same on an H200. Its driver's replacement code for
// the scalar forms departs from the ISA where a result is merged into .h1, where .sat meets a value beyond 32 bits or
// a negative one, and in vmad.sat.shr7.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "machine/ptx_bench.h"

namespace lanescope::machine::test {
namespace {

const std::vector<uint32_t> words{0,          1,          0x7F80FF01, 0x80FF7F00, 0x7FFF8000, 0xFFFF0001,
                                  0x80000000, 0x7FFFFFFF, 0xFFFFFFFF, 0x12345678, 0x9ABCDEF0};
const auto pairs = combinations(words, words);
const auto triples = combinations(words, words, words);

// The byte, half-word or word that a selector names.
int64_t part(uint32_t word, std::string_view selector, bool is_signed) {
    const int index = selector.empty() ? 0 : selector[1] - '0';
    switch (selector.empty() ? 'w' : selector[0]) {
        case 'b':
            return is_signed ? int64_t{static_cast<int8_t>(word >> (8 * index))}
                             : int64_t{static_cast<uint8_t>(word >> (8 * index))};
        case 'h':
            return is_signed ? int64_t{static_cast<int16_t>(word >> (16 * index))}
                             : int64_t{static_cast<uint16_t>(word >> (16 * index))};
        default:
            return is_signed ? int64_t{static_cast<int32_t>(word)} : int64_t{word};
    }
}
uint32_t merged(uint32_t c, std::string_view selector, int64_t value) {
    const int index = selector.empty() ? 0 : selector[1] - '0', bits = selector.empty()     ? 32
                                                                       : selector[0] == 'b' ? 8
                                                                                            : 16;
    const auto mask = static_cast<uint32_t>(((uint64_t{1} << bits) - 1) << (index * bits));
    return (c & ~mask) | (static_cast<uint32_t>(value << (index * bits)) & mask);
}
int64_t clamped(int64_t value, int bits, bool is_signed) {
    return is_signed ? std::clamp(value, -(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1)
                     : std::clamp(value, int64_t{0}, (int64_t{1} << bits) - 1);
}
int bits_of(std::string_view selector) { return selector.empty() ? 32 : selector[0] == 'b' ? 8 : 16; }
std::string dotted(std::string_view selector) { return selector.empty() ? "" : "." + std::string(selector); }

struct Scalar {
    const char* name;
    int64_t (*compute)(int64_t, int64_t);
};
const Scalar scalars[] = {{"vadd", [](int64_t a, int64_t b) { return a + b; }},
                          {"vsub", [](int64_t a, int64_t b) { return a - b; }},
                          {"vabsdiff", [](int64_t a, int64_t b) { return std::abs(a - b); }},
                          {"vmin", [](int64_t a, int64_t b) { return std::min(a, b); }},
                          {"vmax", [](int64_t a, int64_t b) { return std::max(a, b); }}};

TEST(Video, ScalarTypesSelectorsAndSaturation) {
    const std::array<std::string, 3> selectors{"", "b2", "h1"};
    for (const Scalar& op : scalars) {
        for (int signs = 0; signs < 8; ++signs) {
            const bool d_signed = signs & 1, a_signed = signs & 2, b_signed = signs & 4;
            const auto type = [](bool is_signed) { return is_signed ? ".s32" : ".u32"; };
            for (const bool saturates : {false, true}) {
                const std::string& a_select = selectors[signs % 3];
                const std::string& b_select = selectors[(signs + saturates) % 3];
                const std::string head =
                    std::string(op.name) + type(d_signed) + type(a_signed) + type(b_signed) + (saturates ? ".sat" : "");
                const std::string sources = ", %1" + dotted(a_select) + ", %2" + dotted(b_select);
                const auto value = [=](uint32_t a, uint32_t b, int bits) {
                    const int64_t exact = op.compute(part(a, a_select, a_signed), part(b, b_select, b_signed));
                    return saturates ? clamped(exact, bits, d_signed) : exact;
                };
                expect_ptx(
                    head + " %0" + sources + ";",
                    [=](uint32_t a, uint32_t b) { return static_cast<uint32_t>(value(a, b, 32)); }, pairs);
                for (const std::string d_select : {"b0", "b3", "h1"}) {
                    expect_ptx(
                        head + " %0." + d_select + sources + ", %3;",
                        [=](uint32_t a, uint32_t b, uint32_t c) {
                            return merged(c, d_select, value(a, b, bits_of(d_select)));
                        },
                        triples);
                }
            }
        }
    }
}

TEST(Video, ScalarSecondOperation) {
    for (const Scalar& op : scalars) {
        expect_ptx(
            std::string(op.name) + ".s32.s32.s32.sat.add %0, %1, %2.h0, %3;",
            [=](uint32_t a, uint32_t b, uint32_t c) {
                return static_cast<uint32_t>(clamped(op.compute(part(a, "", true), part(b, "h0", true)), 32, true) + c);
            },
            triples);
        expect_ptx(
            std::string(op.name) + ".s32.s32.u32.sat.min %0, %1.b1, %2, %3;",
            [=](uint32_t a, uint32_t b, uint32_t c) {
                return static_cast<uint32_t>(std::min(
                    clamped(op.compute(part(a, "b1", true), part(b, "", false)), 32, true), part(c, "", true)));
            },
            triples);
        expect_ptx(
            std::string(op.name) + ".u32.u32.u32.sat.max %0, %1, %2, %3;",
            [=](uint32_t a, uint32_t b, uint32_t c) {
                return static_cast<uint32_t>(std::max(clamped(op.compute(a, b), 32, false), int64_t{c}));
            },
            triples);
    }
}

TEST(Video, Shifts) {
    for (const bool is_signed : {false, true}) {
        const std::string types = is_signed ? ".s32.s32.u32" : ".u32.u32.u32";
        for (const bool clamp : {false, true}) {
            const std::string mode = clamp ? ".clamp" : ".wrap";
            const auto amount = [=](uint32_t b) { return clamp ? std::min(b, 32u) : b % 32; };
            const auto amounts = combinations(words, std::vector<uint32_t>{0, 1, 7, 31, 32, 33, 63, 0xFFFFFFFF});
            expect_ptx(
                "vshl" + types + mode + " %0, %1, %2;",
                [=](uint32_t a, uint32_t b) { return static_cast<uint32_t>(uint64_t{a} << amount(b)); }, amounts);
            expect_ptx(
                "vshl" + types + ".sat" + mode + " %0, %1.h0, %2;",
                [=](uint32_t a, uint32_t b) {
                    return static_cast<uint32_t>(
                        clamped(part(a, "h0", is_signed) * (int64_t{1} << amount(b)), 32, is_signed));
                },
                amounts);
            expect_ptx(
                "vshr" + types + mode + " %0, %1, %2.b0;",
                [=](uint32_t a, uint32_t b) {
                    return static_cast<uint32_t>(part(a, "", is_signed) >> amount(b & 0xFF));
                },
                amounts);
            expect_ptx(
                "vshr" + types + mode + ".add %0, %1, %2.b0, %3;",
                [=](uint32_t a, uint32_t b, uint32_t c) {
                    return static_cast<uint32_t>((part(a, "", is_signed) >> amount(b & 0xFF)) + c);
                },
                triples);
        }
    }
}

TEST(Video, MultiplyAdd) {
    expect_ptx(
        "vmad.s32.s32.s32 %0, %1.h0, %2.h1, %3;",
        [](uint32_t a, uint32_t b, uint32_t c) {
            return static_cast<uint32_t>(part(a, "h0", true) * part(b, "h1", true) + c);
        },
        triples);
    expect_ptx(
        "vmad.s32.s32.s32.sat %0, %1, %2.b3, %3;",
        [](uint32_t a, uint32_t b, uint32_t c) {
            return static_cast<uint32_t>(
                clamped(part(a, "", true) * part(b, "b3", true) + part(c, "", true), 32, true));
        },
        triples);
    expect_ptx(
        "vmad.u32.u32.u32.sat.shr7 %0, %1.h0, %2.h0, %3;",
        [](uint32_t a, uint32_t b, uint32_t c) {
            return static_cast<uint32_t>(
                clamped((part(a, "h0", false) * part(b, "h0", false) + int64_t{c}) >> 7, 32, false));
        },
        triples);
    expect_ptx(
        "vmad.s32.u32.s32.po.shr15 %0, %1.h1, %2.h0, %3;",
        [](uint32_t a, uint32_t b, uint32_t c) {
            return static_cast<uint32_t>((part(a, "h1", false) * part(b, "h0", true) + part(c, "", true) + 1) >> 15);
        },
        triples);
}

struct Comparison {
    const char* name;
    bool (*holds)(int64_t, int64_t);
};
const Comparison comparisons[] = {
    {"eq", [](int64_t a, int64_t b) { return a == b; }}, {"ne", [](int64_t a, int64_t b) { return a != b; }},
    {"lt", [](int64_t a, int64_t b) { return a < b; }},  {"le", [](int64_t a, int64_t b) { return a <= b; }},
    {"gt", [](int64_t a, int64_t b) { return a > b; }},  {"ge", [](int64_t a, int64_t b) { return a >= b; }}};

TEST(Video, Set) {
    for (const Comparison& op : comparisons) {
        const std::string name = op.name;
        expect_ptx(
            "vset.s32.u32." + name + " %0, %1, %2.h1;",
            [=](uint32_t a, uint32_t b) { return uint32_t{op.holds(part(a, "", true), part(b, "h1", false))}; }, pairs);
        expect_ptx(
            "vset.u32.u32." + name + ".add %0, %1.b0, %2.b0, %3;",
            [=](uint32_t a, uint32_t b, uint32_t c) {
                return op.holds(part(a, "b0", false), part(b, "b0", false)) + c;
            },
            triples);
        expect_ptx(
            "vset.s32.s32." + name + " %0.b2, %1, %2, %3;",
            [=](uint32_t a, uint32_t b, uint32_t c) {
                return merged(c, "b2", op.holds(part(a, "", true), part(b, "", true)));
            },
            triples);
    }
}

// Position i of a SIMD source: the element of b:a that digit i of the selector (from the right) names.
int64_t element(uint32_t a, uint32_t b, std::string_view digits, int i, int elements, bool is_signed) {
    const int index = digits[digits.size() - 1 - static_cast<size_t>(i)] - '0';
    const std::string selector = (elements == 2 ? "h" : "b") + std::to_string(index % elements);
    return part(index < elements ? a : b, selector, is_signed);
}

struct Simd {
    const char* name;
    int64_t (*compute)(int64_t, int64_t);
};
const Simd simds[] = {{"vadd", [](int64_t a, int64_t b) { return a + b; }},
                      {"vsub", [](int64_t a, int64_t b) { return a - b; }},
                      {"vabsdiff", [](int64_t a, int64_t b) { return std::abs(a - b); }},
                      {"vavrg", [](int64_t a, int64_t b) { return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1; }},
                      {"vmin", [](int64_t a, int64_t b) { return std::min(a, b); }},
                      {"vmax", [](int64_t a, int64_t b) { return std::max(a, b); }}};

struct SimdForm {
    int elements;
    const char *mask, *a, *b;  // selectors as written
    const char *mask_digits, *a_digits, *b_digits;
};
const SimdForm simd_forms[] = {{2, "", "", "", "10", "10", "32"},
                               {2, ".h1", ".h03", ".h21", "1", "03", "21"},
                               {4, "", "", "", "3210", "3210", "7654"},
                               {4, ".b20", ".b7531", ".b0126", "20", "7531", "0126"}};

template <class F>
uint32_t simd_result(const SimdForm& form, uint32_t a, uint32_t b, uint32_t c, bool a_signed, bool b_signed, bool adds,
                     F f) {
    uint32_t d = c;
    for (int i = 0; i < form.elements; ++i) {
        if (std::string_view(form.mask_digits).find(static_cast<char>('0' + i)) == std::string_view::npos) continue;
        const int64_t value = f(element(a, b, form.a_digits, i, form.elements, a_signed),
                                element(a, b, form.b_digits, i, form.elements, b_signed));
        d = adds ? d + static_cast<uint32_t>(value)
                 : merged(d, (form.elements == 2 ? "h" : "b") + std::to_string(i), value);
    }
    return d;
}

TEST(Video, Simd) {
    for (const SimdForm& form : simd_forms) {
        const std::string operands = std::string(" %0") + form.mask + ", %1" + form.a + ", %2" + form.b + ", %3;";
        for (const Simd& op : simds) {
            for (int signs = 0; signs < 8; ++signs) {
                const bool d_signed = signs & 1, a_signed = signs & 2, b_signed = signs & 4;
                const auto type = [](bool is_signed) { return is_signed ? ".s32" : ".u32"; };
                const std::string head =
                    op.name + std::to_string(form.elements) + type(d_signed) + type(a_signed) + type(b_signed);
                expect_ptx(
                    head + operands,
                    [=](uint32_t a, uint32_t b, uint32_t c) {
                        return simd_result(form, a, b, c, a_signed, b_signed, false, op.compute);
                    },
                    triples);
                expect_ptx(
                    head + ".sat" + operands,
                    [=](uint32_t a, uint32_t b, uint32_t c) {
                        return simd_result(form, a, b, c, a_signed, b_signed, false, [=](int64_t x, int64_t y) {
                            return clamped(op.compute(x, y), 32 / form.elements, d_signed);
                        });
                    },
                    triples);
                expect_ptx(
                    head + ".add" + operands,
                    [=](uint32_t a, uint32_t b, uint32_t c) {
                        return simd_result(form, a, b, c, a_signed, b_signed, true, op.compute);
                    },
                    triples);
            }
        }
        for (const Comparison& op : comparisons) {
            const std::string head = "vset" + std::to_string(form.elements) + ".s32.u32." + op.name;
            for (const bool adds : {false, true}) {
                expect_ptx(
                    head + (adds ? ".add" : "") + operands,
                    [=](uint32_t a, uint32_t b, uint32_t c) {
                        return simd_result(form, a, b, c, true, false, adds, op.holds);
                    },
                    triples);
            }
        }
    }
}

TEST(Video, IllegalFormsAreRefused) {
    using Words = uint32_t(uint32_t, uint32_t, uint32_t);
    expect_refused<Words>("vadd.u32.u32.u16 %0, %1, %2;", "vadd");
    expect_refused<Words>("vadd.u32.u32.u32 %0.b4, %1, %2, %3;", "vadd");
    expect_refused<Words>("vadd.u32.u32.u32.shr7 %0, %1, %2;", "vadd");
    expect_refused<Words>("vadd2.u32.u32.u32 %0, %1.h4, %2, %3;", "vadd2");
    expect_refused<Words>("vadd4.u32.u32.u32 %0, %1.b321, %2, %3;", "vadd4");
    expect_refused<Words>("vshl.u32.u32.u32 %0, %1, %2;", "vshl");
}

}  // namespace
}  // namespace lanescope::machine::test
