/// \file
/// The 16-bit floating-point formats as bit patterns, converted to and from float.
///
///     float x = from_f16(0x3C00);          // 1.0f
///     uint16_t h = to_f16_rn(65520.0f);    // 0x7C00: rounds to infinity
///
/// f16 is IEEE binary16: 1 sign, 5 exponent and 10 mantissa bits. bf16 is the upper half of a float.
/// Widening is exact (subnormals too, payloads of NaNs are kept). Narrowing rounds to nearest even and turns
/// every NaN into 0x7FFF, as NVIDIA GPUs do. All of it is integer arithmetic, so the host's rounding mode does not
/// matter.
#pragma once

#include <bit>
#include <cstdint>

namespace lanescope::machine {

inline constexpr uint16_t nan_16 = 0x7FFF;  ///< the NaN that f16 and bf16 operations return

inline float from_bf16(uint16_t b) { return std::bit_cast<float>(static_cast<uint32_t>(b) << 16); }

inline float from_f16(uint16_t h) {
    constexpr uint32_t infinity_f32 = 0x7F800000;
    const uint32_t magnitude = static_cast<uint32_t>(h & 0x7FFF) << 13;
    // Read as a float, the shifted bits are 2^112 too small (the biases are 15 and 127); the product is exact.
    uint32_t bits = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
    bits |= magnitude >= (0x7C00u << 13) ? infinity_f32 : 0;  // infinity or NaN
    return std::bit_cast<float>(bits | static_cast<uint32_t>(h & 0x8000) << 16);
}

inline uint16_t to_bf16_rn(float x) {
    const uint32_t bits = std::bit_cast<uint32_t>(x);
    const uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;  // a tie goes to the even neighbour
    return static_cast<uint16_t>(x != x ? nan_16 : rounded);
}

inline uint16_t to_f16_rn(float x) {
    const uint32_t bits = std::bit_cast<uint32_t>(x);
    const uint32_t sign = (bits >> 16) & 0x8000;
    const uint32_t magnitude = bits & 0x7FFFFFFF;
    // Normal results: re-bias the exponent, then drop 13 mantissa bits; a carry moves to the next exponent.
    const uint32_t normal = (magnitude - (112u << 23) + 0xFFF + ((magnitude >> 13) & 1)) >> 13;
    // Subnormal results are multiples of 2^-24: shift the significand until its unit is that.
    const uint32_t exponent = magnitude >> 23;
    const uint32_t shift = exponent < 102 ? 25 : 126 - exponent;  // below 2^-25 everything rounds to 0
    const uint32_t significand = exponent < 102 ? 0 : (magnitude & 0x7FFFFF) | 0x800000;
    const uint32_t subnormal =
        (significand + (1u << ((shift - 1) & 31)) - 1 + ((significand >> (shift & 31)) & 1)) >> (shift & 31);
    uint32_t result = exponent < 113 ? subnormal : normal;
    result = magnitude >= 0x477FF000 ? 0x7C00 : result;  // 65520 and above
    result = magnitude > 0x7F800000 ? nan_16 : result | sign;
    return static_cast<uint16_t>(result);
}

}  // namespace lanescope::machine
