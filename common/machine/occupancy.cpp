#include "machine/occupancy.h"

#include <algorithm>

namespace lanescope::machine {

int blocks_per_sm(const gpus::Gpu& gpu, int threads_per_block, int registers, uint64_t shared_bytes) {
    if (threads_per_block <= 0) return 0;
    const int warps = (threads_per_block + 31) / 32;
    int blocks = std::min(gpu.max_blocks_per_sm, gpu.max_threads_per_sm / 32 / warps);
    if (registers > 0) {
        const int per_warp = (registers + 7) / 8 * 8 * 32;
        blocks = std::min(blocks, gpu.registers_per_sm / per_warp / warps);
    }
    const auto shared = static_cast<int64_t>(shared_bytes) + gpu.reserved_shared_bytes_per_block;
    if (shared > 0) blocks = static_cast<int>(std::min<int64_t>(blocks, gpu.shared_bytes_per_sm / shared));
    return blocks;
}

uint64_t l1_bytes(const gpus::Gpu& gpu, int blocks_per_sm, uint64_t shared_bytes_per_block, int preferred_percent) {
    const auto total = static_cast<uint64_t>(gpu.l1_and_shared_bytes_per_sm);
    if (gpu.cc_major < 7) return total;
    const auto reserved = static_cast<uint64_t>(gpu.reserved_shared_bytes_per_block);
    const uint64_t preferred = static_cast<uint64_t>(gpu.shared_bytes_per_sm) * static_cast<uint64_t>(std::max(preferred_percent, 0)) / 100;
    const uint64_t wanted = std::max({blocks_per_sm * (shared_bytes_per_block + reserved), gpu.max_blocks_per_sm * reserved, preferred});
    for (const int64_t carve_out : gpu.carve_out_bytes) {
        if (static_cast<uint64_t>(carve_out) >= wanted) return total - std::min<uint64_t>(carve_out, total);
    }
    return total - std::min<uint64_t>(gpu.shared_bytes_per_sm, total);
}

}  // namespace lanescope::machine
