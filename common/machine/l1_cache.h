/// \file
/// The L1 data cache of one multiprocessor: which sectors of a load are there already.
///
///     L1Cache cache(233472);
///     uint32_t hits = cache.look_up(line, 0b1111);     // bit s: sector s of the line was there; now all four are
///
/// Assumptions. A line of 128 bytes has one tag and four sectors; a miss fetches the sectors that are missing. A set holds eight
/// lines. Each has a mark, set when the line is used; when all eight are set, those of the other seven are cleared; and the first line
/// without a mark gives way ("not recently used"). This is what agrees best with an H200 near the cache's capacity, for one sweep after
/// another and for a pointer chase (tests/gold, chapters/06_latency), though not exactly. As many neighbouring lines as there are sets lie
/// in different sets, each such group in another order, so that no stride is worse than another. What is on its way counts as
/// there, as on hardware. Time is not modelled. Stores write through; sectors that a request stores whole are there afterwards (a GPU
/// also joins the parts that several requests store). Atomics are done by L2 and make their sectors invalid here. Empty at the start of
/// every kernel.
///
/// Loads that bypass the cache (.cg, volatile) never hit. But one fetch serves all loads of a warp that are in flight together
/// (program/load_groups.h).
///
/// To save time, lines that cannot be there (touched_lines.h) wait in a list, and get their places when the next look-up needs
/// them; of more than fill the cache four times, the oldest count as gone. And a request for the same lines as the one before it finds them there
/// without leaving marks, as when the warps of a block read the columns of a matrix one after the other. Host side only.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <experimental/simd>
#include <memory>
#include <optional>
#include <vector>

#include "access/request.h"

namespace lanescope::machine {

class L1Cache {
public:
    explicit L1Cache(uint64_t bytes);
    void clear();
    static constexpr uint64_t most_line = (1ull << 32) - 1;   ///< lines are at most this: of 512 GB

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

    /// Brings what look_up() needs into the host's cache.
    void prefetch(uint64_t line) const {
        const std::size_t index = places_of_lines_.of(line).index;
        __builtin_prefetch(&sets_[index], 1);
        __builtin_prefetch(&used_[index], 1);
    }

    /// The same of a line that cannot be there: all misses.
    void fetch_new(uint64_t line, uint32_t sectors) {
        last_ = Last::unknown;
        if (line > most_waiting_line) {
            place_waiting();
            remember_place(put(entry(line, sectors)));
            return;
        }
        waiting_[waiting_next_] = static_cast<uint32_t>(entry(line, sectors));
        waiting_next_ = waiting_next_ + 1 == waiting_size_ ? 0 : waiting_next_ + 1;
        waiting_count_ = std::min(waiting_count_ + 1, waiting_size_);
    }

    /// The same of all lines of a request.
    void fetch_all_new(const uint64_t* entries, std::size_t count) {
        if (std::any_of(entries, entries + count, [](uint64_t entry) { return line_of(entry) > most_waiting_line; })) {
            for (std::size_t i = 0; i < count; ++i) fetch_new(line_of(entries[i]), sectors_of(entries[i]));
            return;
        }
        last_ = Last::unknown;
        uint32_t* const ring = waiting_.get();
        std::size_t next = waiting_next_;
        for (std::size_t i = 0; i < count; ++i) {
            ring[next] = static_cast<uint32_t>(entries[i]);
            next = next + 1 == waiting_size_ ? 0 : next + 1;
        }
        waiting_next_ = next;
        waiting_count_ = std::min(waiting_count_ + count, waiting_size_);
    }

    /// A request for the same lines, in the same order, as the request before it: the number of sectors that it misses. Nothing if it is
    /// another request, or if not all lines need be there. `entries`: each line once, as many as there are lanes at most.
    std::optional<uint32_t> missing_in_repeat(const uint64_t* entries, std::size_t count);

    /// A full warp's request for the very sectors of the request before it, with the same place in each lane: all hits. False: it is
    /// another, or the addresses of that one were not noted.
    bool repeats(const uint64_t* address) const {
        if (last_ == Last::unknown || !last_addresses_known_) return false;
        uint64_t differing = 0;
        for (std::size_t lane = 0; lane < last_addresses_.size(); ++lane) differing |= address[lane] ^ last_addresses_[lane];
        return differing < access::sector_bytes;
    }
    /// The addresses of the last request's 32 lanes.
    void note_addresses(const uint64_t* address) {
        std::copy_n(address, last_addresses_.size(), last_addresses_.begin());
        last_addresses_known_ = true;
    }

