// and or xor not cnot lop3 on bits, and shl shr; the same words on predicates, which are masks of lanes.
// shf and prmt: permute.cpp.
#include <type_traits>

#include "machine/operations/operations.h"
#include "machine/operations/permute.h"
#include "machine/operations/select.h"

namespace lanescope::machine {
namespace {

using program::Boolean;
using program::Opcode;
using program::Operation;
using program::Type;
namespace flag = program::flag;

// d = F(s0, s1) for predicates, 32 lanes in one word.
template <class F>
Handler predicate_handler(F) {
    return [](LaneState& lanes, const Operation& op) {
        const uint32_t a = predicate(lanes, op.s[0], op.negated & 1);
        const uint32_t b = op.source_count > 1 ? predicate(lanes, op.s[1], op.negated & 2) : 0;
        set_predicate(lanes, op.d[0], F{}(a, b));
    };
}

Handler select_predicate_logic(const Operation& op) {
    switch (op.opcode) {
        case Opcode::and_:
            return predicate_handler([](uint32_t a, uint32_t b) { return a & b; });
        case Opcode::or_:
            return predicate_handler([](uint32_t a, uint32_t b) { return a | b; });
        case Opcode::xor_:
            return predicate_handler([](uint32_t a, uint32_t b) { return a ^ b; });
        case Opcode::not_:
            return predicate_handler([](uint32_t a, uint32_t) { return ~a; });
        default:
            return nullptr;
    }
}

template <class F>
Handler for_bits(Type type, F f) {
    return for_type<Type::b16, Type::b32, Type::b64>(type, f);
}

// The three-input function whose truth table is `table`: bit 4a + 2b + c of the table is its value.
uint32_t look_up(uint32_t table, uint32_t a, uint32_t b, uint32_t c) {
    const auto row = [table](int i) { return 0 - (table >> i & 1); };  // all ones if bit i is set
    const auto choose = [](uint32_t condition, uint32_t one, uint32_t zero) {
        return zero ^ (condition & (one ^ zero));
    };
    const uint32_t a_and_b = choose(c, row(7), row(6)), a_only = choose(c, row(5), row(4));
    const uint32_t b_only = choose(c, row(3), row(2)), neither = choose(c, row(1), row(0));
    return choose(a, choose(b, a_and_b, a_only), choose(b, b_only, neither));
}

void lop3(LaneState& lanes, const Operation& op) {
    const auto table = static_cast<uint32_t>(op.immediate);
    uint32_t* d = result<uint32_t>(lanes, op.d[0]);
    const uint32_t *a = source<uint32_t>(lanes, op.s[0]), *b = source<uint32_t>(lanes, op.s[1]),
                   *c = source<uint32_t>(lanes, op.s[2]);
    for_each_lane(lanes, [=](int lane) { d[lane] = look_up(table, a[lane], b[lane], c[lane]); });
}

// lop3.BoolOp: d[1] = (d != 0) BoolOp q
void lop3_with_predicate(LaneState& lanes, const Operation& op) {
    const auto table = static_cast<uint32_t>(op.immediate);
    const uint32_t nonzero = map_predicate<uint32_t, uint32_t, uint32_t>(
        lanes, op, [table](uint32_t a, uint32_t b, uint32_t c) { return look_up(table, a, b, c) != 0; });
    const uint32_t q = predicate(lanes, op.s[3], op.negated & 8);
    lop3(lanes, op);
    set_predicate(lanes, op.d[1], op.boolean == Boolean::and_ ? nonzero & q : nonzero | q);
}

Handler select_lop3(const Operation& op) {
    if (op.type != Type::b32 || !op.only_flags(0)) return nullptr;
    switch (op.boolean) {
        case Boolean::none:
            return lop3;
        case Boolean::and_:
        case Boolean::or_:
            return lop3_with_predicate;
        default:
            return nullptr;
    }
}

// Shift amounts are unsigned and clamped to the width: a shift by 32 or more of 32 bits shifts everything out.
template <class T>
T shift_left(T a, uint32_t amount) {
    return amount < 8 * sizeof(T) ? static_cast<T>(a << amount) : T{0};
}
template <class T>
T shift_right(T a, uint32_t amount) {
    constexpr uint32_t width = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>)
        return static_cast<T>(a >> (amount < width ? amount : width - 1));
    else
        return amount < width ? static_cast<T>(a >> amount) : T{0};
}

Handler select_shl(const Operation& op) {
    return for_bits(op.type, []<class T>() {
        return handler<T, T, uint32_t>([](T a, uint32_t amount) { return shift_left(a, amount); });
    });
}
Handler select_shr(const Operation& op) {
    return for_type<Type::b16, Type::b32, Type::b64, Type::u16, Type::u32, Type::u64, Type::s16, Type::s32, Type::s64>(
        op.type,
        []<class T>() { return handler<T, T, uint32_t>([](T a, uint32_t amount) { return shift_right(a, amount); }); });
}

}  // namespace

Handler select_logic(const Operation& op) {
    switch (op.opcode) {
        case Opcode::lop3:
            return select_lop3(op);
        case Opcode::shf:
            return select_funnel_shift(op);
        case Opcode::prmt:
            return select_byte_permute(op);
        default:
            break;
    }
    if (!op.only_flags(0)) return nullptr;
    if (op.type == Type::pred) return select_predicate_logic(op);
    switch (op.opcode) {
        case Opcode::and_:
            return for_bits(op.type, []<class T>() { return handler<T, T, T>([](T a, T b) -> T { return a & b; }); });
        case Opcode::or_:
            return for_bits(op.type, []<class T>() { return handler<T, T, T>([](T a, T b) -> T { return a | b; }); });
        case Opcode::xor_:
            return for_bits(op.type, []<class T>() { return handler<T, T, T>([](T a, T b) -> T { return a ^ b; }); });
        case Opcode::not_:
            return for_bits(op.type, []<class T>() { return handler<T, T>([](T a) { return static_cast<T>(~a); }); });
        case Opcode::cnot:
            return for_bits(op.type, []<class T>() { return handler<T, T>([](T a) -> T { return a == 0 ? 1 : 0; }); });
        case Opcode::shl:
            return select_shl(op);
        case Opcode::shr:
            return select_shr(op);
        default:
            return nullptr;
    }
}

}  // namespace lanescope::machine
