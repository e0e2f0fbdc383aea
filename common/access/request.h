/// \file
/// A request: one memory instruction of one warp, as the hardware's load-store unit sees it.
///
///     uint64_t address[32] = ...;                          // one for each lane
///     Request request{address, 0xFFFFFFFF, 4};             // every lane reads or writes 4 bytes
///
/// Everything in this folder is a function from a request to what it costs. The order of the lanes never
/// matters: the hardware looks at which blocks of memory they touch together. Host side only.
#pragma once

#include <cstdint>

namespace lanescope::access {

inline constexpr uint32_t warp_lanes = 32;
inline constexpr uint32_t sector_bytes = 32;    ///< what moves between caches and memory, at least
inline constexpr uint32_t line_bytes = 128;     ///< what a cache has one tag for: 4 sectors

struct Request {
    const uint64_t* address;   ///< `address[l]` is lane l's first byte; of lanes outside `mask` it is ignored
    uint32_t mask;             ///< bit l: lane l takes part
    uint32_t bytes;            ///< of each lane: 1 to 32, a power of two; addresses are multiples of it
};

}  // namespace lanescope::access
