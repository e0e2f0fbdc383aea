#include "machine/l1_cache.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace lanescope::machine {

L1Cache::Places::Places(std::size_t set_count) : sets(set_count), reciprocal(~0ull / set_count + 1) {
    uint64_t step = 1;
    for (uint64_t& next : steps) {
        while (std::gcd(step, sets) != 1) ++step;
        next = step++;
    }
}

L1Cache::L1Cache(uint64_t bytes)
    : sets_(std::max<uint64_t>(2, bytes / access::line_bytes / ways)),
      used_(sets_.size()),
      places_of_lines_(sets_.size()),
      waiting_(std::make_unique_for_overwrite<uint32_t[]>(4 * ways * sets_.size())),   // most programs write to little of it
      waiting_size_(4 * ways * sets_.size()) {}

void L1Cache::clear() {
    std::fill(sets_.begin(), sets_.end(), Set{});
    std::fill(used_.begin(), used_.end(), uint8_t{0});
    std::fill(fetches_.begin(), fetches_.end(), Fetch{});
    waiting_count_ = 0;
    last_ = Last::unknown;
}

std::optional<uint32_t> L1Cache::missing_in_repeat(const uint64_t* entries, std::size_t count) {
    place_count_ = 0;
    if (last_ == Last::unknown || count != last_count_) return std::nullopt;
    uint64_t differing = 0, missing = 0;
    for (std::size_t i = 0; i < count; ++i) {
        differing |= entries[i] ^ last_entries_[i];
        missing |= entries[i] & ~last_entries_[i];
    }
    if (differing > all_sectors) return std::nullopt;   // not the same lines
    if (missing == 0) return 0;
    const bool wait = last_ == Last::waiting;
    if (!wait && !last_places_known_) return std::nullopt;
    uint32_t sectors = 0;
    for (std::size_t i = 0; i < count; ++i) {
        uint32_t& valid = wait ? waiting(count - i) : *places_[i];
        sectors += static_cast<uint32_t>(std::popcount(sectors_of(entries[i]) & ~valid));
        valid |= sectors_of(entries[i]);
        last_entries_[i] = entry(line_of(entries[i]), sectors_of(valid));
    }
    return sectors;
}

void L1Cache::end_request(const uint64_t* entries, std::size_t count, std::size_t lines_there, std::size_t new_lines) {
    // With at most two of a request's lines in each set all stay: the second cannot take the place of the first, which has a mark.
    last_ = Last::placed;
    last_addresses_known_ = false;
    if (lines_there != count) {
        const Places places = places_of_lines_;
        count_in_set_.assign(places.sets, 0);
        uint8_t* const count_in_set = count_in_set_.data();
        uint8_t most = 0;
        for (std::size_t i = 0; i < count; ++i) most = std::max(most, ++count_in_set[places.of(line_of(entries[i])).index]);
        if (most > 2) last_ = Last::unknown;
        if (last_ == Last::placed && new_lines == count && waiting_count_ >= count) last_ = Last::waiting;
    }
    if (last_ == Last::unknown) return;
    last_count_ = count;
    last_places_known_ = place_count_ == count;
    std::copy_n(entries, count, last_entries_.begin());
}

void L1Cache::place_waiting() {
    const Places places = places_of_lines_;
    Set* const sets = sets_.data();
    uint8_t* const used = used_.data();
    const auto place_all = [&](const uint32_t* entries, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const auto [index, tag] = places.of(line_of(entries[i]));
            const auto way = static_cast<uint32_t>(std::countr_one(used[index]));
            mark_used(used[index], way);
            sets[index].entries[way] = tag | sectors_of(entries[i]);
        }
    };
    const std::size_t before_end = std::min(waiting_count_, waiting_next_);   // the others lie at the end of the ring
    place_all(waiting_.get() + waiting_size_ - (waiting_count_ - before_end), waiting_count_ - before_end);
    place_all(waiting_.get() + waiting_next_ - before_end, before_end);
    waiting_count_ = 0;
}

uint32_t* L1Cache::find(uint64_t line) {
    last_ = Last::unknown;
    place_waiting();
    const auto [index, tag] = places_of_lines_.of(line);
    const auto found = std::ranges::find(sets_[index].entries, tag, [](uint32_t entry) { return entry & ~static_cast<uint32_t>(all_sectors); });
    return found == sets_[index].entries.end() ? nullptr : &*found;
}

void L1Cache::drop(uint64_t line, uint32_t sectors) {
    if (uint32_t* const entry = find(line)) *entry &= ~sectors;
}

uint32_t L1Cache::peek(uint64_t line) {
    const uint32_t* const entry = find(line);
    return entry ? sectors_of(*entry) : 0;
}

uint32_t L1Cache::bypass(uint64_t line, uint32_t sectors, uint32_t group) {
    Fetch& fetch = fetches_[line % fetches_.size()];
    if (fetch.line != line || fetch.group != group) fetch = {line, group, 0};
    const uint32_t merged = fetch.sectors & sectors;
    fetch.sectors |= sectors;
    return merged;
}

}  // namespace lanescope::machine
