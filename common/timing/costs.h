/// \file
/// What instructions and transfers cost on a GPU, from its profile: the parameters of the modelled clock.
///
///     const Costs costs = costs_of(gpu);
///     Cost ffma = cost_of(operation, costs);      // {latency 4, interval 1} on an H200
///
/// Assumptions, and known deviations. PTX instructions are timed, not those of machine code: where ptxas makes several of one
/// (a division) the whole is one cost, measured as a whole, and where it makes one of several (two additions in one IADD3, an
/// address computation folded into a load) the model is slower by a few cycles. Latencies are those of an idle GPU. Operations
/// that were not measured cost as much as their nearest kin. Host side only.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "gpus/gpu.h"
#include "program/operation.h"

namespace lanescope::timing {

/// Bytes a second by size of the transfer in bytes, sizes ascending.
using RateBySize = std::vector<std::pair<double, double>>;

struct Costs {
    double clock_hz = 0;
    // Memory, in cycles from issue to result, without contention.
    double l1_cycles, l2_cycles, l2_far_cycles, dram_cycles, shared_cycles, host_cycles;
    // Arithmetic, likewise.
    double ffma_cycles, special_cycles, shuffle_cycles;
    double l1_load_line_cycles;   ///< that L1 is busy with each line of a load; a store takes one
    // Cycles that a sub-partition is busy with one warp instruction.
    double fp32_interval, fp64_interval;
    // Of the whole GPU, in bytes a second.
    double l2_bytes_per_second, dram_bytes_per_second, peak_dram_bytes_per_second, to_device_bytes_per_second, from_device_bytes_per_second;
    double migration_bytes_per_second;  ///< of managed memory whose pages a kernel touches one after the other
    double page_fault_seconds;          ///< until the first page is there
    bool link_is_full_duplex;           ///< kernels read and write the host's memory at the same time
    RateBySize pageable_to_device, pageable_from_device;
    double copy_setup_seconds;          ///< of a copy between host and device
    double partial_sectors_per_cycle;   ///< that stores write in part
    double block_interval_cycles;       ///< between the starts of two blocks anywhere
    double block_turnaround_cycles;     ///< from the last instruction of a block to the first of the one that takes its place
    double launch_seconds;              ///< of a kernel that does nothing, as events see it
    double kernel_start_seconds;        ///< of a kernel that does nothing, as a profiler sees it: without the way from the host
    double l2_dirty_bytes;              ///< written by kernels, that L2 keeps at most before it writes to DRAM
    int sm_count = 0;
};

Costs costs_of(const gpus::Gpu& gpu);

/// Of one warp instruction that is no load. `latency`: cycles until an instruction that needs the result can issue; `interval`: until
/// the next instruction of that kind can issue in the same quarter of the multiprocessor.
struct Cost {
    double latency = 0, interval = 1;
};
Cost cost_of(const program::Operation& op, const Costs& costs);

}  // namespace lanescope::timing
