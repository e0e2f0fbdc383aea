#include "machine/l1_cache.h"

#include <algorithm>

#include "access/request.h"

namespace lanescope::machine {

L1Cache::L1Cache(uint64_t bytes) : sets_(std::max<uint64_t>(1, bytes / access::line_bytes / ways)), entries_(sets_ * ways) {}

uint32_t L1Cache::bypass(uint64_t line, uint32_t sectors, uint32_t group) {
    Fetch& fetch = fetches_[line % fetches_.size()];
    if (fetch.line != line || fetch.group != group) fetch = {line, group, 0};
    const uint32_t merged = fetch.sectors & sectors;
    fetch.sectors |= sectors;
    return merged;
}

}  // namespace lanescope::machine
