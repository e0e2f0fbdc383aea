#include "access/shared.h"

#include <algorithm>
#include <bit>

#include "access/blocks.h"

namespace lanescope::access {
namespace {

// Wavefronts for the lanes of `mask`: the most distinct words that one bank is asked for.
uint32_t wavefronts_of(const Request& request, uint32_t mask, uint32_t bank_bytes) {
    uint64_t word_of[banks][warp_lanes];   // the distinct words of each bank
    uint8_t words[banks] = {};
    uint32_t most = 0;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const uint64_t first = request.address[std::countr_zero(rest)];
        for (uint64_t word = first / bank_bytes; word * bank_bytes < first + request.bytes; ++word) {
            const uint64_t bank = word % banks;
            const uint64_t* end = word_of[bank] + words[bank];
            if (std::find(static_cast<const uint64_t*>(word_of[bank]), end, word) != end) continue;
            word_of[bank][words[bank]++] = word;
            most = std::max<uint32_t>(most, words[bank]);
        }
    }
    return most;
}

}  // namespace

SharedTraffic shared_traffic(const Request& request, const Rules& rules) {
    if (request.mask == 0) return {};
    const uint32_t lanes = std::min(warp_lanes, banks * rules.bank_bytes / request.bytes);   // that one wavefront can serve
    SharedTraffic traffic;
    traffic.requests = 1;
    traffic.requested_bytes = uint64_t{blocks_touched(request).elements} * request.bytes;
    for (uint32_t first = 0; first < warp_lanes; first += lanes) {
        const uint32_t group = lanes == warp_lanes ? 0xFFFFFFFFu : ((1u << lanes) - 1) << first;
        const uint32_t wavefronts = wavefronts_of(request, request.mask & group, rules.bank_bytes);
        traffic.wavefronts += wavefronts;
        traffic.conflicts += wavefronts > 1 ? wavefronts - 1 : 0;
    }
    return traffic;
}

}  // namespace lanescope::access
