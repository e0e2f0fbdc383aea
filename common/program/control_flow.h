/// \file
/// Where the lanes of a warp that took different branches meet again: the immediate post-dominator.
#pragma once

#include <cstdint>
#include <vector>

#include "program/draft.h"

namespace lanescope::program {

/// Straight-line pieces of a draft and the edges between them.
struct Block {
    uint32_t first = 0, last = 0;          ///< operations [first, last]
    std::vector<uint32_t> successors;      ///< block numbers
    bool leaves = false;                   ///< ends the function for the lanes that get there
};
std::vector<Block> split_into_blocks(const Draft& draft, const std::vector<std::vector<uint32_t>>& branch_tables);

/// Immediate post-dominator of each block; no_reconvergence: only the end of the function.
std::vector<uint32_t> immediate_post_dominators(const std::vector<Block>& blocks);

/// Turns branches to a `ret` into `ret`, as ptxas does: lanes that leave early are not waited for, so they
/// must not move the meeting point of the others. Then inserts a `reconverge` operation at each meeting
/// point and fills in Operation::reconverge.
void place_reconvergence(Draft& draft, std::vector<std::vector<uint32_t>>& branch_tables);

/// Moves every branch target t of the draft to new_index[t].
void retarget(Draft& draft, std::vector<std::vector<uint32_t>>& branch_tables, const std::vector<uint32_t>& new_index);

}  // namespace lanescope::program
