/// \file
/// How long copies and fills take: a set-up cost, and a rate that depends on where the bytes are.
///
///     double seconds = copy_seconds({.bytes = 1 << 20, .way = CopyWay::to_device, .pinned = true}, costs);
///
/// Assumptions. Pinned memory is copied at the rate of the link. A pageable copy goes through a staging buffer, and its rate follows
/// the size: caches of the host help small ones. Where a profile has no table by size, one rate is taken for all. Host side only.
#pragma once

#include <cstdint>

#include "timing/costs.h"

namespace lanescope::timing {

enum class CopyWay : uint8_t { to_device, from_device, within_device, within_host };

struct CopyShape {
    uint64_t bytes = 0;
    CopyWay way = CopyWay::within_device;
    bool pinned = false;      ///< the host's side
};

double copy_seconds(const CopyShape& copy, const Costs& costs);
double fill_seconds(uint64_t bytes, const Costs& costs);

}  // namespace lanescope::timing
