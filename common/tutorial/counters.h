/// \file
/// count: what kernels did to memory while a function ran.
///
///     const auto c = lanescope::count([&] { copy<<<grid, block>>>(from, to, n); });
///     EXPECT_EQ(c.global_load.requests, n / 32);     // one for each warp
///     EXPECT_EQ(c.global_load.sectors, n / 8);       // 32 bytes hold 8 ints
///
/// The simulated GPU counts. On another one can_count() is false, and a test that needs counters is skipped.
/// A request is one memory instruction of one warp; its sectors are the distinct aligned 32-byte blocks that
/// its active lanes touch. Host side only, C++17; nothing to link.
#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "counters/counts.h"
#include "counters/provider.h"

namespace lanescope {

/// A launch that ran. `grid` and `block` are x, y, z.
struct LaunchCounts {
    std::string kernel;   ///< mangled name
    std::uint32_t grid[3] = {1, 1, 1};
    std::uint32_t block[3] = {1, 1, 1};
    double modelled_seconds = 0;   ///< from the kernel's start to its end, by the modelled clock; 0 if that is off
    std::string modelled_limit;    ///< what it is mostly limited by: "DRAM", "L1", "shared memory", "latency", ...
    std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
    std::uint64_t threads_per_block() const { return std::uint64_t{block[0]} * block[1] * block[2]; }
};

/// Sums over all launches; empty if nothing counts.
struct Counts : MemoryCounts {
    std::uint64_t warp_instructions = 0;   ///< PTX instructions issued by a warp
    std::uint64_t busiest_warp_instructions = 0;   ///< of the one warp that issued most
    std::uint64_t copied_to_device_bytes = 0;      ///< from the host, by cudaMemcpy and its kin
    std::uint64_t copied_to_host_bytes = 0;        ///< the other way
    std::vector<LaunchCounts> launches;    ///< in the order in which they ran
    std::map<std::pair<std::string, int>, MemoryCounts> lines;   ///< by file and line; needs nvcc -lineinfo
};

namespace detail {

inline void receive_launch(void* context, const char* kernel, const std::uint32_t* grid, const std::uint32_t* block,
                           double modelled_seconds, const char* modelled_limit) {
    LaunchCounts launch;
    launch.kernel = kernel;
    launch.modelled_seconds = modelled_seconds;
    launch.modelled_limit = modelled_limit;
    for (int i = 0; i < 3; ++i) {
        launch.grid[i] = grid[i];
        launch.block[i] = block[i];
    }
    static_cast<Counts*>(context)->launches.push_back(launch);
}

inline void receive_counter(void* context, const char* name, const char* file, std::uint32_t line, std::uint64_t value) {
    Counts& counts = *static_cast<Counts*>(context);
    const std::string counter_name = name;
    MemoryCounts& where = *file ? counts.lines[{file, static_cast<int>(line)}] : counts;
    MemoryCounts::for_each(where, [&](const std::string& other, std::uint64_t& counter) {
        if (other == counter_name) counter += value;
    });
    if (counter_name == "warp_instructions") counts.warp_instructions += value;
    else if (counter_name == "copied_to_device_bytes") counts.copied_to_device_bytes += value;
    else if (counter_name == "copied_to_host_bytes") counts.copied_to_host_bytes += value;
    else if (counter_name == "busiest_warp_instructions")
        counts.busiest_warp_instructions = std::max(counts.busiest_warp_instructions, value);
}

}  // namespace detail

/// True if the runtime that this program runs on counts.
inline bool can_count() { return dlsym(RTLD_DEFAULT, "lanescopeBeginCount") != nullptr; }

/// Counts the kernels that `action` launches; waits for them. CUDA errors stay where cudaGetLastError() finds them.
template <class Action>
Counts count(Action&& action) {
    Counts counts;
    const auto begin = reinterpret_cast<LanescopeBeginCount>(dlsym(RTLD_DEFAULT, "lanescopeBeginCount"));
    const auto end = reinterpret_cast<LanescopeEndCount>(dlsym(RTLD_DEFAULT, "lanescopeEndCount"));
    const bool counting = begin && end && begin() == 0;
    std::forward<Action>(action)();
    const LanescopeCountSink sink{&counts, detail::receive_launch, detail::receive_counter};
    if (counting) end(&sink);
    return counts;
}

}  // namespace lanescope
