// How lanes part and meet: splits, joins, returns and exits. The data structures are explained in warp.h.
#include <algorithm>
#include <bit>
#include <cstring>

#include "machine/grid.h"

namespace lanescope::machine {

using program::no_reconvergence;

Join* Grid::new_join() {
    if (spare_joins_.empty()) return &joins_.emplace_back();
    Join* join = spare_joins_.back();
    spare_joins_.pop_back();
    *join = Join{};
    return join;
}
void Grid::free_join(Join* join) { spare_joins_.push_back(join); }

// The join for lanes of `fragment` that will meet at `meet`: the one they have already, or a new one.
Join* Grid::join_at(Warp& warp, Fragment& fragment, uint32_t meet) {
    if (meet == no_reconvergence) return fragment.join;
    Join* outer = fragment.join;
    if (outer && !outer->is_call && outer->pc == meet && outer->frame == fragment.frame) return outer;
    Join* join = new_join();
    join->pc = meet;
    join->frame = fragment.frame;
    join->parent = outer;
    join->expected = fragment.lanes;
    warp.joins.push_back(join);
    return join;
}

// Lanes `taken` of the running fragment go to `target`, the others to `next`; all meet at `meet`.
void Grid::split(Warp& warp, uint32_t taken, uint32_t target, uint32_t next, uint32_t meet) {
    Fragment& fragment = warp.fragments[warp.current];
    const uint32_t rest = fragment.lanes & ~taken;
    fragment.join = join_at(warp, fragment, meet);
    if (target == meet) {
        fragment.join->arrived |= taken;
        fragment.lanes = rest;
        fragment.pc = next;
    } else if (next == meet) {
        fragment.join->arrived |= rest;
        fragment.lanes = taken;
        fragment.pc = target;
    } else {
        Fragment other = fragment;
        other.lanes = taken;
        other.pc = target;
        fragment.lanes = rest;
        fragment.pc = next;
        warp.fragments.push_back(other);
    }
}

// Each lane of `mask` goes to its own target (brx), the others to the next operation.
void Grid::split_to_targets(Warp& warp, const uint32_t (&target)[warp_size], uint32_t mask, uint32_t meet) {
    constexpr uint32_t undecided = no_reconvergence - 1;   // lanes not yet sent to their target: not at the meeting point
    const uint32_t next = warp.fragments[warp.current].pc + 1;
    bool all_sent = false;
    for (uint32_t rest = mask; rest != 0;) {
        const uint32_t first = target[std::countr_zero(rest)];
        uint32_t group = 0;
        for (uint32_t r = rest; r != 0; r &= r - 1)
            if (target[std::countr_zero(r)] == first) group |= r & -r;
        rest &= ~group;
        if (group == warp.fragments[warp.current].lanes) {
            warp.fragments[warp.current].pc = first;
            all_sent = true;
        } else {
            split(warp, group, first, undecided, meet);
        }
    }
    if (!all_sent) warp.fragments[warp.current].pc = next;
}

// The running fragment is at its join's meeting point.
void Grid::reach_meeting_point(Warp& warp) {
    Fragment& fragment = warp.fragments[warp.current];
    Join* join = fragment.join;
    join->arrived |= fragment.lanes;
    if (join->arrived == join->expected) {
        fragment.lanes = join->arrived;
        fragment.join = join->parent;
        std::erase(warp.joins, join);
        free_join(join);
    } else {
        remove_lanes(warp, fragment.lanes);
    }
}

// Takes lanes out of the running fragment; without any left it is gone.
void Grid::remove_lanes(Warp& warp, uint32_t lanes) {
    Fragment& fragment = warp.fragments[warp.current];
    fragment.lanes &= ~lanes;
    if (fragment.lanes == 0) warp.fragments.erase(warp.fragments.begin() + warp.current);
}

// A join that expects fewer lanes than before may be complete, or empty. True if its lanes go on.
bool Grid::settle(Warp& warp, Join* join) {
    if (join->expected != 0 && join->arrived != join->expected) return false;
    const bool goes_on = join->expected != 0;
    if (goes_on) {
        Fragment fragment;
        fragment.pc = join->pc;
        fragment.lanes = join->arrived;
        fragment.frame = join->frame;
        fragment.join = join->parent;
        warp.fragments.push_back(fragment);
    }
    std::erase(warp.joins, join);
    free_join(join);
    return goes_on;
}

// The joins from `first` up to (not including) `last` expect the lanes no longer.
void Grid::leave_joins(Warp& warp, Join* first, const Join* last, uint32_t lanes) {
    for (Join* join = first; join != last;) {
        Join* parent = join->parent;
        join->expected &= ~lanes;
        settle(warp, join);
        join = parent;
    }
}

void Grid::exit_lanes(Warp& warp, uint32_t lanes) {
    const Fragment fragment = warp.fragments[warp.current];
    // They leave every frame on the way up. The kernel's own frame lives as long as the warp.
    auto leave_frame = [&](Frame* frame) {
        frame->lanes &= ~lanes;
        if (frame->lanes == 0 && frame->depth > 0) free_frame(frame);
    };
    leave_frame(fragment.frame);
    for (const Join* join = fragment.join; join; join = join->parent)
        if (join->is_call) leave_frame(join->frame);
    warp.exited |= lanes;
    warp.block->exited += std::popcount(lanes);
    ++warp.fragments[warp.current].pc;
    remove_lanes(warp, lanes);
    leave_joins(warp, fragment.join, nullptr, lanes);
    retry_collectives(warp);
    if (warp.block->barriers_in_use) complete_barriers(*warp.block);
    note_write();
}

// All lanes that were left exit together.
void Grid::finish_warp(Warp& warp) {
    Block& block = *warp.block;
    block.exited += std::popcount(warp.present & ~warp.exited);
    warp.exited = warp.present;
    warp.fragments.clear();
    for (Join* join : warp.joins) free_join(join);
    warp.joins.clear();
    if (block.barriers_in_use) complete_barriers(block);
    note_write();
}

void Grid::return_lanes(Warp& warp, uint32_t lanes) {
    const Fragment fragment = warp.fragments[warp.current];
    if (fragment.frame->depth == 0) return exit_lanes(warp, lanes);
    Join* call = fragment.join;
    while (!call->is_call) call = call->parent;
    // Results go from the function's frame to the variables that the call names.
    const program::Program& program = setup_.program;
    const auto& results = program.functions[fragment.frame->function].returns;
    const auto& variables = program.calls[program.operations[call->call_pc].target].returns;
    for (size_t i = 0; i < results.size() && i < variables.size(); ++i) {
        const uint32_t bytes = std::min(results[i].lane_stride_bytes, variables[i].lane_stride_bytes);
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            std::memcpy(call->frame->registers + variables[i].frame_offset + lane * variables[i].lane_stride_bytes,
                        fragment.frame->registers + results[i].frame_offset + lane * results[i].lane_stride_bytes, bytes);
        }
    }
    fragment.frame->lanes &= ~lanes;
    if (fragment.frame->lanes == 0) free_frame(fragment.frame);
    ++warp.fragments[warp.current].pc;
    remove_lanes(warp, lanes);
    leave_joins(warp, fragment.join, call, lanes);
    call->arrived |= lanes;
    if (settle(warp, call)) warp.fragments.back().watch = fragment.watch;   // a loop that waits may do so in a function
    if (!warp.fragments.empty()) warp.current = static_cast<uint32_t>(warp.fragments.size() - 1);
}

// Lanes that arrived at a join go on without the others. True if there were any.
bool Grid::release_waiting_lanes(Warp& warp) {
    for (auto join = warp.joins.rbegin(); join != warp.joins.rend(); ++join) {
        if ((*join)->arrived == 0) continue;
        Fragment fragment;
        fragment.pc = (*join)->pc;
        fragment.lanes = (*join)->arrived;
        fragment.frame = (*join)->frame;
        fragment.join = (*join)->parent;
        (*join)->expected &= ~fragment.lanes;
        (*join)->arrived = 0;
        warp.fragments.push_back(fragment);
        return true;
    }
    return false;
}

}  // namespace lanescope::machine
