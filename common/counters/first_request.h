/// \file
/// The first request that a memory instruction made during a launch: what pictures of lanes over sectors show.
///
/// One warp's lanes, where their addresses lay, and what that request cost. It is the first block's first warp's, if that made one.
/// Host side only.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "counters/counts.h"

namespace lanescope::counters {

struct FirstRequest {
    std::string action;            ///< "load", "store", "atomic"
    std::string space;             ///< "global", "local", "shared"
    std::string file;              ///< of the source; "" without nvcc -lineinfo
    std::uint32_t line = 0;
    std::uint32_t bytes = 0;       ///< of each lane
    std::uint32_t mask = 0;        ///< bit l: lane l took part
    /// Of each lane's first byte. In global memory from the 128-byte boundary at or before the start of the allocation on; in local
    /// memory as it is laid out for the warp; in shared memory from its start on.
    std::array<std::int64_t, 32> offset_bytes{};
    MemoryTraffic memory;          ///< what it cost, but for caches; in shared memory nothing
    SharedTraffic shared;          ///< in shared memory
};

}  // namespace lanescope::counters
