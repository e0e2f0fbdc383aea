/// \file
/// Values that are the same for every thread of a launch are computed once, not once per warp.
#pragma once

#include <vector>

#include "program/draft.h"

namespace lanescope::program {

/// Moves operations of a kernel whose inputs are literals, kernel parameters or the shape of the launch
/// (and whose result register is written nowhere else) to `prologue`, and makes their results constants.
/// The operations that stay carry the moved ones in Operation::weight, so instruction counts do not change.
void hoist_launch_values(Draft& kernel, std::vector<std::vector<uint32_t>>& branch_tables, std::vector<Value>& lists,
                         ConstantPool& constants, std::vector<Operation>& prologue);

}  // namespace lanescope::program
