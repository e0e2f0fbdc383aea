/// \file
/// How many 32-byte sectors a warp's request touches.
///
///     uint64_t address[32] = ...;                      // one for each lane
///     uint32_t n = sectors_touched(address, 0xFFFFFFFF, 4);   // 32 neighbouring ints: 4
///
/// A request is one memory instruction of one warp. Its sectors are the distinct aligned 32-byte blocks
/// that the active lanes touch: neither the order of the lanes nor how many share a block matters.
#pragma once

#include <cstdint>

namespace lanescope::access {

inline constexpr uint32_t sector_bytes = 32;

/// `address[l]` is lane l's first byte; lanes outside `mask` are ignored. Each lane touches `bytes` bytes
/// (1 to 32, a power of two) and is aligned to them, so it stays within one sector.
uint32_t sectors_touched(const uint64_t* address, uint32_t mask, uint32_t bytes);

/// The same for a span without gaps: `count` bytes from `first` on.
constexpr uint32_t sectors_of_span(uint64_t first, uint64_t count) {
    return static_cast<uint32_t>((first + count - 1) / sector_bytes - first / sector_bytes + 1);
}

}  // namespace lanescope::access
