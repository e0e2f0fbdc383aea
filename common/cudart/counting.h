/// \file
/// The launches that were counted while a program asked for it; see counting.cpp.
#pragma once

#include <string>
#include <vector>

#include "machine/device.h"

namespace lanescope::cudart {

struct CountedLaunch {
    std::string kernel;   ///< mangled
    machine::Dim3 grid, block;
    machine::LaunchCounters counters;
};

struct Counting {
    bool active = false;
    std::vector<CountedLaunch> launches;   ///< in the order in which they ran
    uint64_t copied_to_device_bytes = 0, copied_to_host_bytes = 0;   ///< by cudaMemcpy and its kin
};

}  // namespace lanescope::cudart
