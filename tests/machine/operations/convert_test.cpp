// cvt: between integers, between integers and floating-point numbers, and between floating-point formats, against
// definitions and correct rounding by search (rounding_reference.h).
#include <cmath>
#include <limits>

#include "machine/operations/rounding_reference.h"
#include "machine/ptx_bench.h"

namespace lanescope::machine::test {
namespace {

// ---- Integers ----

template <class T>
std::string integer_name() {
    return (std::is_signed_v<T> ? "s" : "u") + std::to_string(8 * sizeof(T));
}
template <class F>
void for_integers(F f) {
    f.template operator()<uint8_t>();
    f.template operator()<int8_t>();
    f.template operator()<uint16_t>();
    f.template operator()<int16_t>();
    f.template operator()<uint32_t>();
    f.template operator()<int32_t>();
    f.template operator()<uint64_t>();
    f.template operator()<int64_t>();
}

TEST(ConvertInteger, KeepsTheLowBitsOrSaturates) {
    for_integers([]<class D>() {
        for_integers([]<class S>() {
            const std::string types = "." + integer_name<D>() + "." + integer_name<S>() + " %0, %1;";
            expect_ptx("cvt" + types, [](S x) { return static_cast<D>(x); });
            const __int128 least = std::numeric_limits<D>::min(), most = std::numeric_limits<D>::max();
            if (std::numeric_limits<S>::min() >= least && std::numeric_limits<S>::max() <= most) {
                expect_refused<D(S)>("cvt.sat" + types, "cvt");
                return;
            }
            expect_ptx("cvt.sat" + types, [=](S x) -> D {
                const __int128 value = x;
                return static_cast<D>(value < least ? least : value > most ? most : value);
            });
        });
    });
}

TEST(ConvertInteger, NarrowResultsAreExtendedInTheirRegister) {
    expect_ptx("{ .reg .b16 %t; cvt.s8.s32 %t, %1; cvt.s32.s16 %0, %t; }",
               [](int32_t x) -> int32_t { return static_cast<int8_t>(x); });
    expect_ptx("{ .reg .b16 %t; cvt.u8.s32 %t, %1; cvt.s32.s16 %0, %t; }",
               [](int32_t x) -> int32_t { return static_cast<uint8_t>(x); });
}

TEST(ConvertInteger, PackSaturatesIntoHalvesAndBytes) {
    const auto clamp = [](int32_t x, int32_t least, int32_t most) {
        return static_cast<uint32_t>(std::min(std::max(x, least), most));
    };
    expect_ptx("cvt.pack.sat.s16.s32 %0, %1, %2;", [=](int32_t a, int32_t b) {
        return clamp(a, -32768, 32767) << 16 | (clamp(b, -32768, 32767) & 0xFFFF);
    });
    expect_ptx("cvt.pack.sat.u16.s32 %0, %1, %2;",
               [=](int32_t a, int32_t b) { return clamp(a, 0, 65535) << 16 | clamp(b, 0, 65535); });
    expect_ptx("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;",
               [=](int32_t a, int32_t b, uint32_t c) { return c << 16 | clamp(a, 0, 255) << 8 | clamp(b, 0, 255); });
    expect_ptx("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;", [=](int32_t a, int32_t b, uint32_t c) {
        return c << 16 | (clamp(a, -128, 127) & 0xFF) << 8 | (clamp(b, -128, 127) & 0xFF);
    });
}

// ---- Floating-point sources and results as bit patterns ----

struct Float {
    std::string name;
    BinaryFormat format;
};
const Float f16_type{"f16", f16}, bf16_type{"bf16", bf16}, f32_type{"f32", f32}, f64_type{"f64", f64};

// f.operator()<Bits>() with the register type of a format.
template <class F>
void with_bits(BinaryFormat format, F f) {
    const int width = 1 + format.exponent_bits + format.mantissa_bits;
    if (width == 16)
        f.template operator()<uint16_t>();
    else if (width == 32)
        f.template operator()<uint32_t>();
    else
        f.template operator()<uint64_t>();
}

// Numbers around every power of two and around integers, ends of ranges, infinities and NaN, of both signs.
std::vector<uint64_t> numbers(BinaryFormat format) {
    std::vector<uint64_t> v{0,
                            1,
                            format.smallest_normal() - 1,
                            format.smallest_normal(),
                            format.infinity() - 1,
                            format.infinity(),
                            format.infinity() + 1,
                            format.nan()};
    for (int exponent : {-30, -26, -25, -24, -15, -14, -2, -1, 0,  1,  2,  6,  7,  8,  9,
                         14,  15,  16,  23,  24,  30,  31, 32, 52, 53, 62, 63, 64, 100}) {
        if (std::abs(exponent) >= format.bias()) continue;
        const uint64_t power = static_cast<uint64_t>(exponent + format.bias()) << format.mantissa_bits;
        for (uint64_t x : {power - 1, power, power + 1, power + format.smallest_normal() / 2,
                           power + format.smallest_normal() / 4, power + 3 * format.smallest_normal() / 4})
            v.push_back(x);
    }
    for (double x : {2.5, 3.5, 127.5, 128.5, 255.5, 32767.5, 65535.5, 2147483647.5, 4294967295.5, 1.1, 0.3})
        v.push_back(round_value(format, static_cast<Exact>(x), Mode::rz));
    for (size_t i = 0, n = v.size(); i < n; ++i) v.push_back(v[i] | format.sign());
    return v;
}
template <class Bits>
std::vector<std::tuple<Bits>> table_of(BinaryFormat format) {
    std::vector<std::tuple<Bits>> table;
    for (uint64_t x : numbers(format)) table.emplace_back(static_cast<Bits>(x));
    return table;
}

// ---- To integers ----

// The nearest integer in the mode's direction, by definition on exact values.
Exact integral(Exact x, const std::string& mode) {
    Exact magnitude = x < 0 ? -x : x;
    if (magnitude >= power_of_two(112)) return x;
    // adding 2^112 leaves no bits below the point
    Exact whole = (magnitude + power_of_two(112)) - power_of_two(112);  // nearest even
    const Exact below = whole > magnitude ? whole - 1 : whole;
    if (mode == "rzi") whole = below;
    if (mode == "rmi") whole = x < 0 && below != magnitude ? below + 1 : below;
    if (mode == "rpi") whole = x > 0 && below != magnitude ? below + 1 : below;
    return x < 0 ? -whole : whole;
}

template <class D>
D to_integer(BinaryFormat format, uint64_t bits, const std::string& mode) {
    if (format.is_nan(bits)) {
        const bool zero = sizeof(D) < 8 && format.mantissa_bits != f64.mantissa_bits;
        return zero ? D(0) : static_cast<D>(uint64_t{1} << (8 * sizeof(D) - 1));
    }
    const Exact x = integral(value_of(format, bits), mode);  // infinity counts as a number beyond the largest
    const D least = std::numeric_limits<D>::min(), most = std::numeric_limits<D>::max();
    if (format.is_infinite(bits)) return format.is_negative(bits) ? least : most;
    if (x <= static_cast<Exact>(least)) return least;
    if (x >= static_cast<Exact>(most)) return most;
    return static_cast<D>(x);
}

TEST(ConvertToInteger, RoundsAndClamps) {
    for (const Float& source : {f16_type, bf16_type, f32_type, f64_type}) {
        with_bits(source.format, [&]<class Bits>() {
            const auto table = table_of<Bits>(source.format);
            for_integers([&]<class D>() {
                if (source.name == "bf16" && sizeof(D) == 1) return;
                for (const std::string mode : {"rni", "rzi", "rmi", "rpi"}) {
                    const std::string types = "." + integer_name<D>() + "." + source.name + " %0, %1;";
                    const auto reference = [&](Bits x) { return to_integer<D>(source.format, x, mode); };
                    expect_ptx("cvt." + mode + types, reference, table);
                    if (source.name != "bf16") expect_ptx("cvt." + mode + ".sat" + types, reference, table);
                    if (source.name != "f32") continue;
                    expect_ptx(
                        "cvt." + mode + ".ftz" + types, [&](Bits x) { return to_integer<D>(f32, f32.flush(x), mode); },
                        table);
                }
            });
        });
    }
}

// ---- From integers ----

TEST(ConvertFromInteger, RoundsOnceInEveryMode) {
    for (const Float& target : {f16_type, bf16_type, f32_type, f64_type}) {
        with_bits(target.format, [&]<class Bits>() {
            for_integers([&]<class S>() {
                if (target.name == "bf16" && sizeof(S) == 1) return;
                std::vector<std::tuple<S>> table = combinations(edge_values<S>());
                for (int bit = 0; bit < static_cast<int>(8 * sizeof(S)); ++bit) {  // a one, and far below it another
                    const uint64_t top = uint64_t{1} << bit;
                    for (uint64_t x :
                         {top, top | 1, top | top >> 8, top | top >> 11, top | top >> 11 | 1, top | top >> 24,
                          top | top >> 24 | 1, top | 3 * (top >> 24), top | top >> 53, top | top >> 53 | 1, top - 1})
                        table.emplace_back(static_cast<S>(x));
                }
                for (Mode mode : plain_modes) {
                    const std::string head = "cvt." + name_of(mode),
                                      types = "." + target.name + "." + integer_name<S>() + " %0, %1;";
                    const auto reference = [&](S x) {
                        return static_cast<Bits>(round_value(target.format, static_cast<Exact>(x), mode));
                    };
                    expect_ptx(head + types, reference, table);
                    if (target.name != "bf16") {
                        expect_ptx(
                            head + ".sat" + types,
                            [&](S x) { return static_cast<Bits>(target.format.saturate(reference(x))); }, table);
                    }
                }
            });
        });
    }
}

// ---- Between floating-point formats ----

// x of one format in another; a NaN becomes the canonical one.
uint64_t convert(BinaryFormat to, BinaryFormat from, uint64_t x, Mode mode) {
    const uint64_t sign = from.is_negative(x) ? to.sign() : 0;
    if (from.is_nan(x)) return to.nan();
    if (from.is_infinite(x)) return sign | to.infinity();
    return magnitude_of(from, x) == 0 ? sign : round_value(to, value_of(from, x), mode);
}

// Every number of `to`, the midpoint above it, and their neighbours, as numbers of `from`.
std::vector<uint64_t> around_every_number(BinaryFormat to, BinaryFormat from, uint64_t step) {
    std::vector<uint64_t> v = numbers(from);
    for (uint64_t x = 0; x <= to.infinity(); x += step) {
        const Exact number = magnitude_of(to, x), midpoint = (number + magnitude_of(to, x + 1)) / 2;
        for (Exact value : {number, midpoint}) {
            const uint64_t bits = round_value(from, value, Mode::rn);
            for (uint64_t y : {bits, bits + 1, bits - (bits != 0)}) v.push_back((x & 1) != 0 ? y | from.sign() : y);
        }
    }
    return v;
}

struct Narrowing {
    Float to, from;
    std::vector<std::string> modifiers;  // beside none
    uint64_t step;
};

TEST(ConvertFloating, NarrowsWithOneRounding) {
    const Narrowing all[] = {
        {f16_type, f32_type, {".sat", ".relu", ".satfinite", ".relu.satfinite"}, 17},
        {bf16_type, f32_type, {".relu", ".satfinite", ".relu.satfinite"}, 17},
        {f16_type, f64_type, {".sat"}, 61},
        {bf16_type, f64_type, {}, 61},
        {f32_type, f64_type, {".sat", ".ftz", ".ftz.sat"}, 0xFFFF1},
        {bf16_type, f16_type, {}, 17},
        {f16_type, bf16_type, {}, 17},
    };
    for (const Narrowing& n : all) {
        with_bits(n.from.format, [&]<class S>() {
            with_bits(n.to.format, [&]<class D>() {
                std::vector<std::tuple<S>> table;
                for (uint64_t x : around_every_number(n.to.format, n.from.format, n.step))
                    table.emplace_back(static_cast<S>(x));
                // f64 keeps a NaN's payload: any NaN will do
                const auto accept = [&](const std::tuple<D>& expected, const std::tuple<D>& actual, S) {
                    if (n.from.name == "f64" && n.to.format.is_nan(std::get<0>(expected)))
                        return n.to.format.is_nan(std::get<0>(actual));
                    return expected == actual;
                };
                std::vector<std::string> modifiers = n.modifiers;
                modifiers.push_back("");
                for (const std::string& modifier : modifiers) {
                    const auto has = [&](const char* word) { return modifier.find(word) != std::string::npos; };
                    for (Mode mode : plain_modes) {
                        if ((has("relu") || has("finite")) && (mode == Mode::rm || mode == Mode::rp)) continue;
                        expect_ptx(
                            "cvt." + name_of(mode) + modifier + "." + n.to.name + "." + n.from.name + " %0, %1;",
                            [&](S x) {
                                const BinaryFormat f = n.to.format;
                                uint64_t y = convert(f, n.from.format, x, mode);
                                if (has("finite") && f.is_infinite(y)) y -= 1;
                                if (has("ftz")) y = f.flush(y);
                                if (has("relu") && f.is_negative(y) && !f.is_nan(y)) y = 0;
                                return static_cast<D>(has(".sat.") || modifier.ends_with(".sat") ? f.saturate(y) : y);
                            },
                            table, accept);
                    }
                }
            });
        });
    }
}

TEST(ConvertFloating, WidensExactly) {
    for (const auto& [to, from] : {std::pair{f32_type, f16_type},
                                   {f64_type, f16_type},
                                   {f32_type, bf16_type},
                                   {f64_type, bf16_type},
                                   {f64_type, f32_type}}) {
        with_bits(from.format, [&]<class S>() {
            with_bits(to.format, [&]<class D>() {
                std::vector<std::tuple<S>> table;
                if (sizeof(S) == 2)
                    for (uint32_t x = 0; x < 0x10000; x += 5) table.emplace_back(static_cast<S>(x));
                else
                    table = table_of<S>(from.format);
                const BinaryFormat target = to.format, source = from.format;
                const auto any_nan = [=](const std::tuple<D>& expected, const std::tuple<D>& actual, S) {
                    return target.is_nan(std::get<0>(expected)) ? target.is_nan(std::get<0>(actual))
                                                                : expected == actual;
                };
                const std::string types = "." + to.name + "." + from.name + " %0, %1;";
                expect_ptx(
                    "cvt" + types, [=](S x) { return static_cast<D>(convert(target, source, x, Mode::rn)); }, table,
                    any_nan);
                if (from.name != "bf16") {
                    expect_ptx(
                        "cvt.sat" + types,
                        [=](S x) { return static_cast<D>(target.saturate(convert(target, source, x, Mode::rn))); },
                        table);
                }
                if (from.name == "f32") {
                    expect_ptx(
                        "cvt.ftz" + types,
                        [=](S x) { return static_cast<D>(convert(target, source, source.flush(x), Mode::rn)); }, table,
                        any_nan);
                }
            });
        });
    }
}

TEST(ConvertFloating, WithinOneFormatMovesOrRoundsToAnInteger) {
    for (const Float& type : {f16_type, bf16_type, f32_type, f64_type}) {
        with_bits(type.format, [&]<class Bits>() {
            const BinaryFormat f = type.format;
            const auto table = table_of<Bits>(f);
            const auto any_nan = [=](const std::tuple<Bits>& expected, const std::tuple<Bits>& actual, Bits) {
                return f.is_nan(std::get<0>(expected)) ? f.is_nan(std::get<0>(actual)) : expected == actual;
            };
            const std::string types = "." + type.name + "." + type.name + " %0, %1;";
            expect_ptx(
                "cvt" + types, [](Bits x) { return x; }, table, any_nan);
            for (const std::string mode : {"rni", "rzi", "rmi", "rpi"}) {
                const auto reference = [&](Bits x) {
                    if (f.is_nan(x) || f.is_infinite(x)) return x;
                    const Exact whole = integral(value_of(f, x), mode);  // -0.3 becomes -0
                    return static_cast<Bits>((x & f.sign()) | (round_value(f, whole, Mode::rn) & ~f.sign()));
                };
                expect_ptx("cvt." + mode + types, reference, table, any_nan);
                if (type.name == "bf16") continue;
                expect_ptx(
                    "cvt." + mode + ".sat" + types, [&](Bits x) { return static_cast<Bits>(f.saturate(reference(x))); },
                    table);
                if (type.name != "f32") continue;
                expect_ptx(
                    "cvt." + mode + ".ftz" + types, [&](Bits x) { return reference(static_cast<Bits>(f.flush(x))); },
                    table, any_nan);
            }
        });
    }
}

// ---- Packed results ----

// To a format of 8, 16 or 19 bits, with .satfinite and .relu. e4m3 has numbers where other formats have infinity, up to
// 448 = 0x7E; 0x7F is NaN.
uint64_t to_small(BinaryFormat to, BinaryFormat from, uint64_t x, Mode mode, bool finite, bool relu) {
    if (from.is_nan(x)) return to.nan();
    if (relu && from.is_negative(x)) return 0;
    const uint64_t sign = from.is_negative(x) ? to.sign() : 0;
    if (to.exponent_bits == e4m3.exponent_bits && to.mantissa_bits == e4m3.mantissa_bits) {
        if (from.is_infinite(x) || magnitude_of(from, x) >= 448) return sign | 0x7E;
        const BinaryFormat wider{5, 3};  // the same mantissa, more exponents: same rounding from 2^-6 up
        if (magnitude_of(from, x) >= power_of_two(-6)) {
            const uint64_t rounded = round_value(wider, value_of(from, x), mode) & (wider.sign() - 1);
            return sign | std::min<uint64_t>(rounded - (8 << 3), 0x7E);  // biases 15 and 7
        }
        return sign | (round_value(to, value_of(from, x), mode) & (to.sign() - 1));
    }
    uint64_t y = from.is_infinite(x)          ? sign | to.infinity()
                 : magnitude_of(from, x) == 0 ? sign
                                              : round_value(to, value_of(from, x), mode);
    if (finite && to.is_infinite(y)) y -= 1;
    return y;
}

TEST(ConvertPacked, TwoF32ToHalves) {
    for (const Float& type : {f16_type, bf16_type}) {
        std::vector<std::tuple<uint32_t, uint32_t>> table;
        const auto v = around_every_number(type.format, f32, 37);
        for (size_t i = 0; i < v.size(); ++i)
            table.emplace_back(static_cast<uint32_t>(v[i]), static_cast<uint32_t>(v[(i * 31 + 5) % v.size()]));
        for (Mode mode : {Mode::rn, Mode::rz}) {
            for (const std::string modifier : {"", ".relu", ".satfinite", ".relu.satfinite"}) {
                const bool finite = modifier.find("finite") != std::string::npos,
                           relu = modifier.find("relu") != std::string::npos;
                expect_ptx(
                    "cvt." + name_of(mode) + modifier + "." + type.name + "x2.f32 %0, %1, %2;",
                    [=, f = type.format](uint32_t a, uint32_t b) {
                        return static_cast<uint32_t>(to_small(f, f32, a, mode, finite, relu) << 16 |
                                                     to_small(f, f32, b, mode, finite, relu));
                    },
                    table);
            }
        }
    }
}

TEST(ConvertPacked, EightBitFormats) {
    for (const Float& type : {Float{"e4m3", e4m3}, Float{"e5m2", e5m2}}) {
        const BinaryFormat f = type.format;
        std::vector<std::tuple<uint32_t, uint32_t>> floats;
        const auto v = around_every_number(f, f32, 1);
        for (size_t i = 0; i < v.size(); ++i)
            floats.emplace_back(static_cast<uint32_t>(v[i]), static_cast<uint32_t>(v[(i * 31 + 5) % v.size()]));
        std::vector<std::tuple<uint32_t>> halves;  // every f16, in either half
        for (uint32_t x = 0; x < 0x10000; ++x) halves.emplace_back(x << 16 | ((x * 5 + 3) & 0xFFFF));
        std::vector<std::tuple<uint16_t>> bytes;  // every byte, in either half
        for (uint32_t x = 0; x < 0x100; ++x) bytes.emplace_back(static_cast<uint16_t>(x << 8 | ((x * 5 + 3) & 0xFF)));
        for (const bool relu : {false, true}) {
            const std::string modifier = relu ? ".relu" : "";
            expect_ptx(
                "cvt.rn.satfinite" + modifier + "." + type.name + "x2.f32 %0, %1, %2;",
                [=](uint32_t a, uint32_t b) {
                    return static_cast<uint16_t>(to_small(f, f32, a, Mode::rn, true, relu) << 8 |
                                                 to_small(f, f32, b, Mode::rn, true, relu));
                },
                floats);
            expect_ptx(
                "cvt.rn.satfinite" + modifier + "." + type.name + "x2.f16x2 %0, %1;",
                [=](uint32_t a) {
                    return static_cast<uint16_t>(to_small(f, f16, a >> 16, Mode::rn, true, relu) << 8 |
                                                 to_small(f, f16, a & 0xFFFF, Mode::rn, true, relu));
                },
                halves);
            expect_ptx(
                "cvt.rn" + modifier + ".f16x2." + type.name + "x2 %0, %1;",
                [=](uint16_t a) {
                    const auto one = [&](uint32_t x) -> uint32_t {
                        const bool is_e4m3 = type.name == "e4m3";
                        const bool is_nan = is_e4m3 ? (x & 0x7F) == 0x7F : f.is_nan(x);
                        if (is_nan) return 0x7FFF;
                        if (relu && f.is_negative(x)) return 0;
                        if (!is_e4m3 && f.is_infinite(x)) return f.is_negative(x) ? 0xFC00 : 0x7C00;
                        const uint32_t sign = f.is_negative(x) ? 0x8000 : 0;
                        return sign | static_cast<uint32_t>(round_value(f16, magnitude_of(f, x), Mode::rn));
                    };
                    return one(a >> 8) << 16 | one(a & 0xFF);
                },
                bytes);
        }
    }
}

TEST(ConvertPacked, Tf32KeepsTenMantissaBits) {
    std::vector<std::tuple<uint32_t>> table;
    for (uint64_t x : around_every_number(tf32, f32, 61)) table.emplace_back(static_cast<uint32_t>(x));
    const auto expect_tf32 = [&](const std::string& words, Mode mode, bool finite, bool relu) {
        expect_ptx(
            "cvt" + words + ".tf32.f32 %0, %1;",
            [=](uint32_t x) { return static_cast<uint32_t>(to_small(tf32, f32, x, mode, finite, relu) << 13); }, table);
    };
    expect_tf32(".rna", Mode::rna, false, false);
    expect_tf32(".rna.satfinite", Mode::rna, true, false);
    expect_tf32(".rn", Mode::rn, false, false);
    expect_tf32(".rz.relu", Mode::rz, false, true);
    expect_tf32(".rn.satfinite", Mode::rn, true, false);
}

TEST(ConvertRefused, FormsThatPtxDoesNotHave) {
    expect_refused<uint32_t(uint64_t)>("cvt.f32.f64 %0, %1;", "cvt");  // narrowing without a rounding mode
    expect_refused<uint32_t(uint32_t)>("cvt.s32.f32 %0, %1;", "cvt");
    expect_refused<uint32_t(uint32_t)>("cvt.rn.s32.f32 %0, %1;", "cvt");  // .rni, not .rn
    expect_refused<uint32_t(uint32_t)>("cvt.f32.s32 %0, %1;", "cvt");
    expect_refused<uint32_t(uint32_t)>("cvt.rni.f32.s32 %0, %1;", "cvt");
    expect_refused<uint16_t(uint8_t)>("cvt.rn.bf16.u8 %0, %1;", "cvt");
    expect_refused<uint16_t(uint32_t)>("cvt.rn.sat.bf16.f32 %0, %1;", "cvt");
    expect_refused<uint16_t(uint64_t)>("cvt.rn.ftz.f16.f64 %0, %1;", "cvt");
    expect_refused<uint16_t(uint32_t, uint32_t)>("cvt.rn.e4m3x2.f32 %0, %1, %2;", "cvt");  // .satfinite is required
    expect_refused<uint32_t(uint32_t)>("cvt.rn.f16x2.f32 %0, %1;", "cvt");
    expect_refused<uint32_t(uint32_t)>("cvt.ftz.u32.s32 %0, %1;", "cvt");
    expect_refused<uint32_t(uint32_t)>("cvt.rp.tf32.f32 %0, %1;", "cvt");
}

}  // namespace
}  // namespace lanescope::machine::test
