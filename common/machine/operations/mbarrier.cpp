// mbarrier: barrier objects in shared memory (cuda::barrier and cuda::pipeline are made of them).
//
// The state that arrive returns is the object as it was before. Asynchronous copies are complete when they are issued, so an arrival
// that waits for them is immediate, and their bytes can come before they are expected. Reference: PTX ISA, "mbarrier".
#include <bit>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "machine/grid.h"
#include "machine/operations/barrier_object.h"
#include "machine/operations/locate.h"
#include "machine/operations/operations.h"

namespace lanescope::machine {

using program::Mbarrier;
using program::Operation;
namespace flag = program::flag;

namespace {

void pending_count(LaneState& lanes, const Operation& op) {
    map<uint32_t, uint64_t>(lanes, op, [](uint64_t state) { return static_cast<uint32_t>(BarrierObject::of(state).pending); });
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
        uint64_t before;
        std::memcpy(&before, host, sizeof before);
        BarrierObject object = BarrierObject::of(before);
        constexpr bool counts_bytes = action == Mbarrier::expect_tx || action == Mbarrier::arrive_expect_tx || action == Mbarrier::complete_tx;
        constexpr bool arrives = action == Mbarrier::arrive || action == Mbarrier::arrive_drop || action == Mbarrier::arrive_expect_tx;
        const uint32_t number = op.source_count < 2 || action == Mbarrier::test_wait ? 1 : source<uint32_t>(warp, op.s[1])[lane];
        if constexpr (action == Mbarrier::init) {
            object = {.pending = number & BarrierObject::most, .expected = number & BarrierObject::most};
        } else if constexpr (action == Mbarrier::inval) {
            object = {};
        } else if constexpr (action == Mbarrier::test_wait) {
            const uint64_t waited = op.has(flag::parity) ? source<uint32_t>(warp, op.s[1])[lane] & 1 : source<uint64_t>(warp, op.s[1])[lane] >> 63;
            complete |= static_cast<uint32_t>(object.phase != waited) << lane;
        }
        if constexpr (counts_bytes) {
            object.bytes += action == Mbarrier::complete_tx ? -static_cast<int64_t>(number) : static_cast<int64_t>(number);
            if (std::abs(object.bytes) > static_cast<int64_t>(BarrierObject::most))
                return warp.grid->raise(FaultKind::illegal_instruction, warp, lane,
                                        fmt::format("a barrier object that waits for {} bytes; it counts up to {}", object.bytes, BarrierObject::most));
            if (action == Mbarrier::complete_tx) object.end_phase_if_complete();
        }
        if constexpr (arrives) {
            const uint32_t count = counts_bytes ? 1 : number;
            if (count > object.pending)
                return warp.grid->raise(FaultKind::illegal_instruction, warp, lane,
                                        fmt::format("{} arrivals at a barrier object that waits for {}", count, object.pending));
            if (action == Mbarrier::arrive_drop) object.expected -= count;
            object.pending -= count;
            object.end_phase_if_complete();
            if (op.result_count > 0) result<uint64_t>(warp, op.d[0])[lane] = before;
        }
        if (const uint64_t after = object.bits(); after != before) {
            std::memcpy(host, &after, sizeof after);
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
        case Mbarrier::expect_tx: return on_object<Mbarrier::expect_tx>;
        case Mbarrier::arrive_expect_tx: return on_object<Mbarrier::arrive_expect_tx>;
        case Mbarrier::complete_tx: return on_object<Mbarrier::complete_tx>;
        case Mbarrier::pending_count: return pending_count;
        // Without .noinc the object first expects one arrival more, so the two cancel out.
        case Mbarrier::arrive_when_copied: return op.has(flag::noinc) ? on_object<Mbarrier::arrive> : nothing;
        default: return nullptr;
    }
}

}  // namespace lanescope::machine
