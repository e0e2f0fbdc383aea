// Branches on which lanes disagree, calls, barriers of a block, and the ends of threads.
#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "machine/grid.h"

namespace lanescope::machine {

using program::Opcode;
using program::Operation;

void Grid::control(Warp& warp, const Operation& op, uint32_t mask) {
    Fragment& fragment = warp.fragments[warp.current];
    const uint32_t pc = fragment.pc;
    switch (op.opcode) {
        case Opcode::bra:
            return split(warp, mask, op.target, pc + 1, op.reconverge);
        case Opcode::brx: {
            const auto& table = setup_.program.branch_tables[op.target];
            const uint32_t* index = source<uint32_t>(warp, op.s[0]);
            uint32_t target[warp_size] = {};
            for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
                const int lane = std::countr_zero(rest);
                if (index[lane] >= table.size())
                    return raise(FaultKind::invalid_pc, warp, lane, fmt::format("branch {} of a table of {}", index[lane], table.size()));
                target[lane] = table[index[lane]];
            }
            return split_to_targets(warp, target, mask, op.reconverge);
        }
        case Opcode::call: return call(warp, op, mask);
        case Opcode::ret: return return_lanes(warp, mask);
        case Opcode::exit: return exit_lanes(warp, mask);
        case Opcode::bar: return barrier(warp, op, mask);
        case Opcode::alloca_:
        case Opcode::stacksave:
        case Opcode::stackrestore: return stack(warp, op, mask);
        case Opcode::trap: return raise(FaultKind::trap, warp, std::countr_zero(mask), "__trap() was called");
        case Opcode::unsupported:
            return raise(FaultKind::unsupported, warp, std::countr_zero(mask), setup_.program.messages[op.target]);
        default:   // nanosleep, brkpt, pmevent, …: no effect on values
            ++fragment.pc;
    }
}

Frame* Grid::new_frame(uint32_t function) {
    auto& spare = spare_frames_[function];
    if (!spare.empty()) {
        Frame* frame = spare.back();
        spare.pop_back();
        std::fill_n(frame->stack_bytes, warp_size, 0);
        return frame;
    }
    Frame* frame = &frames_.emplace_back();
    const size_t bytes = std::max<size_t>(setup_.program.functions[function].frame_bytes, 64);
    frame->registers = static_cast<std::byte*>(std::aligned_alloc(64, bytes));
    std::memset(frame->registers, 0, bytes);
    frame->function = function;
    return frame;
}
void Grid::free_frame(Frame* frame) { spare_frames_[frame->function].push_back(frame); }

// The first byte of local memory that no lane of `lanes` uses in this frame or above it.
uint64_t Grid::end_of_local(const Frame& frame, uint32_t lanes) const {
    uint32_t most = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) most = std::max(most, frame.stack_bytes[std::countr_zero(rest)]);
    return (uint64_t{frame.local_base} + setup_.program.functions[frame.function].local_bytes + most + 15) / 16 * 16;
}

// alloca, stacksave and stackrestore: each lane has an array of its own size behind the frame's variables.
void Grid::stack(Warp& warp, const Operation& op, uint32_t mask) {
    Fragment& fragment = warp.fragments[warp.current];
    Frame& frame = *fragment.frame;
    warp.base[0] = frame.registers;
    const uint64_t start = uint64_t{frame.local_base} + setup_.program.functions[frame.function].local_bytes;
    const bool wide = program::bits_of(op.type) == 64;
    auto operand = [&](int lane) { return wide ? source<uint64_t>(warp, op.s[0])[lane] : source<uint32_t>(warp, op.s[0])[lane]; };
    auto give = [&](int lane, uint64_t value) {
        if (wide) result<uint64_t>(warp, op.d[0])[lane] = value;
        else result<uint32_t>(warp, op.d[0])[lane] = static_cast<uint32_t>(value);
    };
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        uint32_t& used = frame.stack_bytes[lane];
        if (op.opcode == Opcode::stacksave) {
            give(lane, used);
        } else if (op.opcode == Opcode::stackrestore) {
            if (operand(lane) > used)
                return raise(FaultKind::illegal_instruction, warp, lane, "stackrestore of a value that stacksave did not give");
            used = static_cast<uint32_t>(operand(lane));
        } else {
            const auto alignment = static_cast<uint64_t>(op.immediate);
            const uint64_t bytes = operand(lane), address = (start + used + alignment - 1) / alignment * alignment;
            if (bytes > most_local_bytes || !grow_local(warp, address + bytes))
                return raise(FaultKind::stack_overflow, warp, lane,
                             fmt::format("stack overflow: alloca of {} bytes with {} bytes of local memory in use", bytes, start + used));
            used = static_cast<uint32_t>(address + bytes - start);
            give(lane, address);
        }
    }
    note_write();
    ++fragment.pc;
}

// Makes the running fragment enter a function.
void Grid::enter(Warp& warp, const program::Call& call, uint32_t function, uint32_t lanes, Join* join) {
    const program::FunctionCode& code = setup_.program.functions[function];
    const Frame* caller = join->frame;
    Frame* frame = new_frame(function);
    frame->lanes = lanes;
    frame->depth = caller->depth + 1;
    frame->local_base = static_cast<uint32_t>(end_of_local(*caller, lanes));
    if (frame->depth > deepest_call || !grow_local(warp, uint64_t{frame->local_base} + code.local_bytes)) {
        free_frame(frame);
        return raise(FaultKind::stack_overflow, warp, std::countr_zero(lanes),
                     fmt::format("stack overflow: {} calls deep, {} bytes of local memory a thread", caller->depth,
                                 uint64_t{caller->local_base}));
    }
    for (size_t i = 0; i < code.parameters.size() && i < call.arguments.size(); ++i) {
        const auto from = call.arguments[i], to = code.parameters[i];
        const uint32_t bytes = std::min(from.lane_stride_bytes, to.lane_stride_bytes);
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            std::memcpy(frame->registers + to.frame_offset + lane * to.lane_stride_bytes,
                        caller->registers + from.frame_offset + lane * from.lane_stride_bytes, bytes);
        }
    }
    Fragment& fragment = warp.fragments[warp.current];
    fragment.frame = frame;
    fragment.join = join;
    fragment.lanes = lanes;
    fragment.pc = code.entry;
}

