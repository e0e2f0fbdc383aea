/// \file
/// How a family picks a handler: from PTX types to C++ types, and from a function of one lane to a Handler.
///
///     Handler select_add(const Operation& op) {
///         return for_type<Type::u32, Type::s32>(op.type, []<class T>() {
///             return handler<T, T, T>([](T a, T b) { return a + b; });
///         });
///     }
#pragma once

#include "machine/lanes.h"

namespace lanescope::machine {

namespace detail {
using program::Type;
template <Type>
struct Native {};
template <>
struct Native<Type::b16> {
    using type = uint16_t;
};
template <>
struct Native<Type::u16> {
    using type = uint16_t;
};
template <>
struct Native<Type::s16> {
    using type = int16_t;
};
template <>
struct Native<Type::b32> {
    using type = uint32_t;
};
template <>
struct Native<Type::u32> {
    using type = uint32_t;
};
template <>
struct Native<Type::s32> {
    using type = int32_t;
};
template <>
struct Native<Type::b64> {
    using type = uint64_t;
};
template <>
struct Native<Type::u64> {
    using type = uint64_t;
};
template <>
struct Native<Type::s64> {
    using type = int64_t;
};
template <>
struct Native<Type::f32> {
    using type = float;
};
template <>
struct Native<Type::f64> {
    using type = double;
};
}  // namespace detail

/// The C++ type that computes a PTX type.
template <program::Type type>
using Native = typename detail::Native<type>::type;

/// `f.operator()<T>()` for the C++ type T of `type` if that is one of `allowed`; nullptr for all other types.
template <program::Type... allowed, class F>
Handler for_type(program::Type type, F f) {
    Handler handler = nullptr;
    ((type == allowed && (handler = f.template operator()<Native<allowed>>(), true)) || ...);
    return handler;
}

/// The handler that computes d = F(s0, ...) in every lane. F captures nothing.
template <class D, class... S, class F>
Handler handler(F) {
    return [](LaneState& lanes, const program::Operation& op) { map<D, S...>(lanes, op, F{}); };
}

}  // namespace lanescope::machine
