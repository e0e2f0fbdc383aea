/// \file
/// Local memory: what each thread calls its own array.
///
///     MemoryTraffic t = local_traffic({offset, 0xFFFFFFFF, 4});   // offsets in each thread's local memory
///
/// It is ordinary memory, laid out for warps: word w of all 32 lanes lies side by side in one line. Lanes that use the same
/// index touch 4 sectors; lanes that each use another index touch one sector each, 32 together. Host side only.
#pragma once

#include "access/global.h"
#include "access/request.h"

namespace lanescope::access {

/// Where byte `offset` of a lane's local memory lies in the warp's.
constexpr uint64_t local_address(uint64_t offset, uint32_t lane) { return offset / 4 * line_bytes + lane * 4 + offset % 4; }

MemoryTraffic local_traffic(const Request& request, const Rules& rules);

}  // namespace lanescope::access
