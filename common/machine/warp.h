/// \file
/// A warp: 32 lanes, the parts they have diverged into, and the frames of the functions they run.
///
/// Divergence. The lanes that run together form a fragment: a program counter and a mask. A branch on
/// which lanes disagree splits its fragment in two and notes a join: where they meet again (the immediate
/// post-dominator), which lanes are expected there, and which have arrived. When all have, they go on as
/// one fragment. A call is a join too: its meeting point is the operation behind the call.
/// Lanes that exit are expected no longer. See divergence.cpp.
///
/// Joins order nothing that a program may rely on, so lanes never wait at one for ever: if the other
/// lanes of the warp only spin or wait, those that arrived go on alone (Volta's forward progress).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "machine/lanes.h"
#include "program/program.h"
#include "timing/scoreboard.h"

namespace lanescope::machine {

class Grid;
struct Block;
struct Site;

/// Registers of one function for the lanes that run it.
struct Frame {
    std::byte* registers = nullptr;
    uint32_t function = 0;          ///< index in Program::functions
    uint32_t lanes = 0;             ///< those that have not returned
    uint32_t local_base = 0;        ///< where its .local variables start in each lane's local memory
    uint32_t stack_bytes[warp_size] = {};   ///< what alloca took behind them
    uint32_t depth = 0;             ///< calls above it
};

struct Join {
    uint32_t pc = 0;                ///< where the lanes meet; of a call: behind it
    bool is_call = false;
    Frame* frame = nullptr;         ///< the frame they are in then
    Join* parent = nullptr;         ///< the join that they belong to then
    uint32_t expected = 0, arrived = 0;
    uint32_t call_pc = 0;           ///< of a call: the call operation, which says where results go
};

/// Waiting for another thread shows as a loop whose loads see the same values round after round. A round
/// is what happens from one visit of `head`, some operation in the loop, to the next: see note_turn (warp.cpp).
struct Watch {
    uint32_t head = 0xFFFFFFFF;
    uint32_t turns = 0;                 ///< of this round so far
    uint64_t seen = 0, seen_before = 0; ///< hash of what this round and the last one saw
    uint32_t repeats = 0;               ///< rounds that saw the same as the one before
};

struct Fragment {
    enum class State : uint8_t { ready, at_barrier, at_warp_sync };
    uint32_t pc = 0;
    uint32_t lanes = 0;
    Frame* frame = nullptr;
    Join* join = nullptr;
    State state = State::ready;
    uint8_t barrier = 0;            ///< at_barrier: which
    Watch watch{};
};

struct Warp : LaneState {
    Grid* grid = nullptr;
    Block* block = nullptr;
    Site* site = nullptr;           ///< counters and address cache of the memory operation that runs
    uint32_t index = 0;             ///< in its block
    uint32_t present = 0;           ///< lanes that exist: the last warp of a block may have fewer than 32
    uint32_t exited = 0;
    uint32_t current = 0;           ///< index of the fragment that runs
    std::vector<Fragment> fragments;
    std::vector<Join*> joins;       ///< all that still expect lanes
    Frame* frame = nullptr;         ///< of the running fragment
    Frame* root = nullptr;          ///< of the kernel itself; kept from block to block
    uint32_t pc = 0;                ///< of the running operation
    uint32_t load_group = 0;        ///< of the loads that are in flight
    bool has_clock = false;         ///< `clock` runs
    timing::Scoreboard clock;
    uint64_t executed = 0;          ///< PTX instructions since the block started
    std::vector<std::byte> local;   ///< .local memory, lane after lane
    uint32_t local_stride_bytes = 0;

    bool done() const { return fragments.empty(); }
    bool has_ready() const {
        for (const Fragment& f : fragments)
            if (f.state == Fragment::State::ready) return true;
        return false;
    }
};

}  // namespace lanescope::machine
