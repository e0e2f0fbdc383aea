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

// True if any two active lanes l and l ^ distance want the same element.
bool neighbours_agree(const Request& request, uint32_t distance) {
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
        const uint32_t other = lane ^ distance;
        if ((request.mask >> lane & 1) && (request.mask >> other & 1) && request.address[lane] != request.address[other]) return false;
    }
    return true;
}

SharedTraffic in_passes(const Request& request, uint32_t lanes_per_pass, uint32_t bank_bytes) {
    SharedTraffic traffic;
    if (request.mask == 0) return traffic;
    traffic.requests = 1;
    traffic.requested_bytes = uint64_t{blocks_touched(request).elements} * request.bytes;
    for (uint32_t first = 0; first < warp_lanes; first += lanes_per_pass) {
        const uint32_t group = lanes_per_pass == warp_lanes ? 0xFFFFFFFFu : ((1u << lanes_per_pass) - 1) << first;
        const uint32_t wavefronts = wavefronts_of(request, request.mask & group, bank_bytes);
        traffic.wavefronts += wavefronts;
        traffic.conflicts += wavefronts > 1 ? wavefronts - 1 : 0;
    }
    return traffic;
}

uint32_t lanes_per_pass(const Request& request, const Rules& rules) { return std::min(warp_lanes, banks * rules.bank_bytes / request.bytes); }

}  // namespace

SharedTraffic shared_load(const Request& request, const Rules& rules) {
    uint32_t lanes = lanes_per_pass(request, rules);
    if (lanes < warp_lanes && (neighbours_agree(request, 1) || neighbours_agree(request, 2))) lanes *= 2;
    return in_passes(request, lanes, rules.bank_bytes);
}

SharedTraffic shared_store(const Request& request, const Rules& rules) { return in_passes(request, lanes_per_pass(request, rules), rules.bank_bytes); }

SharedTraffic shared_atomic(const Request& request, bool combined, bool compares, const Rules& rules) {
    if (combined) return in_passes(request, warp_lanes, rules.bank_bytes);
    uint32_t lanes_of[banks] = {};
    for (uint32_t rest = request.mask; rest != 0; rest &= rest - 1) ++lanes_of[request.address[std::countr_zero(rest)] / rules.bank_bytes % banks];
    SharedTraffic traffic = in_passes(request, warp_lanes, rules.bank_bytes);
    if (traffic.requests == 0) return traffic;
    traffic.wavefronts = *std::max_element(lanes_of, lanes_of + banks);
    traffic.conflicts = traffic.wavefronts - 1;
    if (compares) traffic.wavefronts *= 2;
    return traffic;
}

}  // namespace lanescope::access
