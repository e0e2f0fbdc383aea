// mbarrier: barrier objects in shared memory (cuda::barrier and cuda::pipeline are made of them).
//
// The 64-bit object is opaque to programs. Here: bits 0-19 arrivals still pending in this phase, bits 20-39
// arrivals that each phase expects, bit 63 the phase. The state that arrive returns is the object as it was
// before. Asynchronous copies are complete when they are issued, so an arrival that waits for them is
// immediate. Reference: PTX ISA, "mbarrier".
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "machine/grid.h"
#include "machine/operations/locate.h"
#include "machine/operations/operations.h"

namespace lanescope::machine {

using program::Mbarrier;
using program::Operation;
namespace flag = program::flag;

namespace {

constexpr uint64_t count_mask = (1u << 20) - 1;
constexpr int expected_shift = 20, phase_shift = 63;

uint64_t pending(uint64_t object) { return object & count_mask; }
uint64_t expected(uint64_t object) { return (object >> expected_shift) & count_mask; }
uint64_t make(uint64_t phase, uint64_t expected, uint64_t pending) { return phase << phase_shift | expected << expected_shift | pending; }

void pending_count(LaneState& lanes, const Operation& op) {
    map<uint32_t, uint64_t>(lanes, op, [](uint64_t state) { return static_cast<uint32_t>(pending(state)); });
}

template <Mbarrier action>
void on_object(LaneState& lanes, const Operation& op) {
    Warp& warp = static_cast<Warp&>(lanes);
    uint32_t complete = 0;
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const uint64_t address = op.address_bits == 32 ? uint32_t(source<uint32_t>(warp, op.s[0])[lane] + op.immediate)
                                                       : source<uint64_t>(warp, op.s[0])[lane] + op.immediate;
        bool global = false;
        std::byte* host = locate(warp, op, lane, address, sizeof(uint64_t), global);
        if (!host) return;
        if (global)
            return warp.grid->raise(FaultKind::invalid_address_space, warp, lane, fmt::format("the barrier object at {:#x} is not in shared memory", address));
        uint64_t object;
        std::memcpy(&object, host, sizeof object);
        const uint64_t before = object, phase = object >> phase_shift;
        const uint32_t count = action == Mbarrier::test_wait || op.source_count < 2 ? 1 : source<uint32_t>(warp, op.s[1])[lane];
        if constexpr (action == Mbarrier::init) {
            object = make(0, count & count_mask, count & count_mask);
        } else if constexpr (action == Mbarrier::inval) {
            object = 0;
        } else if constexpr (action == Mbarrier::test_wait) {
            const uint64_t waited = op.has(flag::parity) ? source<uint32_t>(warp, op.s[1])[lane] & 1 : source<uint64_t>(warp, op.s[1])[lane] >> phase_shift;
            complete |= static_cast<uint32_t>(phase != waited) << lane;
        } else {
            if (count > pending(object))
                return warp.grid->raise(FaultKind::illegal_instruction, warp, lane,
                                        fmt::format("{} arrivals at a barrier object that waits for {}", count, pending(object)));
            const uint64_t expects = action == Mbarrier::arrive_drop ? expected(object) - count : expected(object);
            const uint64_t left = pending(object) - count;
            object = left == 0 ? make(phase ^ 1, expects, expects) : make(phase, expects, left);
            if (op.result_count > 0) result<uint64_t>(warp, op.d[0])[lane] = before;
        }
        if (object != before) {
            std::memcpy(host, &object, sizeof object);
            warp.grid->note_write();
        }
    }
    if constexpr (action == Mbarrier::test_wait) set_predicate(warp, op.d[0], complete);
}

void nothing(LaneState&, const Operation&) {}

}  // namespace

Handler select_mbarrier(const Operation& op) {
    if (!op.only_flags(flag::parity | flag::noinc)) return nullptr;
    switch (op.mbarrier) {
        case Mbarrier::init: return on_object<Mbarrier::init>;
        case Mbarrier::inval: return on_object<Mbarrier::inval>;
        case Mbarrier::arrive: return on_object<Mbarrier::arrive>;
        case Mbarrier::arrive_drop: return on_object<Mbarrier::arrive_drop>;
        case Mbarrier::test_wait: return on_object<Mbarrier::test_wait>;
        case Mbarrier::pending_count: return pending_count;
        // Without .noinc the object first expects one arrival more, so the two cancel out.
        case Mbarrier::arrive_when_copied: return op.has(flag::noinc) ? on_object<Mbarrier::arrive> : nothing;
        default: return nullptr;
    }
}

}  // namespace lanescope::machine
