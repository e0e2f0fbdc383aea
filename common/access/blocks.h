/// \file
/// How many aligned blocks of memory a request touches: sectors of 32 bytes, lines of 128, or single elements.
///
///     Blocks b = blocks_touched({address, 0xFFFFFFFF, 4});   // 32 neighbouring ints from a boundary on:
///     b.elements == 32, b.sectors == 4, b.lines == 1
///
/// Blocks are aligned absolute addresses: a sector starts at a multiple of 32, wherever an array starts. An array that
/// does not begin on a boundary therefore costs a sector more than one that does. Host side only.
#pragma once

#include <cstdint>

#include "access/request.h"

namespace lanescope::access {

struct Blocks {
    uint32_t elements = 0;   ///< distinct addresses: lanes that share one count once
    uint32_t sectors = 0;
    uint32_t lines = 0;
};

Blocks blocks_touched(const Request& request);

/// Distinct aligned blocks of `block_bytes` (a power of two) in a span without gaps: `count` bytes from `first` on.
constexpr uint32_t blocks_of_span(uint64_t first, uint64_t count, uint32_t block_bytes) {
    return static_cast<uint32_t>((first + count - 1) / block_bytes - first / block_bytes + 1);
}

}  // namespace lanescope::access
