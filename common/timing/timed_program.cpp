#include "timing/timed_program.h"

#include <unordered_map>

namespace lanescope::timing {

using program::Opcode;
using program::Operation;
using program::Space;

namespace {

Path path_of(const Operation& op) {
    switch (op.opcode) {
        case Opcode::ld: case Opcode::ldu: case Opcode::st: case Opcode::atom: case Opcode::red: case Opcode::cp_async:
            switch (op.space) {
                case Space::shared: return Path::shared;
                case Space::local: return Path::local;
                case Space::constant: case Space::param: return Path::constant;
                default: return Path::global;
            }
        default: return Path::arithmetic;
    }
}

bool is_clock(const Operation& op) {
    using program::Special;
    return op.opcode == Opcode::read_special && op.special >= Special::clock && op.special <= Special::globaltimer_hi;
}

}  // namespace

TimedProgram timed(const program::Program& program, const Costs& costs) {
    TimedProgram result;
    std::unordered_map<uint32_t, uint16_t> ids;   // of places in a frame
    const auto add = [&](program::Value value) {
        if (value.base != 0) return 0;   // constants are always ready
        const auto id = ids.try_emplace(value.offset, static_cast<uint16_t>(ids.size())).first->second;
        result.registers.push_back(id);
        return 1;
    };
    for (const Operation& op : program.operations) {
        TimedOperation timed;
        timed.first = static_cast<uint32_t>(result.registers.size());
        timed.path = path_of(op);
        const bool stores = op.opcode == Opcode::st;
        int sources = 0, results = 0;
        if (op.guard != program::Guarded::no) sources += add(op.guard_value);
        for (int i = 0; i < op.source_count; ++i) sources += add(op.s[i]);
        const auto add_list = [&] {
            int count = 0;
            for (uint32_t i = 0; i < op.list_count; ++i) count += add(program.lists[op.list + i]);
            return count;
        };
        if (stores) sources += add_list();
        for (int i = 0; i < op.result_count; ++i) results += add(op.d[i]);
        if (!stores) results += add_list();
        timed.sources = static_cast<uint16_t>(sources);
        timed.results = static_cast<uint16_t>(results);
        const Cost cost = cost_of(op, costs);
        timed.latency = static_cast<float>(cost.latency);
        timed.interval = static_cast<float>(timed.path == Path::arithmetic ? cost.interval : 1) * static_cast<float>(op.weight);
        if (op.weight == 0 || op.has(program::flag::internal)) timed.interval = 0;
        result.reads_clock = result.reads_clock || is_clock(op);
        result.operations.push_back(timed);
    }
    result.register_count = ids.size();
    return result;
}

}  // namespace lanescope::timing
