// add, min and max on two 16-bit integers in one register (.u16x2, .s16x2).
#include "machine/operations/integer.h"

namespace lanescope::machine {
namespace {

using program::Opcode;
using program::Operation;
using program::Type;
namespace flag = program::flag;

// The handler that applies F to the low and to the high halves. F captures nothing.
template <class T, class F>
Handler pair_handler(F) {
    return handler<uint32_t, uint32_t, uint32_t>([](uint32_t a, uint32_t b) {
        const auto low = static_cast<uint16_t>(F{}(static_cast<T>(a), static_cast<T>(b)));
        const auto high = static_cast<uint16_t>(F{}(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
        return static_cast<uint32_t>(high) << 16 | low;
    });
}

template <class F>
Handler for_pairs(Type type, F f) {
    return type == Type::u16x2 ? f.template operator()<uint16_t>() : f.template operator()<int16_t>();
}

}  // namespace

Handler select_integer_pairs(const Operation& op) {
    if (op.has(flag::relu)) {  // a negative result becomes 0
        if (!op.only_flags(flag::relu) || op.type != Type::s16x2) return nullptr;
        switch (op.opcode) {
            case Opcode::min:
                return pair_handler<int16_t>([](int16_t a, int16_t b) { return a < 0 || b < 0 ? 0 : a < b ? a : b; });
            case Opcode::max:
                return pair_handler<int16_t>([](int16_t a, int16_t b) { return a < 0 && b < 0 ? 0 : a > b ? a : b; });
            default:
                return nullptr;
        }
    }
    if (!op.only_flags(0)) return nullptr;
    switch (op.opcode) {
        case Opcode::add:
            return for_pairs(op.type,
                             []<class T>() { return pair_handler<T>([](T a, T b) { return wrapping_add(a, b); }); });
        case Opcode::min:
            return for_pairs(op.type,
                             []<class T>() { return pair_handler<T>([](T a, T b) { return a < b ? a : b; }); });
        case Opcode::max:
            return for_pairs(op.type,
                             []<class T>() { return pair_handler<T>([](T a, T b) { return a > b ? a : b; }); });
        default:
            return nullptr;
    }
}

}  // namespace lanescope::machine
