/// \file
/// The L1 data cache of one multiprocessor: which sectors of a load are there already.
///
///     L1Cache cache(233472);
///     uint32_t hits = cache.look_up(line, 0b1111);     // bit s: sector s of the line was there; now all four are
///
/// Assumptions. A line of 128 bytes has one tag and four sectors; a miss fetches the sectors that are missing. A set holds eight
/// lines, and the one that was used least recently gives way; sets are chosen by a hash of the line's number, so that no stride
/// is worse than another. What is on its way counts as there, as on hardware. Time is not modelled. Stores write through;
/// sectors that a request stores whole are there afterwards (a GPU also joins the parts that several requests store). Atomics are
/// done by L2 and make their sectors invalid here. Empty at the start of every kernel.
///
/// Loads that bypass the cache (.cg, volatile) never hit. But one fetch serves all loads of a warp that are in flight together
/// (program/load_groups.h). Host side only.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace lanescope::machine {

class L1Cache {
public:
    explicit L1Cache(uint64_t bytes);
    static constexpr uint64_t most_line = (1ull << 60) - 1;   ///< lines are at most this, and not 0

    /// A load through the cache. `line` is the address / 128, bit s of `sectors` is its sector s. Returns the hits.
    uint32_t look_up(uint64_t line, uint32_t sectors) {
        uint64_t* const set = &entries_[std::size_t{set_of(line)} * ways];   // in the order of last use
        if (set[0] >> sector_bits == line) {
            const auto valid = static_cast<uint32_t>(set[0] & all_sectors);
            set[0] |= sectors;
            return valid & sectors;
        }
        uint32_t found = 0;
        for (uint32_t way = 0; way < ways; ++way) found |= static_cast<uint32_t>(set[way] >> sector_bits == line) << way;
        if (found == 0) {
            std::uint64_t kept[ways - 1];   // the last gives way; by way of registers, which is faster than memmove
            std::memcpy(kept, set, sizeof kept);
            std::memcpy(set + 1, kept, sizeof kept);
            set[0] = line << sector_bits | sectors;
            return 0;
        }
        const int way = std::countr_zero(found);
        const auto valid = static_cast<uint32_t>(set[way] & all_sectors);
        std::memmove(set + 1, set, way * sizeof *set);
        set[0] = line << sector_bits | valid | sectors;
        return valid & sectors;
    }

    /// An atomic: the sectors are not there any more.
    void drop(uint64_t line, uint32_t sectors) {
        uint64_t* const set = &entries_[std::size_t{set_of(line)} * ways];
        for (uint32_t way = 0; way < ways; ++way) {
            if (set[way] >> sector_bits == line) set[way] &= ~static_cast<uint64_t>(sectors);
        }
    }

    /// Brings the line's set into the host's cache.
    void prefetch(uint64_t line) const { __builtin_prefetch(&entries_[std::size_t{set_of(line)} * ways], 1); }

    /// The sectors of the line that are there; changes nothing.
    uint32_t peek(uint64_t line) const {
        const uint64_t* const set = &entries_[std::size_t{set_of(line)} * ways];
        for (uint32_t way = 0; way < ways; ++way) {
            if (set[way] >> sector_bits == line) return static_cast<uint32_t>(set[way] & all_sectors);
        }
        return 0;
    }

    /// A load that bypasses the cache. `group` numbers the loads that are in flight together. Returns the sectors that are
    /// being fetched already.
    uint32_t bypass(uint64_t line, uint32_t sectors, uint32_t group);

private:
    static constexpr uint32_t ways = 8;
    static constexpr int sector_bits = 4;
    static constexpr uint64_t all_sectors = 15;
    struct Fetch {
        uint64_t line = ~0ull;
        uint32_t group = 0;
        uint32_t sectors = 0;
    };

    uint32_t set_of(uint64_t line) const {
        return static_cast<uint32_t>(((line * 0x9E3779B97F4A7C15ull) >> 32) * sets_ >> 32);
    }

    uint64_t sets_;
    std::vector<uint64_t> entries_;   ///< line and valid sectors, a set after the other; line 0 is nobody's
    std::array<Fetch, 64> fetches_;   ///< in flight, of loads that bypass the cache
};

}  // namespace lanescope::machine
