#include "access/sectors.h"

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

}  // namespace

uint32_t sectors_touched(const uint64_t* address, uint32_t mask, uint32_t) {
    uint64_t sector[32];
    int n = 0;
    if (mask == 0xFFFFFFFFu) {
        for (int lane = 0; lane < 32; ++lane) sector[lane] = address[lane] / sector_bytes;
        n = 32;
    } else {
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1) sector[n++] = address[std::countr_zero(rest)] / sector_bytes;
    }
    if (n == 0) return 0;
    // Most requests go up or down through memory: then a sector is new exactly when it differs from the last.
    int changes = 0, rises = 0;
    for (int i = 1; i < n; ++i) {
        changes += sector[i] != sector[i - 1];
        rises += sector[i] > sector[i - 1];
    }
    if (rises == changes || rises == 0) return 1 + changes;
    return distinct(sector, n);
}

}  // namespace lanescope::access
