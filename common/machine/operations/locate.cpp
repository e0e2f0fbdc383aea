#include "machine/operations/locate.h"

#include <fmt/format.h>

#include "machine/grid.h"

namespace lanescope::machine {

std::byte* locate(Warp& warp, const program::Operation& op, int lane, uint64_t address, uint64_t bytes, bool& global) {
    Grid& grid = *warp.grid;
    global = false;
    if ((address & (bytes - 1)) != 0) {
        grid.raise(FaultKind::misaligned_address, warp, lane,
                   fmt::format("misaligned atomic of {} bytes at address {:#x}, which is not a multiple of {}", bytes, address, bytes));
        return nullptr;
    }
    if (op.space == program::Space::shared) {
        if (address < grid.shared_bytes() && grid.shared_bytes() - address >= bytes) return warp.block->shared.data() + address;
        grid.raise(FaultKind::illegal_address, warp, lane,
                   fmt::format("illegal atomic of {} bytes at byte {} of shared memory, of which the block has {}", bytes,
                               static_cast<int64_t>(address), grid.shared_bytes()));
        return nullptr;
    }
    Region& region = warp.site->region;
    if (address < region.begin || address >= region.end || region.end - address < bytes) grid.resolve(address, bytes, true, region);
    if (address >= region.begin && address < region.end && region.end - address >= bytes) {
        global = true;
        return region.host + (address - region.begin);
    }
    if (op.space == program::Space::generic)
        if (std::byte* host = grid.resolve_generic(warp, lane, address, bytes, true)) return host;
    grid.raise(FaultKind::illegal_address, warp, lane,
               fmt::format("illegal atomic of {} bytes at address {:#x}: {}", bytes, address, grid.space().describe(address)));
    return nullptr;
}

}  // namespace lanescope::machine
