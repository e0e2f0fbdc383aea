#include "machine/l1_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include "machine/touched_lines.h"

namespace lanescope::machine {
namespace {

TEST(L1Cache, AMissFetchesTheMissingSectorsOnly) {
    L1Cache cache(1 << 18);
    EXPECT_EQ(cache.look_up(7, 0b0011), 0u);
    EXPECT_EQ(cache.look_up(7, 0b0110), 0b0010u);
    EXPECT_EQ(cache.look_up(7, 0b1111), 0b0111u);
    EXPECT_EQ(cache.look_up(8, 0b1111), 0u);
}

// An array that fits is all there at the second reading, wherever it starts: 7 of 8 parts of the cache always do.
TEST(L1Cache, NeighboursFillItEvenly) {
    for (const uint64_t first : {1u, 100u, 12345u}) {
        L1Cache cache(224 << 10);
        constexpr int lines = (224 << 10) / 128 * 7 / 8;
        for (int i = 0; i < lines; ++i) cache.look_up(first + i, 1);
        for (int i = 0; i < lines; ++i) ASSERT_EQ(cache.look_up(first + i, 1), 1u) << i;
    }
}

// A cache holds an array of 3/4 of its size at the second reading, in whatever steps it is read.
TEST(L1Cache, NoStrideIsBad) {
    for (const uint64_t stride : {1u, 2u, 16u, 32u, 1024u}) {
        L1Cache cache(1 << 18);
        constexpr int lines = (1 << 18) / 128 * 3 / 4;
        for (int i = 0; i < lines; ++i) cache.look_up(1 + i * stride, 1);
        int hits = 0;
        for (int i = 0; i < lines; ++i) hits += static_cast<int>(cache.look_up(1 + i * stride, 1));
        EXPECT_GT(hits, lines * 8 / 10) << "stride " << stride;
    }
}

TEST(L1Cache, AnAtomicDropsItsSectors) {
    L1Cache cache(1 << 18);
    cache.look_up(7, 0b1111);
    cache.drop(7, 0b0100);
    EXPECT_EQ(cache.peek(7), 0b1011u);
    cache.drop(8, 0b0001);   // of a line that is not there
}

TEST(L1Cache, LoadsThatBypassItShareAFetchWithinTheirGroupOnly) {
    L1Cache cache(1 << 18);
    EXPECT_EQ(cache.bypass(7, 0b1111, 1), 0u);
    EXPECT_EQ(cache.bypass(7, 0b0011, 1), 0b0011u);
    EXPECT_EQ(cache.bypass(7, 0b0011, 2), 0u);
    EXPECT_EQ(cache.peek(7), 0u);
}

// The words of the header as code.
class PlainCache {
public:
    explicit PlainCache(uint64_t sets) : sets_(sets) {}
    uint32_t valid(uint64_t line) const {
        for (const Way& way : set_of(line)) {
            if (way.line == line) return way.valid;
        }
        return 0;
    }
    void add(uint64_t line, uint32_t sectors) {
        for (Way& way : sets_[index_of(line)]) {
            if (way.line == line) way.valid |= sectors;
        }
    }
    uint32_t look_up(uint64_t line, uint32_t sectors) {
        std::array<Way, 8>& set = sets_[index_of(line)];
        auto way = std::ranges::find(set, line, &Way::line);
        if (way == set.end()) {
            way = std::ranges::find(set, false, &Way::marked);
            *way = {line, 0, false};
        }
        const uint32_t hits = way->valid & sectors;
        way->valid |= sectors;
        way->marked = true;
        if (std::ranges::all_of(set, &Way::marked)) {
            for (Way& other : set) other.marked = &other == &*way;
        }
        return hits;
    }

private:
    struct Way {
        uint64_t line = 0;
        uint32_t valid = 0;
        bool marked = false;
    };
    uint64_t index_of(uint64_t line) const {
        const uint64_t group = line / sets_.size(), hash = group * 0x9E3779B97F4A7C15ull;
        std::vector<uint64_t> steps;   // without a divisor in common with the number of sets
        for (uint64_t step = 1; steps.size() < 8; ++step) {
            if (std::gcd(step, sets_.size()) == 1) steps.push_back(step);
        }
        return (line % sets_.size() * steps[hash >> 61] + (hash >> 32 & 0xFFFF)) % sets_.size();
    }
    const std::array<Way, 8>& set_of(uint64_t line) const { return sets_[index_of(line)]; }
    std::vector<std::array<Way, 8>> sets_;
};

// Requests as kernels make them: new lines, lines of before, the same request again with other sectors, single lines between them; from
// three multiprocessors in turn, with a cache each.
TEST(L1Cache, IsThePlainCache) {
    int columns_again = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        std::mt19937 random(seed);
        constexpr uint32_t sms = 3;
        const uint64_t sets = 12 + random() % 24;   // small, so that requests push out their own lines now and then
        std::vector<L1Cache> caches;
        for (uint32_t i = 0; i < sms; ++i) caches.emplace_back(sets * 8 * 128);
        std::vector<PlainCache> plain_caches(sms, PlainCache(sets));
        TouchedLines touched(1 << 16);
        touched.begin_launch();
        uint64_t next_line = 1;
        std::vector<uint64_t> lines;
        uint32_t sm = 0;
        for (int step = 0; step < 2000; ++step) {
            if (random() % 16 == 0) sm = random() % sms;
            L1Cache& cache = caches[sm];
            PlainCache& plain = plain_caches[sm];
            const unsigned kind = random() % 8;
            if (kind == 0) {   // a store
                const uint64_t line = 1 + random() % 500;
                const uint32_t sectors = 1 + random() % 15;
                if (touched.first(line, sm)) cache.fetch_new(line, sectors);
                else cache.look_up(line, sectors);
                plain.look_up(line, sectors);
                continue;
            }
            if (kind <= 2) {   // a new request; otherwise the same lines again
                lines.clear();
                const size_t count = random() % 2 ? 32 : 1 + random() % 32;
                while (lines.size() < count) {
                    const uint64_t line = kind == 1 ? next_line++ % 60000 + 1 : 1 + random() % 400;
                    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
                }
            }
            // A column: 32 lanes, each with a place in one sector of a line of its own.
            const bool column = lines.size() == 32 && random() % 4 != 0;
            const uint64_t place = random() % 128 / 4 * 4;
            std::vector<uint64_t> entries, addresses;
            for (const uint64_t line : lines) {
                entries.push_back(L1Cache::entry(line, column ? 1u << place / 32 : 1 + random() % 15));
                addresses.push_back(line * 128 + place);
            }
            if (column && cache.repeats(addresses.data())) {
                ++columns_again;
                for (const uint64_t line : lines) ASSERT_TRUE(plain.valid(line) >> (place / 32) & 1) << "seed " << seed << ", step " << step;
                continue;
            }
            int hits = 0, expected = 0;
            const std::optional<uint32_t> repeated = cache.missing_in_repeat(entries.data(), entries.size());
            for (const uint64_t entry : entries) {
                const uint64_t line = L1Cache::line_of(entry);
                const uint32_t sectors = L1Cache::sectors_of(entry);
                if (!repeated) {
                    expected += std::popcount(plain.look_up(line, sectors));
                    continue;
                }
                ASSERT_NE(plain.valid(line), 0u) << "seed " << seed << ", step " << step;
                expected += std::popcount(sectors & ~plain.valid(line));   // misses, here
                plain.add(line, sectors);
            }
            if (repeated) {
                hits = static_cast<int>(*repeated);
            } else {
                size_t there = 0, new_here = 0;
                std::vector<bool> is_new;
                for (const uint64_t entry : entries) is_new.push_back(touched.first(L1Cache::line_of(entry), sm));
                new_here = std::count(is_new.begin(), is_new.end(), true);
                if (new_here == entries.size()) cache.fetch_all_new(entries.data(), entries.size());
                else for (size_t i = 0; i < entries.size(); ++i) {
                    const uint64_t entry = entries[i];
                    bool line_was_there = false;
                    if (is_new[i]) {
                        cache.fetch_new(L1Cache::line_of(entry), L1Cache::sectors_of(entry));
                    } else {
                        hits += std::popcount(cache.look_up(L1Cache::line_of(entry), L1Cache::sectors_of(entry), line_was_there));
                        there += line_was_there;
                    }
                }
                cache.end_request(entries.data(), entries.size(), there, new_here);
            }
            if (column) cache.note_addresses(addresses.data());
            ASSERT_EQ(hits, expected) << "seed " << seed << ", step " << step;
        }
    }
    EXPECT_GT(columns_again, 1000);
}

// Of a long stream of new lines the last are there, and the first are not.
TEST(L1Cache, AStreamOfNewLines) {
    L1Cache cache(64 << 10);   // 512 lines
    for (uint64_t line = 1; line <= 100'000; ++line) cache.fetch_new(line, 0b1111);
    for (uint64_t line = 100'000; line > 100'000 - 50; --line) EXPECT_EQ(cache.look_up(line, 0b0001), 1u) << line;
    EXPECT_EQ(cache.look_up(1, 1), 0u);
    EXPECT_EQ(cache.look_up(50'000, 1), 0u);
}

TEST(L1Cache, IsEmptyAfterClear) {
    L1Cache cache(1 << 18);
    cache.look_up(7, 0b1111);
    cache.fetch_new(8, 0b1111);
    cache.clear();
    EXPECT_EQ(cache.peek(7), 0u);
    EXPECT_EQ(cache.peek(8), 0u);
}

TEST(TouchedLines, AreNewOnceInALaunch) {
    TouchedLines touched(100);
    for (int launch = 0; launch < 10; ++launch) {
        touched.begin_launch();
        EXPECT_TRUE(touched.first(5, 0));
        EXPECT_FALSE(touched.first(5, 0));
        if (launch % 3 == 0) {
            EXPECT_TRUE(touched.first(99, 131));
        }
    }
    EXPECT_FALSE(touched.first(100, 0)) << "nothing is known of lines beyond";
}

// A third multiprocessor's first time is not told from a later one; but a later one is never called the first.
TEST(TouchedLines, AreNewOnceForEachOfTwoMultiprocessors) {
    TouchedLines touched(100);
    touched.begin_launch();
    EXPECT_TRUE(touched.first(5, 3));
    EXPECT_TRUE(touched.first(5, 4));
    for (const uint32_t sm : {3, 4, 5, 3}) EXPECT_FALSE(touched.first(5, sm));
    EXPECT_TRUE(touched.first(6, 4));
}

// More multiprocessors than there are marks: no two times are called the first of one.
TEST(TouchedLines, OfMultiprocessorsWithHighNumbers) {
    TouchedLines touched(100);
    touched.begin_launch();
    int firsts = 0;
    for (uint32_t sm = 0; sm < 1000; ++sm) {
        const uint64_t line = sm % 100;
        firsts += touched.first(line, sm);
        EXPECT_FALSE(touched.first(line, sm)) << sm;
    }
    EXPECT_EQ(firsts, 200);
}

}  // namespace
}  // namespace lanescope::machine
