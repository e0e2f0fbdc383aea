// cp.async.bulk: whole pieces of memory, copied between global and shared memory by hardware of their own (from sm_90 on).
//
// The copy is made at once, which is a legal moment for it. A copy to shared memory tells a barrier object how many bytes came.
// Reference: PTX ISA, "cp.async.bulk".
#include <bit>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "machine/grid.h"
#include "machine/operations/barrier_object.h"
#include "machine/operations/operations.h"

namespace lanescope::machine {

using program::Operation;
using program::Space;
namespace flag = program::flag;

namespace {

constexpr uint64_t unit_bytes = 16;   // of which addresses and sizes are multiples

// Host memory of a piece. nullptr after a fault was raised.
std::byte* locate_piece(Warp& warp, int lane, Space space, uint64_t address, uint64_t bytes, uint64_t alignment, bool write) {
    Grid& grid = *warp.grid;
    const char* const what = write ? "write" : "read";
    if (address % alignment != 0) {
        grid.raise(FaultKind::misaligned_address, warp, lane,
                   fmt::format("misaligned {} of {} bytes by a bulk copy at address {:#x}, which is not a multiple of {}", what, bytes, address, alignment));
        return nullptr;
    }
    if (space == Space::shared) {
        if (address <= grid.shared_bytes() && grid.shared_bytes() - address >= bytes) return warp.block->shared.data() + address;
        grid.raise(FaultKind::illegal_address, warp, lane,
                   fmt::format("illegal {} of {} bytes by a bulk copy at byte {} of shared memory, of which the block has {}", what, bytes,
                               static_cast<int64_t>(address), grid.shared_bytes()));
        return nullptr;
    }
    Region region;
    if (std::byte* const host = grid.resolve(address, bytes, write, region)) return host;
    grid.raise(FaultKind::illegal_address, warp, lane,
               fmt::format("illegal {} of {} bytes by a bulk copy at address {:#x}: {}", what, bytes, address, grid.space().describe(address)));
    return nullptr;
}

void copy(LaneState& lanes, const Operation& op) {
    Warp& warp = static_cast<Warp&>(lanes);
    const bool to_shared = op.space == Space::shared;
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const uint64_t to = source<uint64_t>(warp, op.s[0])[lane], from = source<uint64_t>(warp, op.s[1])[lane];
        const uint32_t bytes = source<uint32_t>(warp, op.s[2])[lane];
        if (bytes % unit_bytes != 0)
            return warp.grid->raise(FaultKind::illegal_instruction, warp, lane,
                                    fmt::format("a bulk copy of {} bytes, which is not a multiple of {}", bytes, unit_bytes));
        const std::byte* const source_piece = locate_piece(warp, lane, op.space2, from, bytes, unit_bytes, false);
        if (!source_piece) return;
        std::byte* const target = locate_piece(warp, lane, op.space, to, bytes, unit_bytes, true);
        if (!target) return;
        std::memmove(target, source_piece, bytes);
        warp.grid->note_write();
        if (bytes > 0 && !to_shared) warp.grid->count_bulk_copy(warp, to, bytes, true);
        if (bytes > 0 && op.space2 == Space::global) warp.grid->count_bulk_copy(warp, from, bytes, false);
        if (!to_shared) continue;
        std::byte* const barrier = locate_piece(warp, lane, Space::shared, source<uint64_t>(warp, op.s[3])[lane], sizeof(uint64_t), sizeof(uint64_t), true);
        if (!barrier) return;
        uint64_t bits;
        std::memcpy(&bits, barrier, sizeof bits);
        BarrierObject object = BarrierObject::of(bits);
        object.bytes -= bytes;
        if (std::abs(object.bytes) > static_cast<int64_t>(BarrierObject::most))
            return warp.grid->raise(FaultKind::illegal_instruction, warp, lane,
                                    fmt::format("a barrier object to which {} bytes came that nobody expects; it counts up to {}", -object.bytes, BarrierObject::most));
        object.end_phase_if_complete();
        bits = object.bits();
        std::memcpy(barrier, &bits, sizeof bits);
    }
}

void nothing(LaneState&, const Operation&) {}

}  // namespace

Handler select_bulk_copy(const Operation& op) { return op.has(flag::sync) ? nothing : op.only_flags(0) ? copy : nullptr; }

}  // namespace lanescope::machine
