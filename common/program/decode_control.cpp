// Branches, calls, barriers and what ends a thread.
#include <bit>

#include <fmt/format.h>

#include "program/decoder.h"
#include "support/demangle.h"

namespace lanescope::program {

bool Decoder::decode_control(const ptx::Instruction& instruction, Operation& op) {
    const auto& operands = instruction.operands;
    switch (op.opcode) {
        case Opcode::bra: {
            const auto label = operands.size() == 1 ? labels_.find(operands[0].name, scope_) : std::nullopt;
            if (!label) return fail("a branch to an unknown label"), true;
            op.target = *label;
            emit(op);
            return true;
        }
        case Opcode::brx: decode_branch_table(instruction, op); return true;
        case Opcode::call: decode_call(instruction, op); return true;
        case Opcode::bar: decode_barrier(instruction, op); return true;
        case Opcode::alloca_:
        case Opcode::stacksave:
        case Opcode::stackrestore: decode_stack(instruction, op); return true;
        case Opcode::ret:
        case Opcode::exit:
        case Opcode::trap:
        case Opcode::brkpt:
        case Opcode::nanosleep:
        case Opcode::pmevent:
        case Opcode::griddepcontrol:
        case Opcode::setmaxnreg:   // hints: they change no value
            emit(op);
            return true;
        default: return false;
    }
}

void Decoder::decode_branch_table(const ptx::Instruction& instruction, Operation& op) {
    const auto& operands = instruction.operands;
    const ptx::Targets* targets = operands.size() == 2 ? labels_.targets(operands[1].name, scope_) : nullptr;
    if (!targets) return fail("a branch through an unknown table");
    std::vector<uint32_t> table;
    for (const std::string_view name : targets->targets) {
        const auto label = labels_.find(name, scope_);
        if (!label) return fail("a branch to an unknown label");
        table.push_back(*label);
    }
    op.s[0] = use(operands[0], Type::u32);
    op.source_count = 1;
    op.target = static_cast<uint32_t>(building_.program.branch_tables.size());
    label_tables_.push_back(op.target);
    building_.program.branch_tables.push_back(std::move(table));
    emit(op);
}

// bar.sync a {, b}   bar.arrive a, b   bar.red.op p, a {, b}, {!}c   bar.warp.sync mask
// s[0]: barrier; s[1]: number of threads, 0 for all; s[2]: predicate of bar.red.
void Decoder::decode_barrier(const ptx::Instruction& instruction, Operation& op) {
    const auto& operands = instruction.operands;
    const size_t first = op.has(flag::red) ? 1 : 0;
    const size_t last = operands.size() - (op.has(flag::red) ? 1 : 0);
    if (operands.size() < first + 1 + first || last > first + 2) return fail("operands of this form");
    op.s[0] = use(operands[first], Type::u32);
    op.source_count = 1;
    if (op.has(flag::warp)) return emit(op);
    op.s[1] = last == first + 2 ? use(operands[first + 1], Type::u32) : literal(0, Type::u32);
    op.source_count = 2;
    if (op.has(flag::red)) {
        op.s[2] = use_predicate(operands.back(), op, 2);
        op.source_count = 3;
        op.d[0] = define(operands[0], op.has(flag::popc) ? Type::u32 : Type::pred);
        op.result_count = 1;
    }
    emit(op);
}

// alloca d, size {, alignment}   stacksave d   stackrestore a
void Decoder::decode_stack(const ptx::Instruction& instruction, Operation& op) {
    const auto& operands = instruction.operands;
    const bool allocates = op.opcode == Opcode::alloca_;
    const bool aligned = allocates && operands.size() == 3 && operands[2].kind == ptx::Operand::Kind::immediate;
    if (operands.size() != (allocates ? 2u : 1u) + aligned || (bits_of(op.type) != 32 && bits_of(op.type) != 64))
        return fail("operands of this form");
    if (op.opcode != Opcode::stacksave) {
        op.s[0] = use(operands[allocates ? 1 : 0], op.type);
        op.source_count = 1;
    }
    if (op.opcode != Opcode::stackrestore) {
        op.d[0] = define(operands[0], op.type);
        op.result_count = 1;
    }
    op.immediate = aligned ? static_cast<int64_t>(literal_bits(operands[2].immediate, Type::u32)) : 8;
    if (!std::has_single_bit(static_cast<uint64_t>(op.immediate))) return fail("this alignment");
    emit(op);
}

// The .param variables that a call passes. A register or literal is copied to one first.
std::vector<FrameVariable> Decoder::argument_variables(const ptx::Operand& list) {
    std::vector<FrameVariable> variables;
    for (const ptx::Operand& element : list.elements) {
        const auto symbol = element.kind == ptx::Operand::Kind::name ? scopes_.find(element.name) : std::nullopt;
        if (symbol && symbol->kind == Symbol::Kind::frame_variable) variables.push_back(symbol->frame);
        else fail("a call argument that is no .param variable");
    }
    return variables;
}

// call (results), target, (arguments), prototype;   results, arguments and prototype may be missing
void Decoder::decode_call(const ptx::Instruction& instruction, Operation& op) {
    using Kind = ptx::Operand::Kind;
    const auto& operands = instruction.operands;
    Call call;
    size_t i = 0;
    if (i < operands.size() && operands[i].kind == Kind::list) call.returns = argument_variables(operands[i++]);
    if (i >= operands.size() || operands[i].kind != Kind::name) return fail("a call of this form");
    const std::string_view target = operands[i++].name;
    if (i < operands.size() && operands[i].kind == Kind::list) call.arguments = argument_variables(operands[i++]);

    if (const auto reg = find_register(target)) {
        call.kind = Call::Kind::indirect;
        building_.calls_indirectly = true;
        op.s[0].offset = *reg;
        op.source_count = 1;
        if (draft_.registers[*reg] != SlotClass::bits64) return fail("a call through a register that is not 64 bits wide");
    } else if (const ImageFunction* function = building_.image.function(target, function_.module)) {
        call.function = building_.function_index(*function);
        if (function->syntax->parameters.size() != call.arguments.size()) return fail("a call with another number of arguments");
    } else if (is_builtin_function(target)) {
        call.kind = Call::Kind::builtin;
        call.builtin = target;
    } else if (target.starts_with("__cuda_syscall_cnp")) {   // what the library cudadevrt calls for a launch
        return fail(fmt::format("it is part of dynamic parallelism, a kernel that launches kernels (it calls {})", target));
    } else {
        return fail(fmt::format("the function {} is defined nowhere", demangled(std::string(target))));
    }
    op.target = static_cast<uint32_t>(building_.program.calls.size());
    building_.program.calls.push_back(std::move(call));
    emit(op);
}

}  // namespace lanescope::program
