// Where find_plateaus sees plateaus: in data made by hand, and in those that an H200 gave.
#include "plateaus.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace latency {
namespace {

TEST(FindPlateaus, NothingInNothing) {
    EXPECT_TRUE(find_plateaus({}).empty());
    EXPECT_TRUE(find_plateaus({{16, 32}}).empty());  // one size is no plateau
}

TEST(FindPlateaus, AllTheSameIsOne) {
    const auto found = find_plateaus({{16, 23}, {32, 23}, {64, 23}});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].from_kb, 16);
    EXPECT_EQ(found[0].to_kb, 64);
    EXPECT_EQ(found[0].cycles, 23);
    EXPECT_EQ(found[0].sizes, 3u);
}

TEST(FindPlateaus, ASlopeIsNone) {
    // Each size costs 5 % more than the one before.
    std::vector<Point> slope;
    for (double kb = 16, cycles = 100; kb < 1e6; kb *= 1.25, cycles *= 1.06) slope.push_back({kb, cycles});
    EXPECT_TRUE(find_plateaus(slope).empty());
}

TEST(FindPlateaus, TwoWithASlopeBetween) {
    const auto found =
        find_plateaus({{16, 30}, {20, 30.5}, {24, 30}, {28, 60}, {32, 90}, {40, 120}, {48, 121}, {56, 124}});
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].to_kb, 24);
    EXPECT_EQ(found[0].cycles, 30);  // the median of 30, 30, 30.5
    EXPECT_EQ(found[1].from_kb, 40);
    EXPECT_EQ(found[1].to_kb, 56);
    EXPECT_EQ(found[1].cycles, 121);
}

TEST(FindPlateaus, FivePercentOfTheLowest) {
    EXPECT_EQ(find_plateaus({{16, 100}, {32, 105}}).size(), 1u);
    EXPECT_EQ(find_plateaus({{16, 105}, {32, 100}}).size(), 1u);  // downwards too
    EXPECT_EQ(find_plateaus({{16, 100}, {32, 105.1}}).size(), 0u);
    // Neighbours within 5 %, but the first and the last are not: no run of three.
    const auto found = find_plateaus({{16, 100}, {32, 103}, {64, 106}});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].sizes, 2u);
}

TEST(FindPlateaus, AShortRunMayBeAPieceOfASlope) {
    EXPECT_EQ(find_plateaus({{100, 50}, {124, 50}}).size(), 0u);
    EXPECT_EQ(find_plateaus({{100, 50}, {125, 50}}).size(), 1u);
}

TEST(FindPlateaus, TheRunThatSpansMostIsTakenFirst) {
    // 20 to 64 spans 3.2; 16 to 32, which a search from the left would take, spans 2 and would break it in two.
    const auto found = find_plateaus({{16, 98}, {20, 100}, {32, 101.5}, {64, 103.5}});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].from_kb, 20);
    EXPECT_EQ(found[0].to_kb, 64);
}

// Lines of recorded/h200_chase.csv.
std::vector<Point> recorded(const std::string& op) {
    std::vector<Point> points;
    std::ifstream file(std::string(CHAPTER) + "/recorded/h200_chase.csv");
    for (std::string line; std::getline(file, line);) {
        if (line.find(",global," + op + ",random,128,") == std::string::npos) continue;
        std::istringstream rest(line.substr(line.find(",128,") + 5));
        Point point{};
        char comma = 0;
        std::string loads;
        rest >> point.kb >> comma;
        std::getline(rest, loads, ',');
        rest >> point.cycles;
        points.push_back(point);
    }
    return points;
}

// L1, near L2, far L2, DRAM; the sizes between are slopes.
TEST(FindPlateaus, H200WithCa) {
    const std::vector<Point> points = recorded("ca");
    ASSERT_EQ(points.size(), 39u);
    const auto found = find_plateaus(points);
    ASSERT_EQ(found.size(), 4u);
    EXPECT_NEAR(found[0].cycles, 32.1, 0.05);
    EXPECT_EQ(found[0].to_kb, 216);
    EXPECT_NEAR(found[1].cycles, 276, 0.5);
    EXPECT_EQ(found[1].from_kb, 384);
    EXPECT_NEAR(found[2].cycles, 506.7, 0.5);
    EXPECT_EQ(found[2].from_kb, 36864);
    EXPECT_EQ(found[2].to_kb, 57344);
    EXPECT_NEAR(found[3].cycles, 653.2, 0.5);
    EXPECT_EQ(found[3].to_kb, 524288);
}

// The same without L1: the smallest working set costs what L2 does.
TEST(FindPlateaus, H200WithCg) {
    const auto found = find_plateaus(recorded("cg"));
    ASSERT_EQ(found.size(), 3u);
    EXPECT_NEAR(found[0].cycles, 276, 0.5);
    EXPECT_LE(found[0].from_kb, 8);
    EXPECT_NEAR(found[1].cycles, 506.7, 0.5);
    EXPECT_NEAR(found[2].cycles, 653.3, 0.5);
}

}  // namespace
}  // namespace latency
