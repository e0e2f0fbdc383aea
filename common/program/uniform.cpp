#include "program/uniform.h"

#include <algorithm>

#include "program/control_flow.h"

namespace lanescope::program {
namespace {

bool is_launch_wide(Special special) {
    switch (special) {
        case Special::ntid_x: case Special::ntid_y: case Special::ntid_z:
        case Special::nctaid_x: case Special::nctaid_y: case Special::nctaid_z:
        case Special::nwarpid: case Special::nsmid: case Special::gridid:
        case Special::total_smem_size: case Special::dynamic_smem_size: case Special::aggr_smem_size:
        case Special::envreg:
            return true;
        default:
            return false;
    }
}

// Computes its result from its sources alone, and cannot fail.
bool is_pure(const Operation& op) {
    switch (op.opcode) {
        case Opcode::read_special: return is_launch_wide(op.special);
        case Opcode::ld: return op.space == Space::param && op.lane_stride_bytes == 0;
        case Opcode::mov: case Opcode::cvta: case Opcode::cvt: case Opcode::add: case Opcode::sub: case Opcode::mul:
        case Opcode::mad: case Opcode::fma: case Opcode::div: case Opcode::rem: case Opcode::neg: case Opcode::abs:
        case Opcode::min: case Opcode::max: case Opcode::and_: case Opcode::or_: case Opcode::xor_: case Opcode::not_:
        case Opcode::shl: case Opcode::shr: case Opcode::setp: case Opcode::selp: case Opcode::rcp: case Opcode::sqrt:
            return !op.has(flag::cc);
        default: return false;
    }
}

}  // namespace

void hoist_launch_values(Draft& kernel, std::vector<std::vector<uint32_t>>& branch_tables, std::vector<Value>& lists,
                         ConstantPool& constants, std::vector<Operation>& prologue) {
    std::vector<uint32_t> definitions(kernel.registers.size(), 0);
    for (Operation& op : kernel.operations)
        for_each_register(op, lists, [&](Value& v, bool is_result) { definitions[v.offset] += is_result; });

    const std::vector<Block> blocks = split_into_blocks(kernel, branch_tables);
    std::vector<Value> constant_of(kernel.registers.size());      // base 1: the register is this constant
    std::vector<bool> moved(kernel.operations.size(), false);
    for (const Block& block : blocks) {
        for (uint32_t i = block.first; i <= block.last; ++i) {
            Operation& op = kernel.operations[i];
            for_each_register(op, lists, [&](Value& v, bool is_result) {
                if (!is_result && constant_of[v.offset].base == 1) v = constant_of[v.offset];
            });
            const bool constant_sources = std::all_of(op.s, op.s + op.source_count, [](Value v) { return v.base == 1; });
            if (op.guard != Guarded::no || op.result_count != 1 || op.list_count != 0 || !constant_sources ||
                !is_pure(op) || definitions[op.d[0].offset] != 1)
                continue;
            const uint32_t reg = op.d[0].offset;
            if (op.opcode == Opcode::mov && op.negated == 0) {
                constant_of[reg] = op.s[0];
            } else {
                constant_of[reg] = constants.reserve(kernel.registers[reg]);
                op.d[0] = constant_of[reg];
                prologue.push_back(op);
            }
            moved[i] = true;
        }
        // One operation of the block carries the weight of those that moved: the first that every lane
        // executes. (Lanes that reach a meeting point one after the other execute it more than once.)
        uint32_t keeper = block.first;
        while (keeper <= block.last && (moved[keeper] || kernel.operations[keeper].opcode == Opcode::reconverge)) ++keeper;
        if (keeper > block.last) {
            keeper = block.first;
            while (keeper <= block.last && !moved[keeper]) ++keeper;
            if (keeper > block.last) continue;   // nothing moved
            Operation& op = kernel.operations[keeper];   // becomes a reconverge operation that no branch names
            const uint32_t weight = op.weight;
            op = Operation{};
            op.opcode = Opcode::reconverge;
            op.flags = flag::internal;
            op.weight = weight;
            moved[keeper] = false;
        }
        for (uint32_t i = block.first; i <= block.last; ++i)
            if (moved[i]) kernel.operations[keeper].weight += kernel.operations[i].weight;
    }
    // A register used in a block that the text places before its definition.
    for (Operation& op : kernel.operations)
        for_each_register(op, lists, [&](Value& v, bool is_result) {
            if (!is_result && constant_of[v.offset].base == 1) v = constant_of[v.offset];
        });

    std::vector<Operation> operations;
    std::vector<uint32_t> new_index(kernel.operations.size());
    for (size_t i = 0; i < kernel.operations.size(); ++i) {
        new_index[i] = static_cast<uint32_t>(operations.size());   // of a moved one: the operation behind it
        if (!moved[i]) operations.push_back(kernel.operations[i]);
    }
    kernel.operations = std::move(operations);
    retarget(kernel, branch_tables, new_index);
}

}  // namespace lanescope::program
