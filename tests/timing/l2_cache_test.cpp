#include "timing/l2_cache.h"

#include <gtest/gtest.h>

namespace lanescope::timing {
namespace {

using Level = L2Cache::Level;

constexpr uint64_t megabyte = 1 << 20, lines_of_1mb = megabyte / 128;

TEST(L2Cache, SectorsComeFromDramOnce) {
    L2Cache l2(1000, 60 * megabyte, true);
    L2Cache::Found found = l2.access(7, 0b0011);
    EXPECT_EQ(found.level, Level::dram);
    EXPECT_EQ(found.missing, 0b0011u);
    found = l2.access(7, 0b0011);
    EXPECT_EQ(found.level, Level::near);
    EXPECT_EQ(found.missing, 0u);
    found = l2.access(7, 0b0110);   // another sector of the line
    EXPECT_EQ(found.level, Level::dram);
    EXPECT_EQ(found.missing, 0b0100u);
}

TEST(L2Cache, NothingIsKnownOfLinesBeyondDeviceMemory) {
    L2Cache l2(1000, 60 * megabyte, true);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(l2.access(1000, 1).missing, 1u);
}

// The share of a working set, read over and over in one order, that is found at each level.
struct Shares {
    double near = 0, far = 0, dram = 0;
};
Shares sweep(uint64_t set_bytes, bool has_far) {
    const uint64_t lines = set_bytes / 128;
    L2Cache l2(lines, 60 * megabyte, has_far);
    Shares shares;
    for (int pass = 0; pass < 4; ++pass) {
        for (uint64_t line = 0; line < lines; ++line) {
            const Level level = l2.access(line, 1).level;
            if (pass == 0) continue;
            (level == Level::near ? shares.near : level == Level::far ? shares.far : shares.dram) += 1.0 / (3.0 * static_cast<double>(lines));
        }
    }
    return shares;
}

// A cache of 60 MB in two partitions, as the H200's.
TEST(L2Cache, WorkingSets) {
    EXPECT_NEAR(sweep(24 * megabyte, true).near, 1, 1e-9);
    EXPECT_NEAR(sweep(45 * megabyte, true).far, 1, 1e-9);
    EXPECT_NEAR(sweep(96 * megabyte, true).dram, 1, 1e-9);
    EXPECT_NEAR(sweep(45 * megabyte, false).near, 1, 1e-9) << "one partition";
    const Shares between = sweep(60 * megabyte, true);
    EXPECT_GT(between.far, 0.2);
    EXPECT_GT(between.dram, 0.2);
}

// A small set that is used all the time does not push out a large one.
TEST(L2Cache, HotLinesDoNotAgeOthers) {
    L2Cache l2(40 * lines_of_1mb, 60 * megabyte, true);
    const uint64_t large = 20 * lines_of_1mb;
    uint64_t near = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (uint64_t line = 0; line < large; ++line) {
            near += pass == 1 && l2.access(line, 1).level == Level::near;
            if (pass == 0) l2.access(line, 1);
            for (uint64_t hot = 0; hot < 4; ++hot) l2.access(large + hot, 1);
        }
    }
    EXPECT_EQ(near, large);
}

}  // namespace
}  // namespace lanescope::timing
