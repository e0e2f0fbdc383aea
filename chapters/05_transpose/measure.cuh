/// \file
/// The time of a kernel or a copy as a bandwidth, and what that may be at most.
///
///     const Measured it = measure(20, launch, [&] { return matrix.check(true, "transpose", "tiled"); });
///     gigabytes_per_second(2 * matrix.bytes(), it.ms)       // every byte is read once and written once
///
/// Bandwidths are in 1e9 bytes a second. Host side.
#pragma once

#include <cstdio>
#include <string>

#include "tutorial/check.cuh"
#include "tutorial/counters.h"
#include "tutorial/simulated.h"
#include "tutorial/timing.cuh"

namespace transpose {

struct Measured {
    bool right = false;
    float ms = 0;
    lanescope::Counts counts;  ///< of one launch, where something counts
    std::string limit;         ///< the unit that takes longest, by the modelled clock
};

/// Launches once, counted, and checks the result. Then times it: the median of `repeats` launches. Where something
/// counts the counted launch is timed, because its time is modelled, the same in every run; and so it is for 0 repeats.
template <class Launch, class Check>
Measured measure(int repeats, Launch&& launch, Check&& check) {
    const auto checked_launch = [&] {
        launch();
        CUDA_CHECK(cudaGetLastError());
    };
    Measured it;
    cudaEvent_t before, after;
    CUDA_CHECK(cudaEventCreate(&before));
    CUDA_CHECK(cudaEventCreate(&after));
    it.counts = lanescope::count([&] {
        CUDA_CHECK(cudaEventRecord(before));
        checked_launch();
        CUDA_CHECK(cudaEventRecord(after));
    });
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaEventElapsedTime(&it.ms, before, after));
    CUDA_CHECK(cudaEventDestroy(before));
    CUDA_CHECK(cudaEventDestroy(after));
    it.right = check();
    if (it.right && repeats > 0 && !lanescope::can_count())
        it.ms = lanescope::tutorial::median_ms(
            repeats, [] {}, checked_launch);
    if (!it.counts.launches.empty()) it.limit = it.counts.launches.back().modelled_limit;
    return it;
}

inline double gigabytes_per_second(double bytes, double ms) { return bytes / ms / 1e6; }

/// What the device says of its memory. 0: it does not say.
struct MemoryLimits {
    int clock_khz = 0, bus_bits = 0, l2_bytes = 0;

    // [peak]
    /// Data move twice in each clock of the memory, over all wires of the bus.
    double peak_gigabytes_per_second() const { return 2.0 * clock_khz * 1e3 * bus_bits / 8 / 1e9; }
    // [peak]
};

inline MemoryLimits limits_of_this_gpu() {
    MemoryLimits limits;
    CUDA_CHECK(cudaDeviceGetAttribute(&limits.clock_khz, cudaDevAttrMemoryClockRate, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&limits.bus_bits, cudaDevAttrGlobalMemoryBusWidth, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&limits.l2_bytes, cudaDevAttrL2CacheSize, 0));
    return limits;
}

/// Below a table: what times are, and what to be careful about. `bytes` are those of both arrays, `fastest` is the
/// highest bandwidth in the table.
inline void print_cautions(const MemoryLimits& limits, double bytes, double fastest, int repeats) {
    if (lanescope::tutorial::on_simulated_gpu())
        std::printf("Times are modelled, of one launch each.\n");
    else if (repeats == 0)
        std::printf("Times are those of first launches.\n");
    else
        std::printf("Times: median of %d launches after ones that do not count.\n", repeats);
    if (bytes <= limits.l2_bytes)
        std::printf("Careful: both arrays fit in L2, %.1f MB. This is not the bandwidth of the memory.\n",
                    limits.l2_bytes / 1e6);
    const double peak = limits.peak_gigabytes_per_second();
    if (peak > 0 && fastest > peak)
        std::printf("Careful: %.1f GB/s is more than the memory can give, %.1f GB/s.\n", fastest, peak);
}

}  // namespace transpose