    /// To be called after the look-ups of a request. `lines_there` and `new_lines`: how many of its lines were there, and could not be there.
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
    /// Tag and valid sectors of each way. There are many caches: small numbers keep them in the host's cache.
    struct alignas(32) Set {
        std::array<uint32_t, ways> entries{};
    };
    /// A line's set, and what tells it from the other lines of the set: its group of as many lines as there are sets. 0 is nobody's.
    struct Place {
        std::size_t index;
        uint32_t tag;   ///< with no sectors
    };

    /// Which place. A loop takes a copy: then the compiler need not fear that what it writes changes these numbers.
    struct Places {
        explicit Places(std::size_t set_count);
        Place of(uint64_t line) const {
            const uint64_t group = divided(line), hash = group * 0x9E3779B97F4A7C15ull;
            const uint64_t place = (line - group * sets) * steps[hash >> 61] + (hash >> 32 & 0xFFFF);
            return {place - divided(place) * sets, static_cast<uint32_t>((group + 1) << sector_bits)};
        }
        uint64_t divided(uint64_t number) const { return static_cast<uint64_t>((static_cast<unsigned __int128>(number) * reciprocal) >> 64); }   // by `sets`

        uint64_t sets;
        uint64_t reciprocal;             ///< of `sets`, times 2^64
        std::array<uint64_t, 8> steps;   ///< have no divisor in common with `sets`
    };
    static void mark_used(uint8_t& used, uint32_t way) {
        const auto now = static_cast<uint8_t>(used | 1u << way);
        used = now == 0xFF ? static_cast<uint8_t>(1u << way) : now;
    }
    uint32_t* put(uint64_t entry) {   // of a line that is not there
        const auto [index, tag] = places_of_lines_.of(line_of(entry));
        return put(index, tag | sectors_of(entry));
    }
    uint32_t* put(std::size_t index, uint32_t entry) {
        const auto way = static_cast<uint32_t>(std::countr_one(used_[index]));
        mark_used(used_[index], way);
        sets_[index].entries[way] = entry;
        return &sets_[index].entries[way];
    }
    uint32_t* find(uint64_t line);   ///< its entry; nullptr: it is not there
    void remember_place(uint32_t* entry) { places_[place_count_++ % places_.size()] = entry; }
    void place_waiting();
    /// The number `back` from the end of those that wait; 1 is the last.
    uint32_t& waiting(std::size_t back) { return waiting_[waiting_next_ >= back ? waiting_next_ - back : waiting_next_ + waiting_size_ - back]; }

    std::vector<Set> sets_;
    std::vector<uint8_t> used_;   ///< of each set a bit for each way: used since the bits were cleared
    Places places_of_lines_;
    static constexpr uint64_t most_waiting_line = (1ull << (32 - sector_bits)) - 1;
    /// A ring of entries. There are many caches: this is small so that all lists fit into the host's cache.
    std::unique_ptr<uint32_t[]> waiting_;
    std::size_t waiting_size_;
    std::size_t waiting_next_ = 0, waiting_count_ = 0;
    /// Whether the lines of the last request are all in the cache, with nothing after them: `placed`, or the last that wait.
    enum class Last : uint8_t { unknown, placed, waiting } last_ = Last::unknown;
    std::array<uint64_t, 32> last_entries_;   ///< with sectors that are valid; if the lines wait, with all that are
    std::size_t last_count_ = 0;
    std::array<uint64_t, 32> last_addresses_;
    bool last_addresses_known_ = false;
    std::array<uint32_t*, 32> places_;   ///< of the lines that look_up() found or placed since the last call of missing_in_repeat()
    std::size_t place_count_ = 0;
    bool last_places_known_ = false;     ///< places_ are those of the last request
    std::vector<uint8_t> count_in_set_;
    std::array<Fetch, 64> fetches_;   ///< in flight, of loads that bypass the cache
};

inline uint32_t L1Cache::look_up(uint64_t line, uint32_t sectors, bool& line_was_there) {
    last_ = Last::unknown;
    if (waiting_count_ != 0) place_waiting();
    const auto [index, tag] = places_of_lines_.of(line);
    uint32_t* const set = sets_[index].entries.data();
    using Entries = std::experimental::fixed_size_simd<uint32_t, ways>;
    const auto is_line = (Entries(set, std::experimental::vector_aligned) & ~static_cast<uint32_t>(all_sectors)) == tag;
    line_was_there = any_of(is_line);
    if (!line_was_there) {
        remember_place(put(index, tag | sectors));
        return 0;
    }
    const auto way = static_cast<uint32_t>(find_first_set(is_line));
    mark_used(used_[index], way);
    remember_place(&set[way]);
    const uint32_t hits = set[way] & sectors;
    set[way] |= sectors;
    return hits;
}

}  // namespace lanescope::machine
