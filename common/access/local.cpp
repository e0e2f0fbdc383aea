#include "access/local.h"

#include <algorithm>
#include <bit>

namespace lanescope::access {

MemoryTraffic local_traffic(const Request& request, const Rules& rules) {
    // A lane of 8 or 16 bytes uses 2 or 4 words, each in a line of its own and asked for by a request of its own.
    const uint32_t words = std::max(1u, request.bytes / 4);
    MemoryTraffic traffic;
    for (uint32_t word = 0; word < words; ++word) {
        uint64_t address[warp_lanes] = {};
        for (uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
            const uint32_t lane = static_cast<uint32_t>(std::countr_zero(rest));
            address[lane] = local_address(request.address[lane] + 4 * word, lane);
        }
        traffic += global_store({address, request.mask, std::min(4u, request.bytes)}, rules);
    }
    return traffic;
}

}  // namespace lanescope::access
