// Operations between the lanes of a warp: shuffles, votes, match, redux, elect and __syncwarp.
//
// A .sync operation names the lanes that take part. If some are elsewhere, those that are there wait until
// the others reach an operation of the same kind with the same mask (perhaps at another place in the code), or
// exit. Lanes of one fragment may name different masks: each group then meets on its own.
#include <bit>
#include <span>

#include "machine/grid.h"

namespace lanescope::machine {

using program::Atomic;
using program::Opcode;
using program::Operation;
using program::Type;
namespace flag = program::flag;

namespace {

// One fragment that takes part.
struct Participant {
    LaneState lanes;
    const Operation* op;
};

// The operand that holds the mask of lanes: the last source.
uint32_t member_mask(const LaneState& lanes, const Operation& op) {
    if (op.source_count == 0) return lanes.mask;
    return source<uint32_t>(lanes, op.s[op.source_count - 1])[std::countr_zero(lanes.mask)];
}

// Those of `lanes` that name the same mask as the first of them does.
uint32_t lanes_with_mask_of_first(const LaneState& state, const Operation& op, uint32_t lanes) {
    const program::Value v = op.s[op.source_count - 1];
    if (v.base == 1) return lanes;   // a literal
    const uint32_t* member = source<uint32_t>(state, v);
    uint32_t same = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
        if (member[std::countr_zero(rest)] == member[std::countr_zero(lanes)]) same |= rest & -rest;
    return same;
}

bool same_kind(const Operation& a, const Operation& b) {
    return a.opcode == b.opcode && a.flags == b.flags && a.type == b.type && a.atomic == b.atomic;
}

uint64_t lane_value(const LaneState& lanes, program::Value v, Type type, int lane) {
    return program::bits_of(type) == 64 ? source<uint64_t>(lanes, v)[lane] : source<uint32_t>(lanes, v)[lane];
}

template <class F>
void for_lanes(uint32_t mask, F f) {
    for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

// shfl: PTX ISA, "shfl.sync". b: offset or source lane; c: clamp in bits 0-4, segment mask in bits 8-12.
void shuffle(std::span<Participant> participants, uint32_t members) {
    uint32_t value[warp_size] = {};
    for (const Participant& p : participants)
        for_lanes(p.lanes.mask, [&](int lane) { value[lane] = source<uint32_t>(p.lanes, p.op->s[0])[lane]; });
    for (Participant& p : participants) {
        const Operation& op = *p.op;
        const uint32_t* b = source<uint32_t>(p.lanes, op.s[1]);
        const uint32_t* c = source<uint32_t>(p.lanes, op.s[2]);
        uint32_t valid = 0;
        uint32_t received[warp_size];
        for_lanes(p.lanes.mask, [&](int lane) {
            const int offset = b[lane] & 31, clamp = c[lane] & 31, segment = (c[lane] >> 8) & 31;
            const int highest = (lane & segment) | (clamp & ~segment);
            const int lowest = lane & segment;
            int from;
            bool in_range;
            if (op.has(flag::up)) from = lane - offset, in_range = from >= highest;
            else if (op.has(flag::down)) from = lane + offset, in_range = from <= highest;
            else if (op.has(flag::bfly)) from = lane ^ offset, in_range = from <= highest;
            else from = lowest | (offset & ~segment), in_range = from <= highest;
            if (!in_range) from = lane;
            valid |= static_cast<uint32_t>(in_range) << lane;
            // Reading a lane that does not take part is undefined; here it gives 0.
            received[lane] = (members >> from) & 1 ? value[from] : 0;
        });
        uint32_t* d = result<uint32_t>(p.lanes, op.d[0]);
        for_lanes(p.lanes.mask, [&](int lane) { d[lane] = received[lane]; });
        if (op.result_count == 2) set_predicate(p.lanes, op.d[1], valid);
    }
}

void vote(std::span<Participant> participants, uint32_t members) {
    uint32_t ballot = 0;
    for (const Participant& p : participants) ballot |= predicate(p.lanes, p.op->s[0], p.op->negated & 1) & p.lanes.mask;
    for (Participant& p : participants) {
        const Operation& op = *p.op;
        if (op.has(flag::ballot)) {
            uint32_t* d = result<uint32_t>(p.lanes, op.d[0]);
            for_lanes(p.lanes.mask, [&](int lane) { d[lane] = ballot; });
        } else {
            const bool truth = op.has(flag::all) ? ballot == members : op.has(flag::any) ? ballot != 0 : ballot == members || ballot == 0;
            set_predicate(p.lanes, op.d[0], truth ? full_mask : 0);
        }
    }
}

void match(std::span<Participant> participants, uint32_t members) {
    uint64_t value[warp_size] = {};
    for (const Participant& p : participants)
        for_lanes(p.lanes.mask, [&](int lane) { value[lane] = lane_value(p.lanes, p.op->s[0], p.op->type, lane); });
    auto equal_to = [&](uint64_t v) {
        uint32_t mask = 0;
        for_lanes(members, [&](int lane) { mask |= static_cast<uint32_t>(value[lane] == v) << lane; });
        return mask;
    };
    for (Participant& p : participants) {
        uint32_t found[warp_size];
        for_lanes(p.lanes.mask, [&](int lane) {
            found[lane] = equal_to(value[lane]);
            if (p.op->has(flag::all) && found[lane] != members) found[lane] = 0;
        });
        uint32_t* d = result<uint32_t>(p.lanes, p.op->d[0]);
        uint32_t all = 0;
        for_lanes(p.lanes.mask, [&](int lane) {
            d[lane] = found[lane];
            all |= static_cast<uint32_t>(found[lane] == members) << lane;
        });
        if (p.op->result_count == 2) set_predicate(p.lanes, p.op->d[1], all);
    }
}

uint32_t reduce(Atomic atomic, Type type, uint32_t a, uint32_t b) {
    switch (atomic) {
        case Atomic::add: return a + b;
        case Atomic::and_: return a & b;
        case Atomic::or_: return a | b;
        case Atomic::xor_: return a ^ b;
        case Atomic::min: return is_signed(type) ? std::min<int32_t>(a, b) : std::min(a, b);
        default: return is_signed(type) ? std::max<int32_t>(a, b) : std::max(a, b);
    }
}

void redux(std::span<Participant> participants, uint32_t) {
    bool first = true;
    uint32_t total = 0;
    for (const Participant& p : participants)
        for_lanes(p.lanes.mask, [&](int lane) {
            const uint32_t value = source<uint32_t>(p.lanes, p.op->s[0])[lane];
            total = first ? value : reduce(p.op->atomic, p.op->type, total, value);
            first = false;
        });
    for (Participant& p : participants) {
        uint32_t* d = result<uint32_t>(p.lanes, p.op->d[0]);
        for_lanes(p.lanes.mask, [&](int lane) { d[lane] = total; });
    }
}

void elect(std::span<Participant> participants, uint32_t members) {
    const int leader = std::countr_zero(members);
    for (Participant& p : participants) {
        uint32_t* d = result<uint32_t>(p.lanes, p.op->d[0]);
        for_lanes(p.lanes.mask, [&](int lane) { d[lane] = leader; });
        if (p.op->result_count == 2) set_predicate(p.lanes, p.op->d[1], 1u << leader);
    }
}

void execute(std::span<Participant> participants) {
    uint32_t members = 0;
    for (const Participant& p : participants) members |= p.lanes.mask;
    switch (participants.front().op->opcode) {
        case Opcode::shfl: return shuffle(participants, members);
        case Opcode::vote: return vote(participants, members);
        case Opcode::match: return match(participants, members);
        case Opcode::redux: return redux(participants, members);
        case Opcode::elect: return elect(participants, members);
        default: return;   // bar.warp.sync: meeting is all
    }
}

}  // namespace

bool is_collective(const Operation& op) {
    switch (op.opcode) {
        case Opcode::shfl:
        case Opcode::match:
        case Opcode::elect:
        case Opcode::activemask:
        case Opcode::vote: return true;
        case Opcode::redux:
            return program::bits_of(op.type) == 32 && !program::is_floating(op.type) && op.only_flags(flag::sync);
        case Opcode::bar: return op.has(flag::warp);
        default: return false;
    }
}

// True if it was executed; false if the running fragment waits for other lanes.
bool Grid::collective(Warp& warp, const Operation& op, uint32_t mask) {
    if (op.opcode == Opcode::activemask) {
        uint32_t* d = result<uint32_t>(warp, op.d[0]);
        for_lanes(mask, [&](int lane) { d[lane] = mask; });
        return true;
    }
    uint32_t waiting[warp_size];   // groups with lanes that are elsewhere
    int waiting_count = 0;
    uint32_t going_on = warp.fragments[warp.current].lanes;
    for (uint32_t rest = mask; rest != 0;) {
        Participant group{warp, &op};
        group.lanes.mask = op.has(flag::sync) ? lanes_with_mask_of_first(warp, op, rest) : rest;
        const uint32_t needed = op.has(flag::sync) ? member_mask(group.lanes, op) & warp.present & ~warp.exited : 0;
        if ((needed & ~group.lanes.mask) == 0) {
            execute({&group, 1});
        } else {
            waiting[waiting_count++] = group.lanes.mask;
            going_on &= ~group.lanes.mask;
        }
        rest &= ~group.lanes.mask;
    }
    if (waiting_count == 0) return true;
    Fragment fragment = warp.fragments[warp.current];
    warp.fragments.erase(warp.fragments.begin() + warp.current);
    auto add = [&](uint32_t lanes, uint32_t pc, Fragment::State state) {
        fragment.lanes = lanes;
        fragment.pc = pc;
        fragment.state = state;
        warp.fragments.push_back(fragment);
    };
    for (int i = 0; i < waiting_count; ++i) add(waiting[i], warp.pc, Fragment::State::at_warp_sync);
    if (going_on != 0) add(going_on, warp.pc + 1, Fragment::State::ready);
    retry_collectives(warp);
    return false;
}

// Executes what waits for lanes that have all arrived or exited by now.
void Grid::retry_collectives(Warp& warp) {
    const auto& operations = setup_.program.operations;
    for (size_t i = 0; i < warp.fragments.size(); ++i) {
        if (warp.fragments[i].state != Fragment::State::at_warp_sync) continue;
        const Operation& op = operations[warp.fragments[i].pc];
        auto lanes_of = [&](const Fragment& f) { return LaneState{.base = {f.frame->registers, constants_}, .mask = f.lanes}; };
        const uint32_t members = member_mask(lanes_of(warp.fragments[i]), op);
        std::vector<Participant> participants;
        std::vector<size_t> indices;
        uint32_t here = 0;
        for (size_t k = 0; k < warp.fragments.size(); ++k) {
            const Fragment& other = warp.fragments[k];
            if (other.state != Fragment::State::at_warp_sync) continue;
            const Operation& other_op = operations[other.pc];
            const LaneState lanes = lanes_of(other);
            if (!same_kind(op, other_op) || member_mask(lanes, other_op) != members) continue;
            participants.push_back({lanes, &other_op});
            indices.push_back(k);
            here |= other.lanes;
        }
        if ((members & warp.present & ~warp.exited & ~here) != 0) continue;
        execute(participants);
        for (const size_t k : indices) {
            warp.fragments[k].state = Fragment::State::ready;
            ++warp.fragments[k].pc;
        }
        note_write();
    }
}

}  // namespace lanescope::machine
