/// \file
/// Virtual registers to slots of the frame: registers that are never live at the same time share one.
#pragma once

#include <vector>

#include "program/control_flow.h"
#include "program/draft.h"

namespace lanescope::program {

struct FrameLayout {
    uint32_t frame_bytes = 0;   ///< parameter area and slots, a multiple of 64
    int registers = 0;          ///< modelled: the most 32-bit values live at once
};

/// Replaces every virtual register in the draft (and in `lists`) by its slot. PTX gives each value a
/// register of its own, thousands of them in an unrolled kernel; sharing keeps a warp's frame in the
/// host's cache. Slots are shared only within a class, so that the lanes of one register never overlap
/// other lanes of another: diverged parts of a warp run in the same frame.
FrameLayout assign_slots(Draft& draft, const std::vector<std::vector<uint32_t>>& branch_tables, std::vector<Value>& lists);

}  // namespace lanescope::program
