#include "access/blocks.h"

#include <bit>

namespace lanescope::access {
namespace {

// Distinct values among the first n, in any order: a small open-addressing set.
uint32_t distinct(const uint64_t* value, int n) {
    uint64_t slots[64];
    uint64_t used = 0;
    uint32_t count = 0;
    for (int i = 0; i < n; ++i) {
        uint32_t slot = static_cast<uint32_t>((value[i] * 0x9E3779B97F4A7C15ull) >> 58);
        while ((used >> slot) & 1) {
            if (slots[slot] == value[i]) break;
            slot = (slot + 1) & 63;
        }
        if ((used >> slot) & 1) continue;
        used |= 1ull << slot;
        slots[slot] = value[i];
        ++count;
    }
    return count;
}

uint32_t distinct_blocks(const uint64_t* address, int n, uint32_t block_bytes) {
    uint64_t block[warp_lanes];
    for (int i = 0; i < n; ++i) block[i] = address[i] / block_bytes;
    return distinct(block, n);
}

}  // namespace

Blocks blocks_touched(const Request& request) {
    uint64_t compact[warp_lanes];
    const uint64_t* address = request.address;
    int n = warp_lanes;
    if (request.mask != 0xFFFFFFFFu) {
        n = 0;
        for (uint32_t rest = request.mask; rest != 0; rest &= rest - 1) compact[n++] = request.address[std::countr_zero(rest)];
        if (n == 0) return {};
        address = compact;
    }
    // Most requests go up or down through memory: then a block is new exactly when it differs from the last.
    int rises = 0, falls = 0, sector_changes = 0, line_changes = 0;
    for (int i = 1; i < n; ++i) {
        rises += address[i] > address[i - 1];
        falls += address[i] < address[i - 1];
        sector_changes += address[i] / sector_bytes != address[i - 1] / sector_bytes;
        line_changes += address[i] / line_bytes != address[i - 1] / line_bytes;
    }
    if (rises == 0 || falls == 0) {
        return {static_cast<uint32_t>(1 + rises + falls), static_cast<uint32_t>(1 + sector_changes), static_cast<uint32_t>(1 + line_changes)};
    }
    return {distinct(address, n), distinct_blocks(address, n, sector_bytes), distinct_blocks(address, n, line_bytes)};
}

}  // namespace lanescope::access
