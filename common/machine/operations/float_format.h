/// \file
/// Floating-point formats as bit patterns: what the operations on f16, bf16, f32 and f64 have in common.
///
///     using F = FloatFormat<F16>;
///     F::is_nan(0x7E00);            // true
///     F::minimum(0x8000, 0x0000);   // 0x8000: -0 is less than +0
///
/// A format has 1 sign bit, `exponent_bits` and `mantissa_bits`. GPUs return one canonical NaN, all ones but the
/// sign, from arithmetic on f16, bf16 and f32; f64 keeps the payload of a NaN operand and makes it quiet.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "machine/operations/half_float.h"

namespace lanescope::machine {

/// Lane types of the 16-bit formats, so that templates can tell them from integers.
struct F16 {
    uint16_t bits;
};
struct BF16 {
    uint16_t bits;
};

template <class BitsType, int exponent_width, int mantissa_width>
struct Layout {
    using Bits = BitsType;
    using SignedBits = std::make_signed_t<Bits>;
    static constexpr int exponent_bits = exponent_width;
    static constexpr int mantissa_bits = mantissa_width;
    static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    static constexpr Bits sign = Bits{1} << (exponent_bits + mantissa_bits);
    static constexpr Bits infinity = ((Bits{1} << exponent_bits) - 1) << mantissa_bits;
    static constexpr Bits canonical_nan = sign - 1;
    static constexpr Bits quiet_bit = Bits{1} << (mantissa_bits - 1);
    static constexpr Bits one = Bits(bias) << mantissa_bits;
    static constexpr Bits smallest_normal = Bits{1} << mantissa_bits;

    static constexpr Bits magnitude(Bits x) { return x & Bits(sign - 1); }
    static constexpr bool is_nan(Bits x) { return magnitude(x) > infinity; }
    /// .ftz: a subnormal becomes the zero of its sign.
    static constexpr Bits flush(Bits x) { return magnitude(x) < smallest_normal ? Bits(x & sign) : x; }
    /// .sat: to [0, 1]; NaN and -0 become +0.
    static constexpr Bits saturate(Bits x) {
        const Bits clamped = magnitude(x) > one ? one : x;
        return (x & sign) != 0 || is_nan(x) ? Bits{0} : clamped;
    }
    /// .relu: negative values become +0; NaN stays.
    static constexpr Bits relu(Bits x) { return (x & sign) != 0 && !is_nan(x) ? Bits{0} : x; }

    /// Of two numbers the smaller or larger, with -0 < +0; of a number and a NaN the number.
    static constexpr Bits minimum(Bits a, Bits b) {
        const Bits number = order(a) < order(b) ? a : b;
        return is_nan(a) ? b : is_nan(b) ? a : number;
    }
    static constexpr Bits maximum(Bits a, Bits b) {
        const Bits number = order(a) < order(b) ? b : a;
        return is_nan(a) ? b : is_nan(b) ? a : number;
    }

private:
    /// An integer that compares as the number does.
    static constexpr SignedBits order(Bits x) { return static_cast<SignedBits>((x & sign) != 0 ? x ^ (sign - 1) : x); }
};

template <class T>
struct FloatFormat;
template <>
struct FloatFormat<F16> : Layout<uint16_t, 5, 10> {};
template <>
struct FloatFormat<BF16> : Layout<uint16_t, 8, 7> {};
template <>
struct FloatFormat<float> : Layout<uint32_t, 8, 23> {};
template <>
struct FloatFormat<double> : Layout<uint64_t, 11, 52> {};

template <class T>
using BitsOf = typename FloatFormat<T>::Bits;
template <class T>
constexpr BitsOf<T> to_bits(T x) {
    return std::bit_cast<BitsOf<T>>(x);
}
template <class T>
constexpr T from_bits(BitsOf<T> bits) {
    return std::bit_cast<T>(bits);
}

/// Exact conversion to a wider host type.
inline float widen(F16 x) { return from_f16(x.bits); }
inline float widen(BF16 x) { return from_bf16(x.bits); }
inline float widen(float x) { return x; }
inline double widen(double x) { return x; }

}  // namespace lanescope::machine
