/// \file
/// The parts of cvt, each in a file of its own. nullptr: not one of its operations.
#pragma once

#include <cmath>

#include "machine/lanes.h"
#include "machine/operations/float_format.h"

namespace lanescope::machine {

Handler select_integer_conversion(const program::Operation&);   ///< integer to integer, cvt.pack     convert_integer.cpp
Handler select_mixed_conversion(const program::Operation&);     ///< integer to float and back        convert_mixed.cpp
Handler select_floating_conversion(const program::Operation&);  ///< float to float                   convert_floating.cpp
Handler select_packed_conversion(const program::Operation&);    ///< f16x2, bf16x2, 8-bit pairs, tf32 convert_packed.cpp

/// `f.operator()<T>()` for the C++ type of an integer type; nullptr for others.
template <class F>
Handler for_integer(program::Type type, F f) {
    using program::Type;
    switch (type) {
        case Type::u8:
            return f.template operator()<uint8_t>();
        case Type::s8:
            return f.template operator()<int8_t>();
        case Type::u16:
            return f.template operator()<uint16_t>();
        case Type::s16:
            return f.template operator()<int16_t>();
        case Type::u32:
            return f.template operator()<uint32_t>();
        case Type::s32:
            return f.template operator()<int32_t>();
        case Type::u64:
            return f.template operator()<uint64_t>();
        case Type::s64:
            return f.template operator()<int64_t>();
        default:
            return nullptr;
    }
}

/// `f.operator()<T>()` for the lane type of a scalar floating-point type; nullptr for others.
template <class F>
Handler for_floating(program::Type type, F f) {
    using program::Type;
    switch (type) {
        case Type::f16:
            return f.template operator()<F16>();
        case Type::bf16:
            return f.template operator()<BF16>();
        case Type::f32:
            return f.template operator()<float>();
        case Type::f64:
            return f.template operator()<double>();
        default:
            return nullptr;
    }
}

/// `f.operator()<mode>()` for .rni .rzi .rmi .rpi; nullptr for other roundings.
template <class F>
Handler for_integral_rounding(program::Rounding mode, F f) {
    using program::Rounding;
    switch (mode) {
        case Rounding::rni:
            return f.template operator()<Rounding::rni>();
        case Rounding::rzi:
            return f.template operator()<Rounding::rzi>();
        case Rounding::rmi:
            return f.template operator()<Rounding::rmi>();
        case Rounding::rpi:
            return f.template operator()<Rounding::rpi>();
        default:
            return nullptr;
    }
}

/// The neighbouring integer, as a floating-point number.
template <program::Rounding mode, class T>
T round_to_integral(T x) {
    using program::Rounding;
    if constexpr (mode == Rounding::rni)
        return std::nearbyint(x);  // the host rounds to nearest even
    else if constexpr (mode == Rounding::rzi)
        return std::trunc(x);
    else if constexpr (mode == Rounding::rmi)
        return std::floor(x);
    else
        return std::ceil(x);
}

constexpr bool is_plain_rounding(program::Rounding mode) {
    using enum program::Rounding;
    return mode == rn || mode == rz || mode == rm || mode == rp;
}

}  // namespace lanescope::machine
