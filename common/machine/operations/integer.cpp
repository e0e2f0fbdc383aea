// Integer add, sub, abs, neg, min, max and sad; the rest of the family is picked here and lives beside this file.
#include "machine/operations/integer.h"

#include "machine/operations/operations.h"

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
Handler for_signed_integers(Type type, F f) {
    return for_type<Type::s16, Type::s32, Type::s64>(type, f);
}

Handler select_add(const Operation& op) {
    if (op.has(flag::sat)) {
        if (op.type != Type::s32 || !op.only_flags(flag::sat)) return nullptr;
        return handler<int32_t, int32_t, int32_t>([](int32_t a, int32_t b) { return saturate_s32(int64_t{a} + b); });
    }
    if (!op.only_flags(0)) return nullptr;
    return for_integers(op.type,
                        []<class T>() { return handler<T, T, T>([](T a, T b) { return wrapping_add(a, b); }); });
}

Handler select_sub(const Operation& op) {
    if (op.has(flag::sat)) {
        if (op.type != Type::s32 || !op.only_flags(flag::sat)) return nullptr;
        return handler<int32_t, int32_t, int32_t>([](int32_t a, int32_t b) { return saturate_s32(int64_t{a} - b); });
    }
    if (!op.only_flags(0)) return nullptr;
    return for_integers(op.type,
                        []<class T>() { return handler<T, T, T>([](T a, T b) { return wrapping_subtract(a, b); }); });
}

// abs and neg of the smallest value give the smallest value.
Handler select_abs(const Operation& op) {
    if (!op.only_flags(0)) return nullptr;
    return for_signed_integers(
        op.type, []<class T>() { return handler<T, T>([](T a) { return a < 0 ? wrapping_subtract(T{0}, a) : a; }); });
}
Handler select_neg(const Operation& op) {
    if (!op.only_flags(0)) return nullptr;
    return for_signed_integers(op.type,
                               []<class T>() { return handler<T, T>([](T a) { return wrapping_subtract(T{0}, a); }); });
}

// .relu: a negative result becomes 0 (s32 only, beside the pairs).
Handler select_min(const Operation& op) {
    if (op.has(flag::relu)) {
        if (op.type != Type::s32 || !op.only_flags(flag::relu)) return nullptr;
        return handler<int32_t, int32_t, int32_t>([](int32_t a, int32_t b) {
            const int32_t least = a < b ? a : b;
            return least < 0 ? 0 : least;
        });
    }
    if (!op.only_flags(0)) return nullptr;
    return for_integers(op.type, []<class T>() { return handler<T, T, T>([](T a, T b) { return a < b ? a : b; }); });
}
Handler select_max(const Operation& op) {
    if (op.has(flag::relu)) {
        if (op.type != Type::s32 || !op.only_flags(flag::relu)) return nullptr;
        return handler<int32_t, int32_t, int32_t>([](int32_t a, int32_t b) {
            const int32_t most = a > b ? a : b;
            return most < 0 ? 0 : most;
        });
    }
    if (!op.only_flags(0)) return nullptr;
    return for_integers(op.type, []<class T>() { return handler<T, T, T>([](T a, T b) { return a > b ? a : b; }); });
}

// d = c + |a - b|
Handler select_sad(const Operation& op) {
    if (!op.only_flags(0)) return nullptr;
    return for_integers(op.type, []<class T>() {
        return handler<T, T, T, T>(
            [](T a, T b, T c) { return wrapping_add(c, a < b ? wrapping_subtract(b, a) : wrapping_subtract(a, b)); });
    });
}

}  // namespace

Handler select_integer(const Operation& op) {
    if (op.type == Type::u16x2 || op.type == Type::s16x2) return select_integer_pairs(op);
    if (op.has(flag::cc)) return select_extended_precision(op);
    switch (op.opcode) {
        case Opcode::add:
            return select_add(op);
        case Opcode::sub:
            return select_sub(op);
        case Opcode::abs:
            return select_abs(op);
        case Opcode::neg:
            return select_neg(op);
        case Opcode::min:
            return select_min(op);
        case Opcode::max:
            return select_max(op);
        case Opcode::sad:
            return select_sad(op);
        case Opcode::mul:
        case Opcode::mad:
        case Opcode::mul24:
        case Opcode::mad24:
            return select_multiply(op);
        case Opcode::div:
        case Opcode::rem:
            return select_divide(op);
        case Opcode::addc:
        case Opcode::subc:
        case Opcode::madc:
            return select_extended_precision(op);
        case Opcode::dp4a:
        case Opcode::dp2a:
            return select_dot_product(op);
        default:
            return select_bit_field(op);
    }
}

}  // namespace lanescope::machine
