#include "machine/l1_cache.h"

#include <gtest/gtest.h>

namespace lanescope::machine {
namespace {

TEST(L1Cache, AMissFetchesTheMissingSectorsOnly) {
    L1Cache cache(1 << 18);
    EXPECT_EQ(cache.look_up(7, 0b0011), 0u);
    EXPECT_EQ(cache.look_up(7, 0b0110), 0b0010u);
    EXPECT_EQ(cache.look_up(7, 0b1111), 0b0111u);
    EXPECT_EQ(cache.look_up(8, 0b1111), 0u);
}

// One set of eight lines: the ninth takes the place of the one that was used least recently.
TEST(L1Cache, TheLeastRecentlyUsedLineGivesWay) {
    L1Cache cache(8 * 128);
    for (uint64_t line = 1; line <= 8; ++line) cache.look_up(line, 1);
    EXPECT_EQ(cache.look_up(1, 1), 1u);   // now 2 is the oldest
    cache.look_up(9, 1);
    EXPECT_EQ(cache.peek(1), 1u);
    EXPECT_EQ(cache.peek(2), 0u);
    EXPECT_EQ(cache.peek(9), 1u);
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

}  // namespace
}  // namespace lanescope::machine
