// The main loop: one warp executes until its turn ends.
#include "machine/warp.h"

#include "machine/grid.h"

namespace lanescope::machine {

using program::Guarded;
using program::Opcode;
using program::Operation;

namespace {

constexpr int loops_per_turn = 256;             // backward branches before another warp gets its turn
constexpr uint32_t repeats_when_waiting = 8;    // see Fragment::repeats
constexpr uint32_t repeats_before_release = 1024;

// What the first lane of a load or atomic saw: its address and the value it got.
uint64_t seen_by_first_lane(const Warp& warp, const Operation& op, const program::Program& program) {
    const int lane = std::countr_zero(warp.mask);
    uint64_t seen = op.address_bits == 32 ? source<uint32_t>(warp, op.s[0])[lane] : source<uint64_t>(warp, op.s[0])[lane];
    const bool in_list = op.list_count > 0;
    if (op.result_count > 0 || in_list) {
        const program::Value v = in_list ? program.lists[op.list] : op.d[0];
        const uint64_t value = program::bits_of(op.type) == 64 ? source<uint64_t>(warp, v)[lane] : source<uint32_t>(warp, v)[lane];
        seen ^= value * 0x9E3779B97F4A7C15ull;
    }
    return seen;
}

}  // namespace

Grid::Stop Grid::run_warp(Warp& warp) {
    const Operation* const operations = setup_.program.operations.data();
    const Step* const steps = setup_.steps.data();
    int loops_left = loops_per_turn;
    for (;;) {   // once for each fragment that runs in this turn
        if (fault_ || warp.done()) return Stop::finished;
        if (warp.current >= warp.fragments.size()) warp.current = 0;
        if (warp.fragments[warp.current].state != Fragment::State::ready) {
            if (!warp.has_ready() && !release_waiting_lanes(warp)) return Stop::blocked;
            while (warp.fragments[warp.current].state != Fragment::State::ready)
                warp.current = (warp.current + 1) % warp.fragments.size();
        }
        Fragment& fragment = warp.fragments[warp.current];
        warp.frame = fragment.frame;
        warp.base[0] = fragment.frame->registers;
        const uint32_t active = fragment.lanes;
        uint32_t pc = fragment.pc;
        for (bool same_fragment = true; same_fragment;) {
            const Operation& op = operations[pc];
            const Step& step = steps[pc];
            executed_ += op.weight;
            uint32_t mask = active;
            if (op.guard != Guarded::no) mask &= predicate(warp, op.guard_value, op.guard == Guarded::if_false);
            switch (step.kind) {
                case StepKind::plain:
                    if (mask != 0) {
                        warp.mask = mask;
                        step.handler(warp, op);
                    }
                    ++pc;
                    break;
                case StepKind::memory:
                case StepKind::yielding:
                    if (mask != 0) {
                        warp.mask = mask;
                        warp.pc = pc;
                        warp.site = &sites_[pc];
                        step.handler(warp, op);
                        if (fault_) return Stop::finished;
                    }
                    ++pc;
                    if (step.kind == StepKind::memory || mask == 0) break;
                    fragment.pc = pc;
                    {
                        const uint64_t seen = seen_by_first_lane(warp, op, setup_.program);
                        const bool again = fragment.last_pc == pc && fragment.last_seen == seen;
                        fragment.repeats = again ? fragment.repeats + 1 : 0;
                        fragment.last_pc = pc;
                        fragment.last_seen = seen;
                    }
                    if (fragment.repeats >= repeats_when_waiting) {
                        // It waits for another thread: its siblings first, then lanes that wait for it at a join.
                        if (fragment.repeats % repeats_before_release == 0) release_waiting_lanes(warp);
                        warp.current = (warp.current + 1) % warp.fragments.size();
                    }
                    return Stop::yielded;
                case StepKind::control:
                    if (op.opcode == Opcode::bra && (mask == active || mask == 0)) {
                        const uint32_t next = mask == 0 ? pc + 1 : op.target;
                        const bool backward = next <= pc;
                        pc = next;
                        if (backward && --loops_left == 0) {
                            fragment.pc = pc;
                            warp.current = (warp.current + 1) % warp.fragments.size();
                            return Stop::yielded;
                        }
                    } else if (op.opcode == Opcode::reconverge) {
                        const Join* join = fragment.join;
                        if (join && join->pc == pc && join->frame == fragment.frame && !join->is_call) {
                            fragment.pc = pc;
                            reach_meeting_point(warp);
                            same_fragment = false;
                        } else {
                            ++pc;
                        }
                    } else if (mask == 0) {
                        ++pc;
                    } else {
                        fragment.pc = warp.pc = pc;
                        warp.mask = mask;
                        if (op.opcode == Opcode::bra && op.target <= pc) --loops_left;
                        control(warp, op, mask);
                        if (fault_) return Stop::finished;
                        if (loops_left <= 0) {
                            if (!warp.fragments.empty()) warp.current = (warp.current + 1) % warp.fragments.size();
                            return warp.done() ? Stop::finished : Stop::yielded;
                        }
                        same_fragment = false;
                    }
                    break;
                case StepKind::collective:
                    if (mask == 0) {
                        ++pc;
                        break;
                    }
                    fragment.pc = warp.pc = pc;
                    warp.mask = mask;
                    if (collective(warp, op, mask)) ++pc;
                    else same_fragment = false;
                    if (fault_) return Stop::finished;
                    break;
            }
        }
    }
}

bool Grid::all_stuck() {
    for (const auto& block : window_)
        for (const Warp& warp : block->warps)
            for (const Fragment& fragment : warp.fragments)
                if (fragment.state == Fragment::State::ready && fragment.repeats < repeats_when_waiting) return false;
    return true;
}

}  // namespace lanescope::machine
