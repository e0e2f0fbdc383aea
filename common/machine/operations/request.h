/// \file
/// A request: one memory instruction of one warp. Where does each lane's memory lie on the host?
///
///     LaneMemory memory;
///     if (!locate_lanes(warp, op, 4, false, memory)) return;      // a fault was raised
///     if (memory.first) ...                                       // neighbours: lane l at first + 4 * l
///     else for_active_lanes(warp, [&](int lane) { use(reinterpret_cast<std::byte*>(memory.base + memory.address[lane])); });
///
/// Alignment and bounds of every active lane are checked here, and requests to global memory are counted.
/// One look-up serves the whole warp when all lanes are in the allocation that this instruction used last.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "machine/grid.h"
#include "machine/warp.h"

namespace lanescope::machine {

struct LaneMemory {
    std::byte* first = nullptr;            ///< not null: all 32 lanes, each right behind the one before
    uint64_t base = 0;                     ///< else: lane l's bytes are at base + address[l]
    alignas(64) uint64_t address[warp_size];
};

/// Of the host's cache. While a request is counted, data can come from memory already.
inline constexpr uint64_t host_line_bytes = 64;

/// True if every lane's bytes lie right behind those of the lane before.
template <class A>
inline bool are_neighbours(const A* address, uint64_t bytes) {
    const int shift = std::countr_zero(bytes);   // a shift is vector code; a multiplication is slow vector code
    A differs = 0;
    for (int lane = 0; lane < warp_size; ++lane) differs |= address[lane] ^ (address[0] + (static_cast<A>(lane) << shift));
    return differs == 0;
}

/// The address is op.s[0] + op.immediate in op.space; each active lane reads or writes `bytes` bytes there
/// (1 to 32, a power of two) and must be aligned to them. False after a fault was raised.
bool locate_lanes(Warp& warp, const program::Operation& op, uint64_t bytes, bool write, LaneMemory& memory);

/// The most common request without any detour: all lanes active, neighbours, aligned, in the allocation that
/// this instruction used last. The first lane's memory; nullptr: not such a request, nothing was counted.
template <uint64_t bytes, bool write>
inline std::byte* locate_neighbours(Warp& warp, const program::Operation& op) {
    if (warp.mask != full_mask || op.address_bits != 64 || !warp.site || !warp.grid->simple_rules()) return nullptr;
    const uint64_t* address = source<uint64_t>(warp, op.s[0]);
    const uint64_t first = address[0] + static_cast<uint64_t>(op.immediate);
    const Region& region = warp.site->region;   // empty unless the space is global, constant or generic
    if (first < region.begin || first >= region.end || region.end - first < bytes * warp_size || (first & (bytes - 1)) != 0 ||
        !are_neighbours(address, bytes))
        return nullptr;
    std::byte* const host = region.host + (first - region.begin);
    std::byte* const behind = host + bytes * warp_size;   // what the next warp or the next block wants, most often
    for (uint64_t i = 0; i < bytes * warp_size; i += host_line_bytes) __builtin_prefetch(behind + i, write);
    if (warp.grid->counting()) warp.grid->count_span(warp, first, bytes * warp_size);
    return host;
}

}  // namespace lanescope::machine