void Grid::call(Warp& warp, const Operation& op, uint32_t mask) {
    const program::Call& call = setup_.program.calls[op.target];
    if (call.kind == program::Call::Kind::builtin) {
        builtin(warp, call, mask);
        ++warp.fragments[warp.current].pc;
        return;
    }
    const Fragment caller = warp.fragments[warp.current];
    // The lanes of each function that is called. Lanes that are guarded off wait behind the call.
    std::vector<std::pair<uint32_t, uint32_t>> groups;
    if (call.kind == program::Call::Kind::direct) {
        groups.emplace_back(call.function, mask);
    } else {
        const uint64_t* target = source<uint64_t>(warp, op.s[0]);
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            const auto found = setup_.program.function_at.find(target[lane]);
            if (found == setup_.program.function_at.end())
                return raise(FaultKind::invalid_pc, warp, lane, fmt::format("call through a pointer to {:#x}, which is no function", target[lane]));
            const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == found->second; });
            if (group == groups.end()) groups.emplace_back(found->second, rest & -rest);
            else group->second |= rest & -rest;
        }
    }
    Join* join = new_join();
    join->pc = caller.pc + 1;
    join->is_call = true;
    join->frame = caller.frame;
    join->parent = caller.join;
    join->expected = caller.lanes;
    join->arrived = caller.lanes & ~mask;
    join->call_pc = caller.pc;
    warp.joins.push_back(join);
    for (size_t g = 0; g < groups.size() && !fault_; ++g) {
        if (g > 0) {
            warp.fragments.push_back(caller);
            warp.current = static_cast<uint32_t>(warp.fragments.size() - 1);
        }
        enter(warp, call, groups[g].first, groups[g].second, join);
    }
}

void Grid::barrier(Warp& warp, const Operation& op, uint32_t mask) {
    const int first = std::countr_zero(mask);
    const uint32_t number = source<uint32_t>(warp, op.s[0])[first];
    const uint32_t wanted = source<uint32_t>(warp, op.s[1])[first];
    Block& block = *warp.block;
    if (number >= block.barriers.size())
        return raise(FaultKind::illegal_instruction, warp, first, fmt::format("barrier {}: a block has barriers 0 to 15", number));
    Barrier& barrier = block.barriers[number];
    block.barriers_in_use = true;
    const uint32_t alive = warp.present & ~warp.exited;
    // With a thread count, a warp that arrives whole counts as 32 threads even if it is the block's last, short one.
    barrier.arrived += wanted != 0 && mask == alive ? warp_size : std::popcount(mask);
    if (wanted != 0) barrier.wanted = wanted;
    if (op.has(program::flag::red)) {
        barrier.voted += std::popcount(mask);
        barrier.count_true += std::popcount(mask & predicate(warp, op.s[2], (op.negated >> 2) & 1));
    }
    note_write();
    Fragment& fragment = warp.fragments[warp.current];
    if (op.has(program::flag::arrive)) {
        ++fragment.pc;
    } else {
        if (mask != fragment.lanes) {   // lanes that are guarded off go on
            Fragment rest = fragment;
            rest.lanes &= ~mask;
            ++rest.pc;
            fragment.lanes = mask;
            warp.fragments.push_back(rest);
        }
        Fragment& waiting = warp.fragments[warp.current];
        waiting.state = Fragment::State::at_barrier;
        waiting.barrier = static_cast<uint8_t>(number);
    }
    complete_barriers(block);
}

void Grid::complete_barriers(Block& block) {
    block.barriers_in_use = false;
    for (uint32_t number = 0; number < block.barriers.size(); ++number) {
        Barrier& barrier = block.barriers[number];
        if (barrier.arrived == 0) continue;
        const uint32_t wanted = barrier.wanted != 0 ? barrier.wanted : block.threads - block.exited;
        if (barrier.arrived < wanted) {
            block.barriers_in_use = true;
            continue;
        }
        synchronise_clocks(block);
        for (Warp& warp : block.warps)
            for (Fragment& fragment : warp.fragments) {
                if (fragment.state != Fragment::State::at_barrier || fragment.barrier != number) continue;
                const Operation& op = setup_.program.operations[fragment.pc];
                if (op.has(program::flag::red)) {
                    LaneState lanes{.base = {fragment.frame->registers, constants_}, .mask = fragment.lanes};
                    if (op.has(program::flag::popc)) {
                        uint32_t* d = result<uint32_t>(lanes, op.d[0]);
                        for_active_lanes(lanes, [&](int lane) { d[lane] = barrier.count_true; });
                    } else {
                        const bool all = op.boolean == program::Boolean::and_;
                        set_predicate(lanes, op.d[0], (all ? barrier.count_true == barrier.voted : barrier.count_true > 0) ? full_mask : 0);
                    }
                }
                fragment.state = Fragment::State::ready;
                ++fragment.pc;
            }
        barrier = Barrier{};
    }
}

}  // namespace lanescope::machine
