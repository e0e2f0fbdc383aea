/// \file
/// A barrier object (mbarrier) in shared memory: what its 64 bits mean here. They are opaque to programs.
///
///     BarrierObject object = BarrierObject::of(bits);
///     object.pending -= 1;
///     object.end_phase_if_complete();
///     bits = object.bits();
///
/// Reference: PTX ISA, "mbarrier". Host side only.
#pragma once

#include <cstdint>

namespace lanescope::machine {

struct BarrierObject {
    uint64_t phase = 0;      ///< 0 or 1: bit 63
    uint64_t pending = 0;    ///< arrivals that this phase still waits for: bits 0-19
    uint64_t expected = 0;   ///< arrivals that each phase waits for: bits 20-39
    int64_t bytes = 0;       ///< of asynchronous copies that this phase still waits for; less than 0 if they came before they were expected: bits 40-60

    static BarrierObject of(uint64_t bits) {
        const auto bytes = static_cast<int64_t>(bits << 3) >> 43;   // with their sign
        return {bits >> 63, bits & most, (bits >> 20) & most, bytes};
    }
    uint64_t bits() const { return phase << 63 | (static_cast<uint64_t>(bytes) & (2 * most + 1)) << 40 | expected << 20 | pending; }

    void end_phase_if_complete() {
        if (pending != 0 || bytes != 0) return;
        phase ^= 1;
        pending = expected;
    }

    static constexpr uint64_t most = (1u << 20) - 1;   ///< arrivals, and bytes to either side of 0
};

}  // namespace lanescope::machine
