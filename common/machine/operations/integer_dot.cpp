// dp4a and dp2a: dot products of bytes, added to a 32-bit sum that wraps around.
#include "machine/operations/integer.h"

namespace lanescope::machine {
namespace {

using program::Opcode;
using program::Operation;
using program::Type;
namespace flag = program::flag;

// Element i of a word that holds 32 / (8 * sizeof(Element)) elements, as 32 bits.
template <class Element>
int32_t element(uint32_t word, int i) {
    return static_cast<int32_t>(static_cast<Element>(word >> (i * 8 * static_cast<int>(sizeof(Element)))));
}

// sum + a[0] * b[first_b] + a[1] * b[first_b + 1] + ...
template <class A, class B, int count, int first_b>
uint32_t dot(uint32_t a, uint32_t b, uint32_t sum) {
    for (int i = 0; i < count; ++i) sum += static_cast<uint32_t>(element<A>(a, i) * element<B>(b, first_b + i));
    return sum;
}

template <class A, class B, int count, int first_b>
Handler dot_handler() {
    return handler<uint32_t, uint32_t, uint32_t, uint32_t>(
        [](uint32_t a, uint32_t b, uint32_t c) { return dot<A, B, count, first_b>(a, b, c); });
}

// f.operator()<is a signed, is b signed>()
template <class F>
Handler by_signs(const Operation& op, F f) {
    const auto valid = [](Type t) { return t == Type::u32 || t == Type::s32; };
    if (!valid(op.type) || !valid(op.type2)) return nullptr;
    if (op.type == Type::s32) {
        return op.type2 == Type::s32 ? f.template operator()<true, true>() : f.template operator()<true, false>();
    }
    return op.type2 == Type::s32 ? f.template operator()<false, true>() : f.template operator()<false, false>();
}

template <bool is_signed>
using Byte = std::conditional_t<is_signed, int8_t, uint8_t>;
template <bool is_signed>
using Half = std::conditional_t<is_signed, int16_t, uint16_t>;

}  // namespace

Handler select_dot_product(const Operation& op) {
    if (op.opcode == Opcode::dp4a) {
        if (!op.only_flags(0)) return nullptr;
        return by_signs(op, []<bool a, bool b>() { return dot_handler<Byte<a>, Byte<b>, 4, 0>(); });
    }
    switch (op.flags) {  // dp2a: which bytes of b
        case flag::lo:
            return by_signs(op, []<bool a, bool b>() { return dot_handler<Half<a>, Byte<b>, 2, 0>(); });
        case flag::hi:
            return by_signs(op, []<bool a, bool b>() { return dot_handler<Half<a>, Byte<b>, 2, 2>(); });
        default:
            return nullptr;
    }
}

}  // namespace lanescope::machine
