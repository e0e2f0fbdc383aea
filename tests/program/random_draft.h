// Random functions on virtual registers, and random ways through them.
#pragma once

#include <random>
#include <vector>

#include "program/draft.h"

namespace lanescope::program::test {

struct RandomFunction {
    Draft draft;
    std::vector<std::vector<uint32_t>> tables;
    std::vector<Value> lists;
};

// Registers of all classes; operations with guards, two results, lists of registers, literals, branches
// forwards and backwards, and switches. The last operation is a ret.
inline RandomFunction random_function(std::mt19937& random) {
    RandomFunction f;
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    for (uint32_t r = 4 + below(12); r > 0; --r) f.draft.registers.push_back(static_cast<SlotClass>(below(4)));
    f.draft.registers.push_back(SlotClass::predicate);
    f.draft.parameter_area_bytes = below(3) * 128;
    const auto any_register = [&] {
        Value v;
        v.offset = below(static_cast<uint32_t>(f.draft.registers.size()));
        return v;
    };
    const auto any_value = [&] {
        Value v = any_register();
        if (below(4) == 0) v.base = 1;
        return v;
    };
    const uint32_t count = 3 + below(25);
    for (uint32_t i = 0; i + 1 < count; ++i) {
        Operation op;
        if (below(4) == 0) op.guard = below(2) ? Guarded::if_true : Guarded::if_false;
        op.guard_value.offset = static_cast<uint32_t>(f.draft.registers.size() - 1);
        switch (below(8)) {
            case 0:
                op.opcode = Opcode::bra;
                op.target = below(count);
                break;
            case 1:
                op.opcode = Opcode::brx;
                op.target = static_cast<uint32_t>(f.tables.size());
                f.tables.push_back({below(count), below(count), below(count)});
                op.s[0] = any_value();
                op.source_count = 1;
                break;
            case 2:
                op.opcode = below(2) ? Opcode::ld : Opcode::st;
                op.vector_width = op.list_count = 2;
                op.list = static_cast<uint32_t>(f.lists.size());
                f.lists.push_back(any_register());
                f.lists.push_back(any_register());
                op.s[0] = any_value();
                op.source_count = 1;
                break;
            case 3:
                op.opcode = below(3) ? Opcode::setp : Opcode::ret;
                if (op.opcode == Opcode::ret) break;
                op.d[0] = any_register();
                op.d[1] = any_register();
                op.result_count = 2;
                op.s[0] = any_value();
                op.source_count = 1;
                break;
            default:
                op.opcode = Opcode::add;
                op.d[0] = any_register();
                op.result_count = 1;
                op.source_count = static_cast<uint8_t>(below(4));
                for (int s = 0; s < op.source_count; ++s) op.s[s] = any_value();
        }
        f.draft.operations.push_back(op);
    }
    f.draft.operations.emplace_back().opcode = Opcode::ret;
    return f;
}

// One way through a function. Two versions of it that take the same decisions take the same way.
class Walk {
public:
    Walk(const Draft& draft, const std::vector<std::vector<uint32_t>>& tables, uint32_t seed)
        : draft_(draft), tables_(tables), random_(seed) {}

    bool ended() const { return pc_ >= draft_.operations.size(); }
    uint32_t pc() const { return pc_; }
    // Whether the guard of the operation at pc() holds, and goes to the next operation.
    bool step() {
        const Operation& op = draft_.operations[pc_];
        const bool holds = op.guard == Guarded::no || decide(2) == 1;
        ++pc_;
        if (!holds) return false;
        if (op.opcode == Opcode::bra) pc_ = op.target;
        if (op.opcode == Opcode::brx)
            pc_ = tables_[op.target][decide(static_cast<uint32_t>(tables_[op.target].size()))];
        if (op.opcode == Opcode::ret || op.opcode == Opcode::exit)
            pc_ = static_cast<uint32_t>(draft_.operations.size());
        return true;
    }

private:
    uint32_t decide(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

    const Draft& draft_;
    const std::vector<std::vector<uint32_t>>& tables_;
    std::mt19937 random_;
    uint32_t pc_ = 0;
};

}  // namespace lanescope::program::test
