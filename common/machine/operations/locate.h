/// \file
/// Where the operand of an atomic operation is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/warp.h"

namespace lanescope::machine {

/// Host memory of the `bytes` bytes at a lane's address, in the operation's space (global, shared or generic).
/// nullptr after a fault was raised: misaligned, or no memory that may be written. `global` tells whether
/// the operand is in global memory, which is counted.
std::byte* locate(Warp& warp, const program::Operation& op, int lane, uint64_t address, uint64_t bytes, bool& global);

}  // namespace lanescope::machine
