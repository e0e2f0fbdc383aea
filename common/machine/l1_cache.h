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
/// (program/load_groups.h).
///
/// Two shortcuts change nothing but the time that this takes. Lines that no cache has seen before (touched_lines.h) wait in a list,
/// and get their places when the next look-up needs them. And a request for the same lines as the one before it finds them there, as
/// when the warps of a block read the columns of a matrix one after the other. Host side only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <experimental/simd>
#include <optional>
#include <vector>

namespace lanescope::machine {

class L1Cache {
public:
    explicit L1Cache(uint64_t bytes);
    void clear();
    static constexpr uint64_t most_line = (1ull << 60) - 1;   ///< lines are at most this, and not 0

    /// A line and its sectors in one number.
    static uint64_t entry(uint64_t line, uint32_t sectors) { return line << sector_bits | sectors; }
    static uint64_t line_of(uint64_t entry) { return entry >> sector_bits; }
    static uint32_t sectors_of(uint64_t entry) { return static_cast<uint32_t>(entry & all_sectors); }

    /// A load through the cache. `line` is the address / 128, bit s of `sectors` is its sector s. Returns the hits.
    uint32_t look_up(uint64_t line, uint32_t sectors) {
        bool line_was_there = false;
        return look_up(line, sectors, line_was_there);
    }
    uint32_t look_up(uint64_t line, uint32_t sectors, bool& line_was_there);

    /// The same of a line that is in no cache: all misses.
    void fetch_new(uint64_t line, uint32_t sectors) {
        last_ = Last::unknown;
        waiting_.push_back(entry(line, sectors));
        if (waiting_.size() == most_waiting_) drop_old();
    }

    /// A request for the same lines, in the same order, as the request before it: the number of sectors that it hits. Nothing if it is another
    /// request, or if not all lines need be there. `entries`: each line once, as many as there are lanes at most.
    std::optional<uint32_t> repeat(const uint64_t* entries, std::size_t count);

    /// To be called after the look-ups of a request. `lines_there` and `new_lines`: how many of its lines were in the cache, and in none.
    void end_request(const uint64_t* entries, std::size_t count, std::size_t lines_there, std::size_t new_lines);

    /// An atomic: the sectors are not there any more.
    void drop(uint64_t line, uint32_t sectors);

    /// The sectors of the line that are there; changes nothing.
    uint32_t peek(uint64_t line);

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
    /// Line and valid sectors of each way, in the order of last use; line 0 is nobody's. One line of the host's cache.
    struct alignas(64) Set {
        std::array<uint64_t, ways> entries{};
    };

    std::size_t index_of(uint64_t line) const { return ((line * 0x9E3779B97F4A7C15ull) >> 32) * sets_.size() >> 32; }
    uint64_t* set_of(uint64_t line) { return sets_[index_of(line)].entries.data(); }
    static void put_first(uint64_t* set, uint64_t entry) {
        std::uint64_t kept[ways - 1];   // the last gives way; by way of registers, which is faster than memmove
        std::memcpy(kept, set, sizeof kept);
        std::memcpy(set + 1, kept, sizeof kept);
        set[0] = entry;
    }
    void place_waiting();
    void drop_old();

    std::vector<Set> sets_;
    std::vector<uint64_t> waiting_;   ///< entries, oldest first
    std::size_t most_waiting_;
    /// Whether the lines of the last request are all in the cache, with nothing after them: `placed`, or the last that wait.
    enum class Last : uint8_t { unknown, placed, waiting } last_ = Last::unknown;
    std::array<uint64_t, 32> last_entries_;   ///< with sectors that are valid; if the lines wait, with all that are
    std::size_t last_count_ = 0;
    std::vector<uint8_t> count_in_set_;
    std::array<Fetch, 64> fetches_;   ///< in flight, of loads that bypass the cache
};

inline uint32_t L1Cache::look_up(uint64_t line, uint32_t sectors, bool& line_was_there) {
    last_ = Last::unknown;
    if (!waiting_.empty()) place_waiting();
    uint64_t* const set = set_of(line);
    const uint64_t wanted = line << sector_bits;
    uint32_t way = 0;
    if ((set[0] & ~all_sectors) != wanted) {   // not the one that was used last
        using Entries = std::experimental::fixed_size_simd<uint64_t, ways>;
        const auto is_line = (Entries(set, std::experimental::vector_aligned) & ~all_sectors) == wanted;
        if (none_of(is_line)) {
            line_was_there = false;
            put_first(set, wanted | sectors);
            return 0;
        }
        way = static_cast<uint32_t>(find_first_set(is_line));
    }
    line_was_there = true;
    const uint64_t valid = set[way] & all_sectors;
    for (; way > 0; --way) set[way] = set[way - 1];
    set[0] = wanted | valid | sectors;
    return static_cast<uint32_t>(valid) & sectors;
}

}  // namespace lanescope::machine
