// Operations that compute a value from values: one table says what each operand is.
#include <fmt/format.h>

#include "program/decoder.h"
#include "program/video.h"

namespace lanescope::program {
namespace {

// Operand roles, in PTX order. Results: D of the type; W twice as wide with .wide; U 32-bit; P predicate or
// pair of predicates; E 32-bit or of the type, with an optional predicate (d|p).
// Sources: a of the type; t of the second type; w twice as wide with .wide; u 32-bit; q 64-bit; p predicate;
// i a literal that goes to Operation::immediate.
std::string_view roles_of(const Operation& op) {
    switch (op.opcode) {
        case Opcode::add: case Opcode::sub: case Opcode::div: case Opcode::rem: case Opcode::min: case Opcode::max:
        case Opcode::mul24: case Opcode::addc: case Opcode::subc: case Opcode::and_: case Opcode::or_:
        case Opcode::xor_: case Opcode::copysign: case Opcode::bmsk:
            return "Daa";
        case Opcode::abs: case Opcode::neg: case Opcode::brev: case Opcode::rcp: case Opcode::sqrt: case Opcode::rsqrt:
        case Opcode::sin: case Opcode::cos: case Opcode::lg2: case Opcode::ex2: case Opcode::tanh: case Opcode::not_:
        case Opcode::cnot: case Opcode::cvta:
            return "Da";
        case Opcode::mul: return "Waa";
        case Opcode::mad: case Opcode::madc: return "Waaw";
        case Opcode::mad24: case Opcode::sad: case Opcode::fma: case Opcode::prmt: return "Daaa";
        case Opcode::fns: return "Daaa";
        case Opcode::popc: case Opcode::clz: case Opcode::bfind: return "Ua";
        case Opcode::bfe: return "Dauu";
        case Opcode::bfi: return "Daauu";
        case Opcode::szext: return "Dau";
        case Opcode::dp4a: case Opcode::dp2a: return "Uuuu";
        case Opcode::testp: return "Pa";
        case Opcode::setp: return op.boolean == Boolean::none ? "Paa" : "Paap";
        case Opcode::set: return op.boolean == Boolean::none ? "Dtt" : "Dttp";
        case Opcode::selp: return "Daap";
        case Opcode::slct: return "Daat";
        case Opcode::lop3: return op.boolean == Boolean::none ? "Eaaai" : "Eaaaip";
        case Opcode::shl: case Opcode::shr: return "Dau";
        case Opcode::shf: return "Daau";
        case Opcode::cvt: return "Dttt";                 // most forms have one source
        case Opcode::isspacep: return "Pq";
        case Opcode::shfl: return op.has(flag::sync) ? "Eauuu" : "Eauu";
        case Opcode::vote:
            if (op.has(flag::ballot)) return op.has(flag::sync) ? "Upu" : "Up";
            return op.has(flag::sync) ? "Ppu" : "Pp";
        case Opcode::match: return "Mau";                // 32-bit mask of lanes, with an optional predicate
        case Opcode::redux: return "Dau";
        case Opcode::activemask: return "U";
        case Opcode::elect: return "Mu";
        default: return is_video(op.opcode) ? "Daaa" : "";   // c is written in some forms only
    }
}

Type wide(Type type) {
    switch (type) {
        case Type::u16: return Type::u32;
        case Type::s16: return Type::s32;
        case Type::u32: return Type::u64;
        case Type::s32: return Type::s64;
        default: return Type::none;
    }
}

}  // namespace

bool Decoder::decode_values(const ptx::Instruction& instruction, Operation& op) {
    if (op.opcode == Opcode::mov) return decode_mov(instruction, op), true;
    const std::string_view roles = roles_of(op);
    if (roles.empty()) return false;
    const auto& operands = instruction.operands;
    if (op.type == Type::none && op.opcode != Opcode::isspacep && op.opcode != Opcode::elect &&
        op.opcode != Opcode::activemask && op.opcode != Opcode::vote)
        return fail("no type"), true;
    const bool video = is_video(op.opcode), fewer_allowed = op.opcode == Opcode::cvt || video;
    if (operands.size() > roles.size() || (operands.size() < roles.size() && !(fewer_allowed && operands.size() >= 2)))
        return fail(fmt::format("{} operands", operands.size())), true;
    const Type wide_type = op.has(flag::wide) ? wide(op.type) : op.type;
    if (op.has(flag::wide) && wide_type == Type::none) return fail("a .wide form of this type"), true;

    for (size_t i = 0; i < operands.size(); ++i) {
        const ptx::Operand plain = video ? without_selector(operands[i]) : ptx::Operand();
        const ptx::Operand& operand = video ? plain : operands[i];
        auto source = [&](Type type) { op.s[op.source_count] = use(operand, type); ++op.source_count; };
        switch (roles[i]) {
            case 'D': op.d[0] = define(operand, op.type); op.result_count = 1; break;
            case 'W': op.d[0] = define(operand, wide_type); op.result_count = 1; break;
            case 'U': op.d[0] = define(operand, Type::b32); op.result_count = 1; break;
            case 'P': define_pair(operand, op, Type::pred); break;
            case 'E': define_pair(operand, op, op.type); break;
            case 'M': define_pair(operand, op, Type::b32); break;
            case 'a': source(op.type); break;
            case 't': source(op.type2); break;
            case 'w': source(wide_type); break;
            case 'u': source(Type::u32); break;
            case 'q': source(Type::u64); break;
            case 'p':
                op.s[op.source_count] = use_predicate(operand, op, op.source_count);
                ++op.source_count;
                break;
            case 'i':
                if (operand.kind != ptx::Operand::Kind::immediate) return fail("a truth table that is no literal"), true;
                op.immediate = static_cast<int64_t>(operand.immediate.bits);
                break;
        }
    }
    emit(op);
    return true;
}

void Decoder::decode_mov(const ptx::Instruction& instruction, Operation& op) {
    using Kind = ptx::Operand::Kind;
    const auto& operands = instruction.operands;
    if (operands.size() != 2 || op.type == Type::none) return fail("operands of this form");
    const ptx::Operand& to = operands[0];
    const ptx::Operand& from = operands[1];
    // {a, b} on one side: the elements are equal parts of the whole, lowest first.
    if (to.kind == Kind::vector || from.kind == Kind::vector) {
        const bool packing = from.kind == Kind::vector;
        const auto& elements = packing ? from.elements : to.elements;
        const int part = static_cast<int>(bits_of(op.type) / std::max<size_t>(elements.size(), 1));
        const Type part_type = part == 8 ? Type::b8 : part == 16 ? Type::b16 : part == 32 ? Type::b32 : part == 64 ? Type::b64 : Type::none;
        if (part_type == Type::none || elements.size() < 2 || elements.size() > 8) return fail("a vector of this shape");
        std::vector<Value> list;
        op.opcode = packing ? Opcode::pack : Opcode::unpack;
        op.type2 = part_type;
        for (const ptx::Operand& element : elements) list.push_back(packing ? use(element, part_type) : define(element, part_type));
        if (packing) {
            op.d[0] = define(to, op.type);
            op.result_count = 1;
        } else {
            op.s[0] = use(from, op.type);
            op.source_count = 1;
        }
        op.list = static_cast<uint32_t>(building_.program.lists.size());
        op.list_count = static_cast<uint8_t>(list.size());
        building_.program.lists.insert(building_.program.lists.end(), list.begin(), list.end());
        return emit(op);
    }
    int number = 0;
    if (const auto special = from.kind == Kind::name ? special_word(from.name, &number) : std::nullopt;
        special && slot_class(type_of(*special)) == slot_class(op.type)) {
        op.opcode = Opcode::read_special;
        op.special = *special;
        op.immediate = number;
    } else {
        op.s[0] = op.type == Type::pred ? use_predicate(from, op, 0) : use(from, op.type);
        op.source_count = 1;
    }
    op.d[0] = define(to, op.type);
    op.result_count = 1;
    emit(op);
}

}  // namespace lanescope::program
