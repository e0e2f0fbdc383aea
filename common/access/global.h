/// \file
/// Loads from and stores to global memory: requests, transactions, sectors, and the bytes asked for and moved.
///
///     MemoryTraffic t = global_load({address, 0xFFFFFFFF, 4}, rules);
///     double efficiency = 100.0 * t.requested_bytes / t.moved_bytes;
///
/// Requested bytes are the distinct bytes that the lanes touch: a word that several lanes read counts once. Moved bytes are
/// those of all blocks that hold one of them. So a request is efficient when its lanes share blocks and leave no gaps:
///
/// | 32 lanes of 4 bytes | sectors | moved | efficiency |
/// |---|---|---|---|
/// | neighbours, from a boundary on | 4 | 128 | 100 % |
/// | neighbours, one int further | 5 | 160 | 80 % |
/// | every second int | 8 | 256 | 50 % |
/// | every eighth int, or further apart | 32 | 1024 | 12.5 % |
/// | all the same int | 1 | 32 | 12.5 % |
///
/// Host side only.
#pragma once

#include "access/request.h"
#include "access/rules.h"
#include "counters/counts.h"

namespace lanescope::access {

MemoryTraffic global_load(const Request& request, const Rules& rules);
MemoryTraffic global_store(const Request& request, const Rules& rules);

}  // namespace lanescope::access
