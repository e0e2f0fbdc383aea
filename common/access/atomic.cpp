#include "access/atomic.h"

#include <bit>

#include "access/blocks.h"

namespace lanescope::access {

uint64_t atomic_sectors(const Request& request, Collisions collisions) {
    if (collisions == Collisions::combined) return blocks_touched(request).sectors;
    uint64_t sectors = 0;
    for (uint32_t left = request.mask; left != 0;) {
        uint32_t pass = 0;   // the first lane that is left of each address
        for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            bool taken = false;
            for (uint32_t others = pass; others != 0 && !taken; others &= others - 1)
                taken = request.address[std::countr_zero(others)] == request.address[lane];
            if (!taken) pass |= 1u << lane;
        }
        sectors += blocks_touched({request.address, pass, request.bytes}).sectors;
        left &= ~pass;
    }
    return sectors;
}

}  // namespace lanescope::access
