#include "program/decoder.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::program {
namespace {

// Of one function; far above what ptxas accepts.
constexpr size_t most_registers = 1u << 22;
constexpr uint64_t most_parameter_bytes = 1u << 20;

std::string text_of(const ptx::Instruction& instruction) {
    std::string text(instruction.opcode);
    for (const std::string_view word : instruction.modifiers) text.append(".").append(word);
    return text;
}

uint64_t align_up(uint64_t value, uint64_t alignment) { return (value + alignment - 1) / alignment * alignment; }

}  // namespace

uint32_t Building::function_index(const ImageFunction& function) {
    const auto found = std::find(functions.begin(), functions.end(), &function);
    if (found != functions.end()) return static_cast<uint32_t>(found - functions.begin());
    functions.push_back(&function);
    return static_cast<uint32_t>(functions.size() - 1);
}

uint32_t Building::file_index(int module, int file) {
    const auto [entry, added] = files.emplace(std::pair{module, file}, static_cast<uint32_t>(program.files.size()));
    if (added) {
        const auto& names = image.modules()[module].files;
        program.files.push_back(file >= 0 && file < static_cast<int>(names.size()) ? names[file] : std::string());
    }
    return entry->second;
}

Decoder::Decoder(Building& building, const ImageFunction& function, uint32_t function_index)
    : building_(building), function_(function), function_index_(function_index), labels_(function.syntax->body) {}

Draft Decoder::decode() {
    scopes_.enter();
    declare_parameters();
    label_positions_.assign(labels_.count(), 0);
    uint32_t labels_seen = 0;
    for (const ptx::Statement& statement : function_.syntax->body) {
        if (const auto* instruction = std::get_if<ptx::Instruction>(&statement)) {
            decode(*instruction);
        } else if (const auto* variable = std::get_if<ptx::Variable>(&statement)) {
            problem_.clear();
            declare(*variable);
            if (!problem_.empty()) refuse_declaration(*variable);
        } else if (std::holds_alternative<ptx::Label>(statement)) {
            label_positions_[labels_seen++] = static_cast<uint32_t>(draft_.operations.size());
        } else if (std::holds_alternative<ptx::ScopeBegin>(statement)) {
            scopes_.enter();
            scope_ = ++scopes_opened_;
        } else if (std::holds_alternative<ptx::ScopeEnd>(statement)) {
            scopes_.leave();
            scope_ = labels_.parent(scope_);
        }
    }
    // Control never runs off the end, even if the text forgot the last ret.
    Operation end;
    end.opcode = Opcode::ret;
    end.flags = flag::internal;
    end.weight = 0;
    draft_.operations.push_back(end);
    resolve_labels();
    building_.program.functions[function_index_].local_bytes = static_cast<uint32_t>(align_up(local_bytes_, 16));
    return std::move(draft_);
}

void Decoder::declare_parameters() {
    FunctionCode& code = building_.program.functions[function_index_];
    code.name = function_.syntax->name;
    if (function_.syntax->is_entry) {
        uint64_t offset = 0;
        for (const ptx::Variable& parameter : function_.syntax->parameters) {
            offset = align_up(offset, alignment_of(parameter));
            Symbol symbol;
            symbol.kind = Symbol::Kind::kernel_parameter;
            symbol.offset = offset;
            scopes_.declare(parameter.name, symbol);
            building_.program.parameters.push_back({offset, bytes_of(parameter)});
            offset += bytes_of(parameter);
        }
        building_.program.parameter_bytes = offset;
        return;
    }
    auto declare_all = [&](const std::vector<ptx::Variable>& variables, std::vector<FrameVariable>& frame) {
        for (const ptx::Variable& variable : variables) {
            Symbol symbol;
            if (variable.space == "reg") {   // old style: registers as parameters
                symbol.reg = new_register(slot_class(type_word(variable.type))).offset;
                fail("a register as parameter");
            } else {
                symbol.kind = Symbol::Kind::frame_variable;
                symbol.frame = new_frame_variable(bytes_of(variable));
                frame.push_back(symbol.frame);
            }
            scopes_.declare(variable.name, symbol);
            if (!problem_.empty()) refuse_declaration(variable);
            problem_.clear();
        }
    };
    declare_all(function_.syntax->returns, code.returns);
    declare_all(function_.syntax->parameters, code.parameters);
}

