/// \file
/// The L1 data cache of one multiprocessor: which sectors of a load are there already.
///
///     L1Cache cache(233472);
///     uint32_t hits = cache.look_up(line, 0b1111);     // bit s: sector s of the line was there; now all four are
///
/// Assumptions. A line of 128 bytes has one tag and four sectors; a miss fetches the sectors that are missing. The line
/// that was used least recently gives way, within its set; sets are chosen by a hash of the line's number, so that no stride
/// is worse than another. What is on its way counts as there, as on hardware. Time is not modelled. Stores write through
/// and change nothing here. Empty at the start of every kernel.
///
/// Loads that bypass the cache (.cg, volatile) never hit. But one fetch serves all loads of a warp that are in flight together
/// (program/load_groups.h). Host side only.
#pragma once

#include <cstdint>
#include <vector>

namespace lanescope::machine {

class L1Cache {
public:
    explicit L1Cache(uint64_t bytes);

    /// A load through the cache. `line` is the address / 128, bit s of `sectors` is its sector s. Returns the hits.
    uint32_t look_up(uint64_t line, uint32_t sectors);
    /// A load that bypasses the cache. `group` numbers the loads that are in flight together. Returns the sectors that are
    /// being fetched already.
    uint32_t bypass(uint64_t line, uint32_t sectors, uint32_t group);

private:
    static constexpr uint32_t ways = 16;
    struct Way {
        uint32_t used = 0;       ///< time of the last use
        uint32_t group = 0;      ///< that asked for `fetching`
        uint8_t valid = 0;       ///< sectors
        uint8_t fetching = 0;    ///< sectors that loads bypassing the cache have asked for
    };
    Way& find(uint64_t line);

    uint32_t sets_;
    uint32_t time_ = 0;
    std::vector<uint64_t> tags_;   ///< line + 1; 0: none. `ways` of them for each set
    std::vector<Way> ways_;
};

}  // namespace lanescope::machine
