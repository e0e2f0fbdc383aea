// The main loop: one warp executes until its turn ends.
#include "machine/warp.h"

#include <cstring>

#include "machine/grid.h"

namespace lanescope::machine {

using program::Guarded;
using program::Opcode;
using program::Operation;

namespace {

constexpr int loops_per_turn = 256;             // backward branches and calls before another warp gets its turn
constexpr uint32_t longest_round = 16;          // turns of a loop that is recognised as waiting: see Watch
constexpr uint32_t repeats_when_waiting = 8;
// Lanes that wait at a join go on alone after that many repeats of a loop that others are in.
constexpr uint32_t repeats_before_release = 1024;        // rounds of loads
constexpr uint32_t tries_before_release = 32;            // rounds of atomics: a lock, which may be held by those that wait
constexpr uint32_t long_repeats_before_release = 16;     // rounds of loops_per_turn iterations

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

// A turn ended at `pc`, after the warp saw `seen`.
void note_turn(Watch& watch, uint32_t pc, uint64_t seen) {
    watch.seen = (watch.seen ^ seen ^ pc) * 0xD6E8FEB86659FD93ull;
    watch.seen ^= watch.seen >> 32;
    if (pc == watch.head) {
        watch.repeats = watch.seen == watch.seen_before ? watch.repeats + 1 : 0;
        watch.seen_before = watch.seen;
    } else {
        if (++watch.turns < longest_round) return;
        watch.head = pc;
        watch.repeats = 0;
    }
    watch.turns = 0;
    watch.seen = 0;
}

}  // namespace

uint64_t Grid::frame_hash(const Frame& frame) const {
    uint64_t hash = 0xCBF29CE484222325ull;
    const size_t bytes = setup_.program.functions[frame.function].frame_bytes;
    for (size_t i = 0; i + 8 <= bytes; i += 8) {
        uint64_t word;
        std::memcpy(&word, frame.registers + i, 8);
        hash = (hash ^ word) * 0x100000001B3ull;
        hash ^= hash >> 29;
    }
    return hash;
}

// The running fragment has looped for a whole turn. If its registers are as they were at the end of the
// turn before, it waits for memory to change: its siblings get their turn, and in time those that wait for it.
void Grid::end_long_turn(Warp& warp) {
    if (warp.done()) return;
    if (warp.current >= warp.fragments.size()) warp.current = 0;
    Fragment& fragment = warp.fragments[warp.current];
    note_turn(fragment.watch, fragment.pc, frame_hash(*fragment.frame));
    const uint32_t repeats = fragment.watch.repeats;
    if (repeats > 0 && repeats % long_repeats_before_release == 0) release_waiting_lanes(warp);
    warp.current = (warp.current + 1) % warp.fragments.size();
}

template <bool with_clock>
Grid::Stop Grid::run_warp(Warp& warp) {
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
        uint64_t executed = executed_;   // in a register; written back before anything looks at it
        for (bool same_fragment = true; same_fragment;) {
            const Step& step = steps[pc];
            const Operation& op = *step.operation;
            executed += step.weight;
            if constexpr (with_clock) issue(warp, pc);
            uint32_t mask = active;
            if (step.guard != Guarded::no) mask &= predicate(warp, step.guard_value, step.guard == Guarded::if_false);
            switch (step.kind) {
                case StepKind::plain:
                    if (mask != 0) {
                        warp.mask = mask;
                        step.handler(warp, op);
                        if constexpr (with_clock) complete(warp, pc);
                    }
                    ++pc;
                    break;
                case StepKind::memory:
                case StepKind::yielding:
                    executed_ = executed;
                    if (mask != 0) {
                        warp.mask = mask;
                        warp.pc = pc;
                        warp.site = &sites_[pc];
                        step.handler(warp, op);
                        if (fault_) return Stop::finished;
                        if constexpr (with_clock) complete(warp, pc);
                    }
                    ++pc;
                    if (step.kind == StepKind::memory || mask == 0) break;
                    fragment.pc = pc;
                    note_turn(fragment.watch, pc, seen_by_first_lane(warp, op, setup_.program));
                    if (const uint32_t repeats = fragment.watch.repeats; repeats >= repeats_when_waiting) {
                        // It waits for another thread: its siblings first, then lanes that wait for it at a join.
                        if (repeats % (op.opcode == Opcode::atom ? tries_before_release : repeats_before_release) == 0) release_waiting_lanes(warp);
                        warp.current = (warp.current + 1) % warp.fragments.size();
                    }
                    return Stop::yielded;
                case StepKind::control:
                    executed_ = executed;
                    if (op.opcode == Opcode::bra && (mask == active || mask == 0)) {
                        const uint32_t next = mask == 0 ? pc + 1 : op.target;
                        const bool backward = next <= pc;
                        pc = next;
                        if (backward && --loops_left == 0) {
                            fragment.pc = pc;
                            end_long_turn(warp);
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
                    } else if (op.opcode == Opcode::ret && mask == (warp.present & ~warp.exited) && fragment.frame == warp.root) {
                        // The usual end of a warp: all lanes at once. (With all lanes here, no join expects any.)
                        finish_warp(warp);
                        return Stop::finished;
                    } else {
                        fragment.pc = warp.pc = pc;
                        warp.mask = mask;
                        // Recursion and branches through tables loop too.
                        if (op.opcode == Opcode::bra ? op.target <= pc : op.opcode == Opcode::brx || op.opcode == Opcode::call) --loops_left;
                        control(warp, op, mask);
                        if (fault_) return Stop::finished;
                        if (loops_left <= 0) {
                            end_long_turn(warp);
                            return warp.done() ? Stop::finished : Stop::yielded;
                        }
                        same_fragment = false;
                    }
                    break;
                case StepKind::collective:
                    executed_ = executed;
                    if (mask == 0) {
                        ++pc;
                        break;
                    }
                    fragment.pc = warp.pc = pc;
                    warp.mask = mask;
                    if constexpr (with_clock) complete(warp, pc);
                    if (collective(warp, op, mask)) ++pc;
                    else same_fragment = false;
                    if (fault_) return Stop::finished;
                    break;
            }
        }
    }
}

template Grid::Stop Grid::run_warp<false>(Warp&);
template Grid::Stop Grid::run_warp<true>(Warp&);

bool Grid::all_stuck() {
    for (const auto& block : window_)
        for (const Warp& warp : block->warps)
            for (const Fragment& fragment : warp.fragments)
                if (fragment.state == Fragment::State::ready && fragment.watch.repeats < repeats_when_waiting) return false;
    return true;
}

}  // namespace lanescope::machine
