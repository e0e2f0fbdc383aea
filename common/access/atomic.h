/// \file
/// Atomic operations on global memory: what a request costs at the L2 cache, which carries them out.
///
///     uint64_t sectors = atomic_sectors({address, 0xFFFFFFFF, 4}, Collisions::combined);
///
/// Lanes with distinct addresses travel together, in as many sectors as a store of theirs. What happens to lanes that share an
/// address depends on the operation:
/// - Integer additions and the like are combined on the way: one operand for each address, so as many sectors as distinct
///   ones (32 lanes that add to one counter: 1).
/// - Others, float additions first of all, cannot be: each pass takes one lane of each address, and every pass counts its
///   sectors (32 lanes on 8 neighbouring floats: 4 passes of 1 sector).
///
/// Measured with Nsight Compute on an H200. Host side only.
#pragma once

#include "access/request.h"

namespace lanescope::access {

enum class Collisions : uint8_t { combined, one_by_one };

uint64_t atomic_sectors(const Request& request, Collisions collisions);

}  // namespace lanescope::access
