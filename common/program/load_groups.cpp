#include "program/load_groups.h"

#include <set>

namespace lanescope::program {
namespace {

bool is_control(Opcode opcode) {
    switch (opcode) {
        case Opcode::bra:
        case Opcode::brx:
        case Opcode::call:
        case Opcode::ret:
        case Opcode::exit:
        case Opcode::bar:
        case Opcode::reconverge: return true;
        default: return false;
    }
}

}  // namespace

void mark_load_groups(Draft& draft, const std::vector<std::vector<uint32_t>>& branch_tables, std::vector<Value>& lists) {
    std::set<uint32_t> targets;
    for (const Operation& op : draft.operations) {
        if (op.opcode == Opcode::bra) targets.insert(op.target);
        if (op.opcode == Opcode::brx) targets.insert(branch_tables[op.target].begin(), branch_tables[op.target].end());
    }
    bool in_flight = false;
    std::set<uint32_t> awaited;   // registers that loads in flight will write
    for (uint32_t i = 0; i < draft.operations.size(); ++i) {
        Operation& op = draft.operations[i];
        bool waits = is_control(op.opcode) || targets.contains(i);
        for_each_register(op, lists, [&](Value& v, bool) { waits |= awaited.contains(v.offset); });
        if (waits) {
            in_flight = false;
            awaited.clear();
        }
        if (op.opcode != Opcode::ld) continue;
        op.with_last_load = in_flight;
        in_flight = true;
        for_each_register(op, lists, [&](Value& v, bool is_result) {
            if (is_result) awaited.insert(v.offset);
        });
    }
}

}  // namespace lanescope::program
