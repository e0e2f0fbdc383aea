/// \file
/// Atomic operations on global memory: what a request costs at the L2 cache, which carries them out.
///
///     uint64_t sectors = atomic_sectors({address, 0xFFFFFFFF, 4}, Collisions::combined);
///
/// Lanes with distinct addresses travel together, in as many sectors as a store of theirs. Lanes that share an address take
/// one pass each, and every pass counts its sectors: 32 lanes on 8 neighbouring floats are 4 passes of 1 sector.
///
/// But where the compiler can prove that all lanes use one address, it lets the warp add up first and one lane bring the sum:
/// 1 sector. It does so for integers (32-bit add; 64-bit add of a constant; min, max, and, or, xor whose result nobody
/// uses), never for floats, whose sum would depend on the order.
///
/// Measured with Nsight Compute on an H200 (tests/gold). Host side only.
#pragma once

#include "access/request.h"

namespace lanescope::access {

enum class Collisions : uint8_t { combined, one_by_one };

uint64_t atomic_sectors(const Request& request, Collisions collisions);

}  // namespace lanescope::access
