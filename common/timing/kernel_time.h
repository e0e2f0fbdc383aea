/// \file
/// How long a kernel takes: from what its warps did to what limits them together.
///
///     Work work = ...;                                  // counted while the kernel ran
///     KernelTime time = kernel_time(work, costs);
///     time.cycles, time.limit                           // "DRAM"
///
/// Assumptions. Each unit of the GPU needs a time for what it was asked to do, as if it were alone: the schedulers, L1, shared memory, L2,
/// DRAM, the link to the host, migrations of managed memory, the start of blocks, and the warps' own latencies: as many warps as are resident take their time side by
/// side. Work spreads evenly over multiprocessors. The units hinder each other near balance: the whole is the cubic mean (the third
/// root of the sum of cubes) of these times, which agrees with vector additions and transposes on an H200 within 20 %
/// (tests/gold/kernel_times_test.cpp). Kernels run one after another. Host side only.
#pragma once

#include <cstdint>
#include <string_view>

#include "timing/costs.h"

namespace lanescope::timing {

/// Of the whole launch.
struct Work {
    uint64_t blocks = 0, warps = 0;
    uint64_t resident_warps = 0;             ///< at once, on the whole GPU, at most
    double warp_cycles = 0;                  ///< from its start to its end, of the average warp
    double longest_warp_cycles = 0;
    double busy_cycles = 0;                  ///< that a warp keeps its scheduler busy, on average
    double l1_load_lines = 0, l1_other_lines = 0;   ///< of loads, and of stores and atomics, of all multiprocessors together
    double shared_cycles = 0;                ///< wavefronts, likewise
    double l2_sectors = 0, dram_read_sectors = 0, dram_write_sectors = 0, partial_sectors = 0, host_read_sectors = 0, host_write_sectors = 0;
    double migrated_bytes = 0;               ///< of managed memory, that came to the GPU page by page as the kernel touched them
    double sent_before_bytes = 0;            ///< likewise, that came as a whole before the kernel, on GPUs without page faults
};

struct KernelTime {
    double cycles = 0;         ///< without the launch itself
    double seconds = 0;        ///< from event to event: with it
    double kernel_seconds = 0; ///< from the kernel's start to its end, as a profiler measures: gpu__time_duration
    std::string_view limit;    ///< the unit that needs most: "latency", "DRAM", ...
    double dram_read_bytes = 0;
    double dram_write_bytes = 0;   ///< without those that stay in L2 when the kernel ends, as if L2 had been clean at its start
    double dram_peak_percent = 0;  ///< both, of what DRAM could move in kernel_seconds at its peak bandwidth
};

KernelTime kernel_time(const Work& work, const Costs& costs);

}  // namespace lanescope::timing
