// mul, mad, mul24 and mad24 on integers.
#include "machine/operations/integer.h"

namespace lanescope::machine {
namespace {

using program::Opcode;
using program::Operation;
using program::Type;
namespace flag = program::flag;

template <class F>
Handler for_integers(Type type, F f) {
    return for_type<Type::u16, Type::s16, Type::u32, Type::s32, Type::u64, Type::s64>(type, f);
}
template <class F>
Handler for_narrow_integers(Type type, F f) {  // those whose product has a type
    return for_type<Type::u16, Type::s16, Type::u32, Type::s32>(type, f);
}

Handler select_mul(const Operation& op) {
    switch (op.flags) {
        case flag::lo:
            return for_integers(op.type,
                                []<class T>() { return handler<T, T, T>([](T a, T b) { return low_product(a, b); }); });
        case flag::hi:
            return for_integers(
                op.type, []<class T>() { return handler<T, T, T>([](T a, T b) { return high_product(a, b); }); });
        case flag::wide:
            return for_narrow_integers(op.type, []<class T>() {
                return handler<typename Twice<T>::type, T, T>([](T a, T b) { return full_product(a, b); });
            });
        default:
            return nullptr;
    }
}

Handler select_mad(const Operation& op) {
    switch (op.flags) {
        case flag::lo:
            return for_integers(op.type, []<class T>() {
                return handler<T, T, T, T>([](T a, T b, T c) { return wrapping_add(low_product(a, b), c); });
            });
        case flag::hi:
            return for_integers(op.type, []<class T>() {
                return handler<T, T, T, T>([](T a, T b, T c) { return wrapping_add(high_product(a, b), c); });
            });
        case flag::wide:
            return for_narrow_integers(op.type, []<class T>() {
                using W = typename Twice<T>::type;
                return handler<W, T, T, W>([](T a, T b, W c) { return wrapping_add(full_product(a, b), c); });
            });
        case flag::hi | flag::sat:
            if (op.type != Type::s32) return nullptr;
            return handler<int32_t, int32_t, int32_t, int32_t>(
                [](int32_t a, int32_t b, int32_t c) { return saturate_s32(int64_t{high_product(a, b)} + c); });
        default:
            return nullptr;
    }
}

// The 48-bit product of the low 24 bits of a and b.
template <class T>
typename Twice<T>::type product_24(T a, T b) {
    constexpr int unused_bits = 8;
    const auto low_24 = [](T x) {
        return static_cast<T>(static_cast<T>(static_cast<uint32_t>(x) << unused_bits) >> unused_bits);
    };
    return full_product(low_24(a), low_24(b));
}
template <class T>
T low_product_24(T a, T b) {
    return static_cast<T>(product_24(a, b));
}
template <class T>
T high_product_24(T a, T b) {
    return static_cast<T>(product_24(a, b) >> 16);
}

Handler select_mul24(const Operation& op) {
    switch (op.flags) {
        case flag::lo:
            return for_type<Type::u32, Type::s32>(
                op.type, []<class T>() { return handler<T, T, T>([](T a, T b) { return low_product_24(a, b); }); });
        case flag::hi:
            return for_type<Type::u32, Type::s32>(
                op.type, []<class T>() { return handler<T, T, T>([](T a, T b) { return high_product_24(a, b); }); });
        default:
            return nullptr;
    }
}

Handler select_mad24(const Operation& op) {
    switch (op.flags) {
        case flag::lo:
            return for_type<Type::u32, Type::s32>(op.type, []<class T>() {
                return handler<T, T, T, T>([](T a, T b, T c) { return wrapping_add(low_product_24(a, b), c); });
            });
        case flag::hi:
            return for_type<Type::u32, Type::s32>(op.type, []<class T>() {
                return handler<T, T, T, T>([](T a, T b, T c) { return wrapping_add(high_product_24(a, b), c); });
            });
        case flag::hi | flag::sat:
            if (op.type != Type::s32) return nullptr;
            return handler<int32_t, int32_t, int32_t, int32_t>(
                [](int32_t a, int32_t b, int32_t c) { return saturate_s32(int64_t{high_product_24(a, b)} + c); });
        default:
            return nullptr;
    }
}

}  // namespace

Handler select_multiply(const Operation& op) {
    switch (op.opcode) {
        case Opcode::mul:
            return select_mul(op);
        case Opcode::mad:
            return select_mad(op);
        case Opcode::mul24:
            return select_mul24(op);
        case Opcode::mad24:
            return select_mad24(op);
        default:
            return nullptr;
    }
}

}  // namespace lanescope::machine
