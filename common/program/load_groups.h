/// \file
/// Which loads are in flight together: those between which the warp does not wait for a result.
///
///     mark_load_groups(draft, branch_tables, lists);      // sets Operation::with_last_load
///
/// A warp issues a load and goes on; it waits where an operation reads the result. Until then further loads join
/// the first. Groups end at branches, barriers and calls, too: what lies behind is not followed. Host side only.
#pragma once

#include <cstdint>
#include <vector>

#include "program/draft.h"

namespace lanescope::program {

void mark_load_groups(Draft& draft, const std::vector<std::vector<uint32_t>>& branch_tables, std::vector<Value>& lists);

}  // namespace lanescope::program