void Decoder::declare(const ptx::Variable& variable) {
    Symbol symbol;
    if (variable.space == "reg") {
        const Type type = type_word(variable.type);
        const SlotClass c = slot_class(type);
        const uint32_t count = variable.register_count > 0 ? variable.register_count : 1;
        if (draft_.registers.size() + count > most_registers) return fail("that many registers");
        const auto first = static_cast<uint32_t>(draft_.registers.size());
        draft_.registers.insert(draft_.registers.end(), count, c);
        if (variable.register_count > 0) return scopes_.declare_range(variable.name, first, count);
        symbol.reg = first;
    } else if (variable.space == "param") {
        symbol.kind = Symbol::Kind::frame_variable;
        symbol.frame = new_frame_variable(bytes_of(variable));
    } else if (variable.space == "local") {
        symbol.kind = Symbol::Kind::local;
        symbol.offset = local_bytes_ = align_up(local_bytes_, alignment_of(variable));
        local_bytes_ += bytes_of(variable);
    } else if (variable.space == "shared") {
        symbol.kind = Symbol::Kind::shared;
        symbol.shared = &variable;
    } else {
        return fail(fmt::format("a .{} variable inside a function", variable.space));
    }
    scopes_.declare(variable.name, symbol);
}

FrameVariable Decoder::new_frame_variable(uint64_t bytes) {
    FrameVariable variable;
    if (bytes > most_parameter_bytes || draft_.parameter_area_bytes > most_parameter_bytes * 32) {
        fail("parameters of that size");
        bytes = 0;
    }
    variable.frame_offset = draft_.parameter_area_bytes;
    variable.lane_stride_bytes = static_cast<uint32_t>(align_up(std::max<uint64_t>(bytes, 4), bytes > 4 ? 8 : 4));
    draft_.parameter_area_bytes += variable.lane_stride_bytes * 32;
    return variable;
}

Value Decoder::new_register(SlotClass c) {
    Value v;
    v.offset = static_cast<uint32_t>(draft_.registers.size());
    draft_.registers.push_back(c);
    return v;
}

void Decoder::decode(const ptx::Instruction& instruction) {
    problem_.clear();
    after_.clear();
    prototype_ = Operation{};
    prototype_.ptx_line = static_cast<uint32_t>(instruction.location.ptx_line);
    if (const ptx::Location& at = instruction.location; at.file > 0) {
        // Code of a header (atomicAdd, __shfl_sync) that was inlined belongs to the line that called it.
        const bool from_header = at.inlined_file > 0 && at.inlined_file != at.file;
        prototype_.source_file = building_.file_index(function_.module, from_header ? at.inlined_file : at.file);
        prototype_.source_line = static_cast<uint32_t>(from_header ? at.inlined_line : at.line);
    }
    if (instruction.guard) {
        const auto reg = find_register(instruction.guard->name);
        if (!reg || draft_.registers[*reg] != SlotClass::predicate) {
            fail(fmt::format("guard {} is no predicate register", instruction.guard->name));
        } else {
            prototype_.guard = instruction.guard->negated ? Guarded::if_false : Guarded::if_true;
            prototype_.guard_value.offset = *reg;
        }
    }
    Operation op = prototype_;
    const size_t operations_before = draft_.operations.size();
    if (const std::string word = decode_words(instruction, op); !word.empty()) {
        fail(word == instruction.opcode ? std::string() : fmt::format("the word .{}", word));
        return refuse(instruction, problem_);
    }
    if (!decode_memory(instruction, op) && !decode_control(instruction, op) && !decode_values(instruction, op))
        return refuse(instruction, "");
    if (!problem_.empty()) {
        draft_.operations.resize(operations_before);
        return refuse(instruction, problem_);
    }
}

void Decoder::emit(Operation& op) {
    draft_.operations.push_back(op);
    for (Operation& later : after_) draft_.operations.push_back(later);
    after_.clear();
}

void Decoder::refuse(const ptx::Instruction& instruction, const std::string& why) {
    emit_refusal(fmt::format("the instruction {} (PTX line {}) is not supported{}", text_of(instruction),
                             instruction.location.ptx_line, why.empty() ? "" : ": " + why));
}

