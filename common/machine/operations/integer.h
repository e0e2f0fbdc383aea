/// \file
/// The parts of the integer family, each in a file of its own. nullptr: not one of its operations.
#pragma once

#include "machine/lanes.h"
#include "machine/operations/select.h"

namespace lanescope::machine {

Handler select_multiply(const program::Operation&);            ///< mul, mad, mul24, mad24        integer_multiply.cpp
Handler select_divide(const program::Operation&);              ///< div, rem                      integer_divide.cpp
Handler select_extended_precision(const program::Operation&);  ///< *.cc, addc, subc, madc        integer_carry.cpp
Handler select_bit_field(const program::Operation&);           ///< popc ... szext                integer_bits.cpp
Handler select_dot_product(const program::Operation&);         ///< dp4a, dp2a                    integer_dot.cpp
Handler select_integer_pairs(const program::Operation&);       ///< .u16x2, .s16x2                integer_pairs.cpp

/// Where integers of type T are computed so that nothing overflows in the sense of C++: at least 32 bits, unsigned.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

/// Twice as wide as T, with T's sign.
template <class T>
struct Twice;
template <>
struct Twice<uint16_t> {
    using type = uint32_t;
};
template <>
struct Twice<int16_t> {
    using type = int32_t;
};
template <>
struct Twice<uint32_t> {
    using type = uint64_t;
};
template <>
struct Twice<int32_t> {
    using type = int64_t;
};
template <>
struct Twice<uint64_t> {
    using type = unsigned __int128;
};
template <>
struct Twice<int64_t> {
    using type = __int128;
};

/// The full product of two T.
template <class T>
typename Twice<T>::type full_product(T a, T b) {
    using W = typename Twice<T>::type;
    return static_cast<W>(static_cast<W>(a) * static_cast<W>(b));
}
template <class T>
T low_product(T a, T b) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
}
template <class T>
T high_product(T a, T b) {
    return static_cast<T>(full_product(a, b) >> (8 * sizeof(T)));
}

template <class T>
T wrapping_add(T a, T b) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
}
template <class T>
T wrapping_subtract(T a, T b) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
}

/// The sum or difference of two s32, as the nearest s32.
inline int32_t saturate_s32(int64_t value) {
    return static_cast<int32_t>(value < INT32_MIN ? INT32_MIN : value > INT32_MAX ? INT32_MAX : value);
}

}  // namespace lanescope::machine
