#include "machine/operations/operations.h"

namespace lanescope::machine {

using program::Opcode;
using program::Operation;
using program::Type;

namespace {

// Arithmetic opcodes exist for integers, floats and 16-bit floats: the type decides.
Handler select_arithmetic(const Operation& op) {
    switch (op.type) {
        case Type::f32: case Type::f64: case Type::f32x2: return select_floating(op);
        case Type::f16: case Type::f16x2: case Type::bf16: case Type::bf16x2: return select_half(op);
        default: return select_integer(op);
    }
}
Handler select_none(const Operation&) { return nullptr; }

// The families of opcodes.def.
constexpr auto arithmetic = select_arithmetic;
constexpr auto video = select_video;
constexpr auto compare = select_compare;
constexpr auto logic = select_logic;
constexpr auto move = select_move;
constexpr auto convert = select_convert;
constexpr auto memory = select_memory;
constexpr auto atomic = select_atomic;
constexpr auto bulk_copy = select_bulk_copy;
constexpr auto barrier_object = select_mbarrier;
constexpr auto collective = select_none;
constexpr auto control = select_none;

}  // namespace

Handler handler_for(const Operation& op) {
    switch (op.opcode) {
#define OPCODE(name, family) \
    case Opcode::name: return family(op);
#include "program/opcodes.def"
#undef OPCODE
    }
    return nullptr;
}

}  // namespace lanescope::machine
