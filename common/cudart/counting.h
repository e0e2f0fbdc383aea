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
};

}  // namespace lanescope::cudart
