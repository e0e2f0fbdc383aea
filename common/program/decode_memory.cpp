// Loads, stores, atomics, asynchronous copies and fences.
#include <algorithm>

#include <fmt/format.h>

#include "program/decoder.h"

namespace lanescope::program {

bool Decoder::decode_memory(const ptx::Instruction& instruction, Operation& op) {
    switch (op.opcode) {
        case Opcode::ld:
        case Opcode::ldu: decode_load(instruction, op); return true;
        case Opcode::st: decode_store(instruction, op); return true;
        case Opcode::atom:
        case Opcode::red: decode_atomic(instruction, op); return true;
        case Opcode::cp_async: decode_cp_async(instruction, op); return true;
        case Opcode::cp_async_bulk: decode_bulk_copy(instruction, op); return true;
        case Opcode::mbarrier: decode_mbarrier(instruction, op); return true;
        case Opcode::createpolicy: decode_cache_policy(instruction, op); return true;
        case Opcode::prefetch:
        case Opcode::prefetchu:
        case Opcode::discard:
        case Opcode::applypriority:   // hints: they change no value
        case Opcode::membar:
        case Opcode::fence: emit(op); return true;
        default: return false;
    }
}

// A .param variable of the kernel or of a function, or an address in parameter space.
// Loads and stores of all other spaces go through address().
namespace {
bool is_parameter(const std::optional<Symbol>& symbol) {
    return symbol && (symbol->kind == Symbol::Kind::frame_variable || symbol->kind == Symbol::Kind::kernel_parameter);
}
}  // namespace

void Decoder::decode_load(const ptx::Instruction& instruction, Operation& op) {
    const auto& operands = instruction.operands;
    if (!expect(operands.size() >= 2 && op.type != Type::none, "operands of this form")) return;
    if (op.space == Space::constant && operands[1].elements.size() > 0) return fail("a constant bank");
    const auto symbol = scopes_.find(operands[1].name);
    if (op.space == Space::param && is_parameter(symbol)) {
        op.s[0] = literal(0, Type::u64);
        op.immediate = operands[1].offset;
        if (symbol->kind == Symbol::Kind::kernel_parameter) {
            op.immediate += static_cast<int64_t>(symbol->offset);
        } else {
            op.frame_offset = symbol->frame.frame_offset;
            op.lane_stride_bytes = symbol->frame.lane_stride_bytes;
            const int64_t bytes = bits_of(op.type) / 8 * op.vector_width;
            if (op.immediate < 0 || op.immediate + bytes > op.lane_stride_bytes) return fail("a parameter read past its end");
        }
    } else {
        op.s[0] = address(operands[1], op);
    }
    op.source_count = 1;
    if (op.vector_width > 1) {
        if (!expect(operands[0].elements.size() == op.vector_width, "a vector of this length")) return;
        std::vector<Value> list;
        for (const ptx::Operand& element : operands[0].elements) list.push_back(define(element, op.type));
        op.list = static_cast<uint32_t>(building_.program.lists.size());
        op.list_count = op.vector_width;
        building_.program.lists.insert(building_.program.lists.end(), list.begin(), list.end());
    } else {
        op.d[0] = define(operands[0], op.type);
        op.result_count = 1;
    }
    emit(op);
}

void Decoder::decode_store(const ptx::Instruction& instruction, Operation& op) {
    const auto& operands = instruction.operands;
    if (!expect(operands.size() >= 2 && op.type != Type::none, "operands of this form")) return;
    const auto symbol = scopes_.find(operands[0].name);
    if (op.space == Space::param && symbol && symbol->kind == Symbol::Kind::frame_variable) {
        op.s[0] = literal(0, Type::u64);
        op.immediate = operands[0].offset;
        op.frame_offset = symbol->frame.frame_offset;
        op.lane_stride_bytes = symbol->frame.lane_stride_bytes;
        const int64_t bytes = bits_of(op.type) / 8 * op.vector_width;
        if (op.immediate < 0 || op.immediate + bytes > op.lane_stride_bytes) return fail("a parameter written past its end");
    } else if (op.space == Space::param) {
        return fail("a store to a parameter of the kernel");
    } else {
        op.s[0] = address(operands[0], op);
    }
    op.source_count = 1;
    if (op.vector_width > 1) {
        if (!expect(operands[1].elements.size() == op.vector_width, "a vector of this length")) return;
        std::vector<Value> list;
        for (const ptx::Operand& element : operands[1].elements) list.push_back(use(element, op.type));
        op.list = static_cast<uint32_t>(building_.program.lists.size());
        op.list_count = op.vector_width;
        building_.program.lists.insert(building_.program.lists.end(), list.begin(), list.end());
    } else {
        op.s[1] = use(operands[1], op.type);
        op.source_count = 2;
    }
    emit(op);
}

void Decoder::decode_atomic(const ptx::Instruction& instruction, Operation& op) {
    const auto& operands = instruction.operands;
    const size_t results = op.opcode == Opcode::atom ? 1 : 0;
    const size_t values = op.atomic == Atomic::cas ? 2 : 1;
    if (!expect(op.atomic != Atomic::none && op.type != Type::none && operands.size() >= results + 1 + values,
                "operands of this form"))
        return;
    op.s[0] = address(operands[results], op);
    op.source_count = 1;
    if (op.vector_width > 1) {
        const auto& sources = operands[results + 1].elements;
        if (!expect(sources.size() == op.vector_width && values == 1 &&
                        (results == 0 || operands[0].elements.size() == op.vector_width), "a vector of this length"))
            return;
        std::vector<Value> list;
        if (results == 1)
            for (const ptx::Operand& element : operands[0].elements) list.push_back(define(element, op.type));
        for (const ptx::Operand& element : sources) list.push_back(use(element, op.type));
        op.list = static_cast<uint32_t>(building_.program.lists.size());
        op.list_count = static_cast<uint8_t>(list.size());
        building_.program.lists.insert(building_.program.lists.end(), list.begin(), list.end());
        return emit(op);
    }
    for (size_t i = 0; i < values; ++i) op.s[op.source_count++] = use(operands[results + 1 + i], op.type);
    if (results == 1) {
        op.d[0] = define(operands[0], op.type);
        op.result_count = 1;
    }
    emit(op);
}

// createpolicy d, how: accesses pass the policy on as a hint, so that its value does not matter.
void Decoder::decode_cache_policy(const ptx::Instruction& instruction, Operation& op) {
    if (!expect(op.type == Type::b64 && !instruction.operands.empty(), "operands of this form")) return;
    op.opcode = Opcode::mov;
    op.space = Space::generic;
    op.d[0] = define(instruction.operands[0], Type::b64);
    op.s[0] = literal(0, Type::b64);
    op.result_count = op.source_count = 1;
    emit(op);
}

// An address with its offset added, of 64 bits: for operations that have more than one.
Value Decoder::whole_address(const ptx::Operand& operand) {
    Operation of_operand;
    Value value = address(operand, of_operand);
    if (of_operand.address_bits != 64) value = convert(value, Type::u32, Type::u64);
    if (of_operand.immediate == 0) return value;
    Operation add = prototype_;
    add.opcode = Opcode::add;
    add.flags = flag::internal;
    add.weight = 0;
    add.guard = Guarded::no;
    add.type = Type::u64;
    add.s[0] = value;
    add.s[1] = literal(static_cast<uint64_t>(of_operand.immediate), Type::u64);
    add.d[0] = new_register(SlotClass::bits64);
    add.source_count = 2;
    add.result_count = 1;
    draft_.operations.push_back(add);
    return add.d[0];
}

// cp.async [shared], [global], bytes {, bytes to read}: the rest of the destination is filled with zeros.
void Decoder::decode_cp_async(const ptx::Instruction& instruction, Operation& op) {
    if (op.has(flag::sync)) return emit(op);   // commit and wait: the copy was made when it was issued
    const auto& operands = instruction.operands;
    if (!expect(operands.size() >= 3 && operands[2].kind == ptx::Operand::Kind::immediate, "operands of this form")) return;
    const uint64_t bytes = operands[2].immediate.bits;
    if (!expect(bytes == 4 || bytes == 8 || bytes == 16, "a copy of this size")) return;
    op.s[0] = address(operands[0], op);
    op.s[1] = whole_address(operands[1]);
    op.type = bytes == 4 ? Type::b32 : bytes == 8 ? Type::b64 : Type::b128;
    op.source_count = 2;
    const auto& words = instruction.modifiers;
    const bool has_policy = std::find(words.begin(), words.end(), "L2::cache_hint") != words.end();   // the last operand; a hint
    if (operands.size() - has_policy > 3) {
        op.s[2] = use(operands[3], Type::u32);
        op.source_count = 3;
    }
    emit(op);
}

// cp.async.bulk [to], [from], bytes {, [barrier object]} {, cache policy}. s[0]: to; s[1]: from; s[2]: bytes; s[3]: barrier object, for
// copies to shared memory.
void Decoder::decode_bulk_copy(const ptx::Instruction& instruction, Operation& op) {
    if (op.has(flag::sync)) return emit(op);   // commit, wait, prefetch: a copy is made when it is issued
    const auto& operands = instruction.operands;
    const bool to_shared = op.space == Space::shared && (op.space2 == Space::global || op.space2 == Space::shared);
    if (!expect(to_shared || (op.space == Space::global && op.space2 == Space::shared), "a bulk copy between these spaces") ||
        !expect(operands.size() >= (to_shared ? 4 : 3), "operands of this form"))
        return;
    op.s[0] = whole_address(operands[0]);
    op.s[1] = whole_address(operands[1]);
    op.s[2] = use(operands[2], Type::u32);
    if (to_shared) op.s[3] = whole_address(operands[3]);
    op.source_count = to_shared ? 4 : 3;
    emit(op);
}

// init [a], count   inval [a]   arrive {state,} [a] {, count}   expect_tx, complete_tx [a], bytes   arrive.expect_tx {state,} [a], bytes
//   test_wait p, [a], state or parity   pending_count n, state
// s[0]: address (of pending_count: the state); s[1]: count, bytes, state or parity.
void Decoder::decode_mbarrier(const ptx::Instruction& instruction, Operation& op) {
    const auto& operands = instruction.operands;
    if (!expect(op.mbarrier != Mbarrier::none && op.type == Type::b64 && !operands.empty(), "a barrier object of this form")) return;
    if (op.mbarrier == Mbarrier::pending_count) {
        if (!expect(operands.size() == 2, "operands of this form")) return;
        op.d[0] = define(operands[0], Type::u32);
        op.s[0] = use(operands[1], Type::b64);
        op.result_count = op.source_count = 1;
        return emit(op);
    }
    const bool waits = op.mbarrier == Mbarrier::test_wait;
    size_t next = 0;
    if (operands[0].kind != ptx::Operand::Kind::address) {
        op.d[0] = define(operands[next++], waits ? Type::pred : Type::b64);
        op.result_count = 1;
    }
    const bool counts_bytes = op.mbarrier == Mbarrier::expect_tx || op.mbarrier == Mbarrier::arrive_expect_tx || op.mbarrier == Mbarrier::complete_tx;
    const bool needs_value = waits || op.mbarrier == Mbarrier::init || counts_bytes;
    if (!expect(operands.size() > next + needs_value && (!waits || op.result_count == 1), "operands of this form")) return;
    op.s[0] = address(operands[next++], op);
    op.source_count = 1;
    if (next < operands.size()) {   // behind the state of a wait comes at most a hint for how long
        op.s[1] = use(operands[next], waits && !op.has(flag::parity) ? Type::b64 : Type::u32);
        op.source_count = 2;
    }
    emit(op);
}

}  // namespace lanescope::program