void Decoder::refuse_declaration(const ptx::Variable& variable) {
    prototype_ = Operation{};
    prototype_.ptx_line = static_cast<uint32_t>(variable.location.ptx_line);
    emit_refusal(fmt::format("the declaration .{} {} (PTX line {}) is not supported: {}", variable.space, variable.name,
                             variable.location.ptx_line, problem_));
}

void Decoder::emit_refusal(std::string message) {
    Operation op = prototype_;
    op.opcode = Opcode::unsupported;
    op.target = static_cast<uint32_t>(building_.program.messages.size());
    building_.program.messages.push_back(std::move(message));
    draft_.operations.push_back(op);
}

void Decoder::resolve_labels() {
    for (Operation& op : draft_.operations)
        if (op.opcode == Opcode::bra) op.target = label_positions_[op.target];
    for (const uint32_t table : label_tables_)
        for (uint32_t& entry : building_.program.branch_tables[table]) entry = label_positions_[entry];
}

std::optional<uint32_t> Decoder::find_register(std::string_view name) {
    const auto symbol = scopes_.find(name);
    if (!symbol || symbol->kind != Symbol::Kind::reg) return std::nullopt;
    return symbol->reg;
}

Value Decoder::convert(Value from, Type from_type, Type to_type) {
    Operation op = prototype_;
    op.opcode = Opcode::cvt;
    op.flags = flag::internal;
    op.weight = 0;
    op.guard = Guarded::no;
    op.type = to_type;
    op.type2 = from_type;
    op.s[0] = from;
    op.source_count = op.result_count = 1;
    op.d[0] = new_register(slot_class(to_type));
    draft_.operations.push_back(op);
    return op.d[0];
}

Value Decoder::use(const ptx::Operand& operand, Type type) {
    using Kind = ptx::Operand::Kind;
    if (operand.kind == Kind::immediate) return literal(literal_bits(operand.immediate, type), type);
    if (operand.kind != Kind::name) return fail("an operand of this form"), Value{};
    if (const auto reg = find_register(operand.name)) {
        Value v;
        v.offset = *reg;
        const SlotClass have = draft_.registers[*reg], want = slot_class(type);
        if (have == want) return v;
        if (have == SlotClass::bits64 && want == SlotClass::bits32) return convert(v, Type::u64, Type::u32);
        return fail(fmt::format("operand {} has the wrong width", operand.name)), Value{};
    }
    int number = 0;
    if (const auto special = special_word(operand.name, &number)) {
        Operation op = prototype_;
        op.opcode = Opcode::read_special;
        op.flags = flag::internal;
        op.weight = 0;
        op.guard = Guarded::no;
        op.special = *special;
        op.immediate = number;
        op.type = type_of(*special);
        op.result_count = 1;
        op.d[0] = new_register(slot_class(op.type));
        draft_.operations.push_back(op);
        if (slot_class(op.type) == slot_class(type)) return op.d[0];
        return slot_class(type) == SlotClass::bits32 ? convert(op.d[0], Type::u64, Type::u32)
                                                     : convert(op.d[0], Type::u32, Type::u64);
    }
    if (const auto value = use_symbol(operand.name, operand.offset, type)) return *value;
    return fail(fmt::format("unknown name {}", operand.name)), Value{};
}

Value Decoder::use_predicate(const ptx::Operand& operand, Operation& op, int index) {
    if (operand.negated) op.negated |= static_cast<uint8_t>(1u << index);
    return use(operand, Type::pred);
}

Value Decoder::define(const ptx::Operand& operand, Type type) {
    if (operand.kind == ptx::Operand::Kind::sink || operand.name == "_") return new_register(slot_class(type));
    const auto reg = operand.kind == ptx::Operand::Kind::name ? find_register(operand.name) : std::nullopt;
    if (!reg) return fail(fmt::format("result {} is no register", operand.name)), Value{};
    Value v;
    v.offset = *reg;
    const SlotClass have = draft_.registers[*reg], want = slot_class(type);
    if (have == want) return v;
    if (have == SlotClass::bits64 && want == SlotClass::bits32) {
        // A result narrower than its register is extended (relaxed typing of ld and cvt).
        Operation widen = prototype_;
        widen.opcode = Opcode::cvt;
        widen.flags = flag::internal;
        widen.weight = 0;
        widen.type = is_signed(type) ? Type::s64 : Type::u64;
        widen.type2 = is_signed(type) ? Type::s32 : Type::u32;
        widen.s[0] = new_register(want);
        widen.d[0] = v;
        widen.source_count = widen.result_count = 1;
        after_.push_back(widen);
        return widen.s[0];
    }
    return fail(fmt::format("result {} has the wrong width", operand.name)), Value{};
}

