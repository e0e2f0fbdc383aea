/// \file
/// on_simulated_gpu: whether this program runs on the simulated GPU or on a real one.
///
///     std::printf("%.3f ms, %s\n", ms, on_simulated_gpu() ? "modelled" : "measured");
///
/// For what a program prints, never for what it does: a chapter runs the same code on both. The simulated
/// GPU's runtime library exports a function for counters that NVIDIA's does not have. Host side only.
#pragma once

#include <dlfcn.h>

namespace lanescope::tutorial {

inline bool on_simulated_gpu() { return dlsym(RTLD_DEFAULT, "lanescopeBeginCount") != nullptr; }

}  // namespace lanescope::tutorial
