/// \file
/// on_simulated_gpu: whether this program runs on the simulated GPU or on a real one; source_of_times: what its times are.
///
///     std::printf("%.3f ms, %s\n", ms, source_of_times());
///
/// For what a program prints, never for what it does: a chapter runs the same code on both. The simulated
/// GPU's runtime library exports a function for counters that NVIDIA's does not have. Host side only.
#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

namespace lanescope::tutorial {

inline bool on_simulated_gpu() { return dlsym(RTLD_DEFAULT, "lanescopeBeginCount") != nullptr; }

/// "measured" on a GPU, "modelled" on the simulated one; with LANESCOPE_CLOCK=off events measure the simulator.
inline const char* source_of_times() {
    if (!on_simulated_gpu()) return "measured";
    const char* const clock = std::getenv("LANESCOPE_CLOCK");
    return clock && std::strcmp(clock, "off") == 0 ? "simulator's" : "modelled";
}

}  // namespace lanescope::tutorial