void Decoder::define_pair(const ptx::Operand& operand, Operation& op, Type first) {
    if (operand.kind == ptx::Operand::Kind::pair) {
        op.d[0] = define(operand.elements[0], first);
        op.d[1] = define(operand.elements[1], Type::pred);
        op.result_count = 2;
    } else {
        op.d[0] = define(operand, first);
        op.result_count = 1;
    }
}

Value Decoder::shared_address(const ptx::Variable& variable, int64_t offset, Type type) {
    if (variable.unsized) {
        building_.dynamic_shared_alignment = std::max(building_.dynamic_shared_alignment, alignment_of(variable));
        const Value v = building_.constants.reserve(slot_class(type));
        building_.dynamic_shared_uses.push_back({v, static_cast<uint64_t>(offset), slot_class(type)});
        return v;
    }
    const auto [entry, added] = building_.shared_offsets.emplace(&variable, 0);
    if (added) {
        entry->second = align_up(building_.static_shared_bytes, alignment_of(variable));
        building_.static_shared_bytes = entry->second + bytes_of(variable);
    }
    return literal(entry->second + offset, type);
}

Value Decoder::frame_local_address(int64_t offset, Type type) {
    // The kernel's own frame starts at 0; a called function's depends on the depth of the call.
    if (function_.syntax->is_entry) return literal(static_cast<uint64_t>(offset), type);
    Operation op = prototype_;
    op.opcode = Opcode::read_special;
    op.flags = flag::internal;
    op.weight = 0;
    op.guard = Guarded::no;
    op.special = Special::frame_local;
    op.immediate = offset;
    op.type = type == Type::none ? Type::u64 : bits_of(type) == 64 ? Type::u64 : Type::u32;
    op.result_count = 1;
    op.d[0] = new_register(slot_class(op.type));
    draft_.operations.push_back(op);
    return op.d[0];
}

std::optional<Value> Decoder::use_symbol(std::string_view name, int64_t offset, Type type) {
    if (const auto symbol = scopes_.find(name)) {
        switch (symbol->kind) {
            case Symbol::Kind::kernel_parameter: return literal(symbol->offset + offset, type);
            case Symbol::Kind::local: return frame_local_address(static_cast<int64_t>(symbol->offset) + offset, type);
            case Symbol::Kind::shared: return shared_address(*symbol->shared, offset, type);
            default: fail(fmt::format("the address of {}", name)); return Value{};
        }
    }
    if (const ImageVariable* variable = building_.image.variable(name, function_.module)) {
        if (variable->syntax->space == "shared") return shared_address(*variable->syntax, offset, type);
        return literal(building_.addresses.variable(*variable) + offset, type);
    }
    if (const ImageFunction* function = building_.image.function(name, function_.module))
        return literal(building_.addresses.function(*function) + offset, type);
    return std::nullopt;
}

Value Decoder::address(const ptx::Operand& operand, Operation& op) {
    if (operand.kind != ptx::Operand::Kind::address) return fail("an address operand of this form"), Value{};
    op.address_bits = 64;
    if (operand.name.empty()) {
        op.immediate = operand.offset;
        return literal(0, Type::u64);
    }
    if (const auto reg = find_register(operand.name)) {
        op.immediate = operand.offset;
        Value v;
        v.offset = *reg;
        const SlotClass c = draft_.registers[*reg];
        if (c == SlotClass::bits32) op.address_bits = 32;
        else if (c != SlotClass::bits64) fail(fmt::format("address {} is no address register", operand.name));
        return v;
    }
    op.immediate = 0;
    if (const auto value = use_symbol(operand.name, operand.offset, Type::u64)) return *value;
    return fail(fmt::format("unknown name {}", operand.name)), Value{};
}

}  // namespace lanescope::program
