/// \file
/// The L1 caches of a GPU's multiprocessors, all empty at the start of every launch.
///
///     L1Caches caches(gpu.sm_count, lines);
///     caches.begin_launch(233472);
///     if (caches.touched.first(line, sm)) caches.of(sm).fetch_new(...);
///
/// Host side only.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "machine/l1_cache.h"
#include "machine/touched_lines.h"

namespace lanescope::machine {

class L1Caches {
public:
    /// `device_lines`: of 128 bytes that device memory has.
    L1Caches(uint32_t sm_count, uint64_t device_lines) : touched(device_lines), slots_(sm_count) {}

    /// `bytes`: of each cache. Its memory is kept from launch to launch.
    void begin_launch(uint64_t bytes) {
        ++launch_;
        bytes_ = bytes;
        touched.begin_launch();
    }

    L1Cache& of(uint32_t sm) {
        Slot& slot = slots_[sm];
        if (slot.launch != launch_) {   // its first use in this launch
            if (slot.cache && slot.bytes == bytes_) slot.cache->clear();
            else slot.cache = std::make_unique<L1Cache>(bytes_);
            slot.bytes = bytes_;
            slot.launch = launch_;
        }
        return *slot.cache;
    }

    TouchedLines touched;

private:
    struct Slot {
        std::unique_ptr<L1Cache> cache;
        uint64_t bytes = 0, launch = 0;
    };
    std::vector<Slot> slots_;
    uint64_t launch_ = 0, bytes_ = 0;
};

}  // namespace lanescope::machine
