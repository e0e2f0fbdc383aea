#include "machine/l1_cache.h"

#include <algorithm>

#include "access/request.h"

namespace lanescope::machine {

L1Cache::L1Cache(uint64_t bytes)
    : sets_(static_cast<uint32_t>(std::max<uint64_t>(1, bytes / access::line_bytes / ways))), tags_(size_t{sets_} * ways), ways_(size_t{sets_} * ways) {}

L1Cache::Way& L1Cache::find(uint64_t line) {
    const uint32_t set = static_cast<uint32_t>((line * 0x9E3779B97F4A7C15ull >> 32) * sets_ >> 32);
    uint64_t* const tags = &tags_[size_t{set} * ways];
    Way* const candidates = &ways_[size_t{set} * ways];
    ++time_;
    uint32_t oldest = 0;
    for (uint32_t way = 0; way < ways; ++way) {
        if (tags[way] == line + 1) {
            candidates[way].used = time_;
            return candidates[way];
        }
        if (candidates[way].used < candidates[oldest].used) oldest = way;
    }
    tags[oldest] = line + 1;
    candidates[oldest] = Way{.used = time_};
    return candidates[oldest];
}

uint32_t L1Cache::look_up(uint64_t line, uint32_t sectors) {
    Way& way = find(line);
    const uint32_t hits = way.valid & sectors;
    way.valid |= static_cast<uint8_t>(sectors);
    return hits;
}

uint32_t L1Cache::bypass(uint64_t line, uint32_t sectors, uint32_t group) {
    Way& way = find(line);
    if (way.group != group) way.fetching = 0;
    way.group = group;
    const uint32_t merged = way.fetching & sectors;
    way.fetching |= static_cast<uint8_t>(sectors);
    return merged;
}

}  // namespace lanescope::machine
