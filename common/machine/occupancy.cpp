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

}  // namespace lanescope::machine
