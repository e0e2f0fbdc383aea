/// \file
/// Rounding of exact values to a floating-point format in any of PTX's rounding modes.
///
///     narrow<FloatFormat<F16>>(1.0 + 0x1p-11, Rounding::rp);        // 0x3C01
///     round_integer<FloatFormat<float>>(false, 16777217, Rounding::rz);   // 2^24
///
/// The value is given exactly, as significand * 2^exponent, and is rounded once, with integers only: the host's
/// rounding mode does not matter. Results are bit patterns.
#pragma once

#include <bit>
#include <cstdint>

#include "machine/operations/float_format.h"
#include "program/operation.h"

namespace lanescope::machine {

/// Formats that exist only as results of cvt, with the layout rules of float_format.h.
using Tf32 = Layout<uint32_t, 8, 10>;  ///< stored in the upper 19 bits of 32
using E5m2 = Layout<uint8_t, 5, 2>;
/// e4m3 has no infinity: the exponent reserved elsewhere holds numbers up to 0x7E, 448, and 0x7F is NaN. Here 0x7F
/// also stands for overflow, which only narrow_finite() may see.
struct E4m3 : Layout<uint8_t, 4, 3> {
    static constexpr uint8_t infinity = 0x7F;
};

/// True if the magnitude grows: `odd` is the kept lowest bit, `half` the first dropped bit, `rest` whether any later one
/// is set.
constexpr bool rounds_away(program::Rounding mode, bool negative, bool odd, bool half, bool rest) {
    using enum program::Rounding;
    switch (mode) {
        case rz:
            return false;
        case rm:
            return negative && (half || rest);
        case rp:
            return !negative && (half || rest);
        case rna:
            return half;
        default:
            return half && (rest || odd);  // rn
    }
}

/// The format's number for (-1)^negative * significand * 2^exponent. Overflow gives infinity or, where the mode
/// rounds towards zero, the largest number.
template <class Format>
constexpr typename Format::Bits round_exact(bool negative, uint64_t significand, int exponent, program::Rounding mode) {
    constexpr int lowest = 1 - Format::bias;  // exponent of the smallest normal number
    constexpr uint64_t infinity = Format::infinity;
    const uint64_t sign = negative ? uint64_t{Format::sign} : 0;
    if (significand == 0) return static_cast<typename Format::Bits>(sign);
    const int leading = exponent + static_cast<int>(std::bit_width(significand)) - 1;
    const int scale = leading > lowest ? leading : lowest;
    const int dropped = scale - Format::mantissa_bits - exponent;  // how many low bits do not fit
    uint64_t kept;
    if (dropped <= 0) {
        kept = significand << -dropped;
    } else {
        kept = dropped < 64 ? significand >> dropped : 0;
        const bool half = dropped <= 64 && ((significand >> (dropped - 1)) & 1) != 0;
        const bool rest = dropped > 64 || (significand & ((uint64_t{1} << (dropped - 1)) - 1)) != 0;
        kept += rounds_away(mode, negative, (kept & 1) != 0, half, rest);
    }
    // A normal number's hidden bit adds 1 to the exponent field, and so does a carry out of the mantissa.
    const bool too_large = leading > Format::bias + 1;
    const uint64_t bits =
        too_large ? infinity : (static_cast<uint64_t>(scale - lowest) << Format::mantissa_bits) + kept;
    if (bits < infinity) return static_cast<typename Format::Bits>(sign | bits);
    const bool to_infinity = rounds_away(mode, negative, true, true, true);
    return static_cast<typename Format::Bits>(sign | (to_infinity ? infinity : infinity - 1));
}

/// The format's number for a double (or float). NaN gives the canonical NaN.
template <class Format>
constexpr typename Format::Bits narrow(double x, program::Rounding mode) {
    using D = FloatFormat<double>;
    const uint64_t bits = to_bits(x);
    const bool negative = (bits & D::sign) != 0;
    if (D::is_nan(bits)) return Format::canonical_nan;
    if (D::magnitude(bits) == D::infinity)
        return static_cast<typename Format::Bits>(Format::infinity | (negative ? Format::sign : 0));
    const uint64_t mantissa = bits & (D::smallest_normal - 1);
    const int field = static_cast<int>(D::magnitude(bits) >> D::mantissa_bits);
    const uint64_t significand = field == 0 ? mantissa : mantissa | D::smallest_normal;
    return round_exact<Format>(negative, significand, (field == 0 ? 1 : field) - D::bias - D::mantissa_bits, mode);
}

/// The format's number for an integer given by sign and magnitude.
template <class Format>
constexpr typename Format::Bits round_integer(bool negative, uint64_t magnitude, program::Rounding mode) {
    return round_exact<Format>(negative, magnitude, 0, mode);
}

/// The same with .satfinite: instead of infinity the largest number of that sign. NaN stays NaN.
template <class Format>
constexpr typename Format::Bits narrow_finite(double x, program::Rounding mode) {
    const auto bits = narrow<Format>(x, mode);
    if (x != x || Format::magnitude(bits) != Format::infinity) return bits;
    return static_cast<typename Format::Bits>(bits - 1);
}

}  // namespace lanescope::machine
