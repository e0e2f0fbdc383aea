/// \file
/// Shared memory: banks, wavefronts and conflicts.
///
///     SharedTraffic t = shared_traffic({offset, 0xFFFFFFFF, 4}, rules);   // offsets in the block's shared memory
///     t.conflicts == 31      // all 32 lanes in one bank, each another word: 32 wavefronts instead of 1
///
/// Shared memory is 32 banks. Consecutive words (4 bytes; 8 on Kepler) lie in consecutive banks, and word w in bank w mod
/// 32. In one pass over the memory, a *wavefront*, each bank serves one word, to all lanes that want it. Lanes that want
/// different words of one bank wait for another wavefront: a *bank conflict*.
///
/// A wavefront carries 128 bytes, so 32 lanes of 8 bytes are served as two halves and of 16 bytes as four quarters. That
/// many wavefronts are no conflicts: conflicts are those beyond. Host side only.
#pragma once

#include <cstdint>

#include "access/request.h"
#include "access/rules.h"
#include "counters/counts.h"

namespace lanescope::access {

inline constexpr uint32_t banks = 32;

SharedTraffic shared_traffic(const Request& request, const Rules& rules);

}  // namespace lanescope::access
