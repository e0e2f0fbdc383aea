/// \file
/// The launches that were counted while a program asked for it; see counting.cpp.
#pragma once

#include <string>
#include <vector>

#include "machine/device.h"

namespace lanescope::cudart {

struct CountedLaunch {
    std::string kernel;   ///< mangled
    int device = 0;
    std::string gpu;      ///< name of its profile
    machine::Dim3 grid, block;
    machine::LaunchCounters counters;
    timing::KernelTime time;   ///< zeros with LANESCOPE_CLOCK=off
};

struct Counting {
    bool active = false;                   ///< between lanescopeBeginCount and lanescopeEndCount
    bool wanted() const { return active || !file.empty(); }
    std::string file;                      ///< of LANESCOPE_COUNTERS: every launch is also appended here; "": none
    std::vector<CountedLaunch> launches;   ///< in the order in which they ran
    uint64_t copied_to_device_bytes = 0, copied_to_host_bytes = 0;   ///< by cudaMemcpy and its kin
};

/// Appends the launch as one line of JSON: what `lanescope profile` reads. `file` is the path.
///     {"kernel": "_Z3addPi", "device": 0, "gpu": "h200", "grid": [32, 1, 1], "block": [512, 1, 1],
///      "time": {"kernel_seconds": 2.1e-06, "cycles": 1102.5, "limit": "latency", "dram_read_bytes": 131072, "dram_write_bytes": 0,
///               "dram_peak_percent": 1.3},
///      "counters": {"warp_instructions": 11264, "global_load_requests": 1024, ...},
///      "lines": [{"file": "add.cu", "line": 3, "counters": {...}}],
///      "first_requests": [{"action": "load", "space": "global", ..., "offset_bytes": [0, 4, ...], "cost": {"sectors": 4, ...}}]}
/// `time` is modelled; null with LANESCOPE_CLOCK=off. Counters of lines that are 0 are left out. A file that cannot be written is said on stderr, once.
void append_launch(const std::string& file, const CountedLaunch& launch);

}  // namespace lanescope::cudart
