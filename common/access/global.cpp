#include "access/global.h"

#include "access/blocks.h"

namespace lanescope::access {
namespace {

MemoryTraffic one_request(const Request& request, const Rules& rules, uint32_t moved_block_bytes) {
    const Blocks blocks = blocks_touched(request);
    if (blocks.elements == 0) return {};   // all lanes are off: the instruction is executed, but asks for nothing
    MemoryTraffic traffic;
    traffic.requests = 1;
    traffic.transactions = rules.transaction_bytes == line_bytes ? blocks.lines : blocks.sectors;
    traffic.sectors = blocks.sectors;
    traffic.requested_bytes = uint64_t{blocks.elements} * request.bytes;
    traffic.moved_bytes = uint64_t{moved_block_bytes == line_bytes ? blocks.lines : blocks.sectors} * moved_block_bytes;
    return traffic;
}

// Kepler serves wide lanes in groups, 128 bytes at a time, unless all of them want the same element.
MemoryTraffic traffic(const Request& request, const Rules& rules, uint32_t moved_block_bytes) {
    const uint32_t lanes = rules.splits_wide_lanes && request.bytes > 4 ? line_bytes / request.bytes : warp_lanes;
    if (lanes == warp_lanes || blocks_touched(request).elements <= 1) return one_request(request, rules, moved_block_bytes);
    MemoryTraffic sum;
    for (uint32_t first = 0; first < warp_lanes; first += lanes) {
        const uint32_t group = ((1u << lanes) - 1) << first;
        sum += one_request({request.address, request.mask & group, request.bytes}, rules, moved_block_bytes);
    }
    return sum;
}

}  // namespace

MemoryTraffic global_load(const Request& request, const Rules& rules) { return traffic(request, rules, rules.load_block_bytes); }

MemoryTraffic global_store(const Request& request, const Rules& rules) { return traffic(request, rules, sector_bytes); }

}  // namespace lanescope::access
