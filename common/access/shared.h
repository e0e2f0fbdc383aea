/// \file
/// Shared memory: banks, wavefronts and conflicts.
///
///     SharedTraffic t = shared_load({offset, 0xFFFFFFFF, 4}, rules);   // offsets in the block's shared memory
///     t.conflicts == 31      // all 32 lanes in one bank, each another word: 32 wavefronts instead of 1
///
/// Shared memory is 32 banks. Consecutive words (4 bytes; 8 on Kepler) lie in consecutive banks, and word w in bank w mod
/// 32. In one pass over the memory, a *wavefront*, each bank serves one word, to all lanes that want it. Lanes that want
/// different words of one bank wait for another wavefront: a *bank conflict*.
///
/// A wavefront carries 128 bytes, so 32 lanes of 8 bytes are served as two halves and of 16 bytes as four quarters: these
/// are its passes. Loads have an exception: where lanes 2k and 2k + 1 want the same element throughout the warp, or lanes l
/// and l ^ 2 do, a pass serves twice as many lanes. Conflicts are the wavefronts beyond one for each pass.
///
/// An atomic serves one lane of a bank at a time, also when lanes share a word.
///
/// Measured with Nsight Compute on an H200 (tests/gold). Host side only.
#pragma once

#include <cstdint>

#include "access/request.h"
#include "access/rules.h"
#include "counters/counts.h"

namespace lanescope::access {

inline constexpr uint32_t banks = 32;

SharedTraffic shared_load(const Request& request, const Rules& rules);
SharedTraffic shared_store(const Request& request, const Rules& rules);

/// `combined`: the lanes of a word are added up first. `compares`: compare-and-swap, which goes over the banks twice.
SharedTraffic shared_atomic(const Request& request, bool combined, bool compares, const Rules& rules);

}  // namespace lanescope::access
