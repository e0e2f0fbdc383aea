/// \file
/// The parts of the floating-point family (f32, f64, f32x2), each in a file of its own. nullptr: not one of its
/// operations.
#pragma once

#include "machine/lanes.h"
#include "machine/operations/float_format.h"

namespace lanescope::machine {

Handler select_rounded(const program::Operation&);  ///< add, sub, mul, fma, mad; div, rcp, sqrt    floating_rounded.cpp
Handler select_approximate(const program::Operation&);  ///< .approx and .full floating_approximate.cpp
Handler select_bitwise(const program::Operation&);  ///< abs, neg, min, max, copysign, testp        floating_bitwise.cpp

/// Known deviation: .ftz looks at the rounded result. A GPU also flushes a result that reaches the smallest normal
/// number only because subnormals are spaced more widely than it rounds (within half a unit of 2^-149 below 2^-126).
///
/// What .ftz, .sat and NVIDIA's NaN do to the operands and the result of an operation on T.
struct FloatModifiers {
    bool ftz = false, sat = false;
};

template <FloatModifiers modifiers, class T>
T prepare(T operand) {
    if constexpr (modifiers.ftz) return from_bits<T>(FloatFormat<T>::flush(to_bits(operand)));
    return operand;
}

/// f64 needs no canonical NaN: the host keeps payloads as the GPU does.
template <FloatModifiers modifiers, class T>
T finish(T x) {
    x = prepare<modifiers>(x);
    if constexpr (modifiers.sat) return x > 0 ? (x < 1 ? x : T{1}) : T{0};  // false for NaN
    if constexpr (sizeof(T) < 8) return x != x ? from_bits<T>(FloatFormat<T>::canonical_nan) : x;
    return x;
}

}  // namespace lanescope::machine
