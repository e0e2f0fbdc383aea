/// \file
/// What a program may ask of a runtime that counts: the one agreement between a test and the simulated GPU.
///
/// The drop-in runtime exports lanescopeBeginCount and lanescopeEndCount; NVIDIA's does not, and so a
/// program can find out with dlsym() whether it is counted. Programs use common/tutorial/counters.h
/// instead of this. C types only, because the two sides are compiled by different compilers.
/// Host side only.
#pragma once

#include <cstdint>

extern "C" {

/// Who receives the counters. For every kernel that ran: one call of `launch`, then calls of `counter`.
struct LanescopeCountSink {
    void* context;
    /// `kernel` is the mangled name; `grid` and `block` are x, y, z. `modelled_seconds` is the kernel's own time, and `modelled_limit` the
    /// unit that limits it; 0 and "" if the modelled clock is off.
    void (*launch)(void* context, const char* kernel, const uint32_t* grid, const uint32_t* block, double modelled_seconds, const char* modelled_limit);
    /// A counter of that launch. `name` is one of counts.h, "global_load_requests", or of two more: "warp_instructions", "busiest_warp_instructions".
    /// `file` and `line` are the source line that it belongs to, or "" and 0: the whole launch. After the last
    /// launch: "copied_to_device_bytes" and "copied_to_host_bytes", by cudaMemcpy and its kin.
    void (*counter)(void* context, const char* name, const char* file, uint32_t line, uint64_t value);
};

/// Waits for the work that was queued and counts what is launched from now on. Not 0: counting already.
using LanescopeBeginCount = int (*)();
/// Waits again, hands over what was counted, and stops counting. Not 0: was not counting.
using LanescopeEndCount = int (*)(const LanescopeCountSink* sink);
}
