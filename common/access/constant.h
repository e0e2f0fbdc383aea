/// \file
/// Constant memory: one address for the whole warp is free, each further one costs a pass.
///
///     uint32_t passes = constant_passes({address, 0xFFFFFFFF, 4});   // 1: all lanes read the same element
///
/// Constant memory has a cache of its own, which serves one address at a time; its requests are not among those to global
/// memory. Host side only.
#pragma once

#include "access/blocks.h"

namespace lanescope::access {

inline uint32_t constant_passes(const Request& request) { return blocks_touched(request).elements; }

}  // namespace lanescope::access
