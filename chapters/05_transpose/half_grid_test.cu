// The grid that covers half of the matrix: that it does, that the check finds it, and when it does not.
#include <regex>

#include "program_table.h"
#include "tutorial/simulated.h"
#include "tutorial/table_rows.h"

namespace {

using namespace lanescope::test;
using lanescope::tutorial::on_simulated_gpu;
using testing::HasSubstr;

struct Line {
    std::string grid, loaded;
    double ms = 0, bandwidth = 0;
    long wrong = -1;
};

Line line_of(const std::string& text, const std::string& name) {
    const std::regex pattern(name + R"( +(\d+ x \d+) +([\d.]+) +([\d.]+) +([\d.]+ %|-) +(\d+)\n)");
    std::smatch match;
    EXPECT_TRUE(std::regex_search(text, match, pattern)) << name << "\n" << text;
    if (match.empty()) return {};
    return {match[1], match[4], std::stod(match[2]), std::stod(match[3]), std::stol(match[5])};
}

struct Outcome {
    std::string text;
    Line right, caught, not_caught;
};

Outcome half_grid(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {PROGRAM_half_grid, "--repeats", "1"});
    const std::string text = run_well(arguments).out;
    return {text, line_of(text, "right grid, poisoned output"), line_of(text, "wrong grid, poisoned output"),
            line_of(text, "wrong grid, output of the right")};
}

// 1024 x 1024 ints by blocks of 32 x 16. Right: 32 blocks along x and 64 along y. Wrong: 64 along x, by 32 columns
// 2048, of which 1024 are there, and 32 along y, by 16 rows 512: half of the 1,048,576 elements stay as they were.
TEST(HalfGrid, CoversHalf) {
    const Outcome it = half_grid({"--rows", "1024", "--columns", "1024"});
    EXPECT_EQ(it.right.grid, "32 x 64");
    EXPECT_EQ(it.caught.grid, "64 x 32");
    EXPECT_EQ(it.right.wrong, 0);
    EXPECT_EQ(it.caught.wrong, 524288);
    EXPECT_THAT(it.text, HasSubstr("left 524288 of 1048576 elements unwritten, 50.0 %"));
    if (!on_simulated_gpu()) return;
    EXPECT_EQ(it.right.loaded, "100.0 %");
    EXPECT_EQ(it.caught.loaded, "50.0 %");
}

// The wrong grid over the output of the right one: all elements are right, and half were not computed.
TEST(HalfGrid, WithoutPoisonTheCheckFindsNothing) {
    const Outcome it = half_grid({"--rows", "1024", "--columns", "1024"});
    EXPECT_EQ(it.not_caught.wrong, 0);
    EXPECT_EQ(it.not_caught.grid, it.caught.grid);
    if (on_simulated_gpu()) EXPECT_EQ(it.not_caught.loaded, "50.0 %");
}

// Its bandwidth is too good, by the model of times: half of the work, and the bytes of all of it. 2048 x 2048, so that
// the launch itself does not count.
TEST(HalfGrid, ReportsMoreThanTheRightOne) {
    if (!on_simulated_gpu()) GTEST_SKIP() << "measured times are not compared";
    const Outcome it = half_grid({"--rows", "2048", "--columns", "2048"});
    EXPECT_GT(it.caught.bandwidth, 1.5 * it.right.bandwidth);
    EXPECT_LT(it.caught.bandwidth, 2.5 * it.right.bandwidth);
}

// A square matrix and a square block hide the mistake.
TEST(HalfGrid, SquareBlocksHideIt) {
    const Outcome it = half_grid({"--rows", "256", "--columns", "256", "--block-x", "16", "--block-y", "16"});
    EXPECT_EQ(it.right.grid, it.caught.grid);
    EXPECT_EQ(it.caught.wrong, 0);
    EXPECT_THAT(it.text, HasSubstr("do not show the mistake"));
}

// 16 x 32: 512 / 32 = 16 blocks along x, by 16 columns 256 of 512; 32 along y cover all rows. Half again, of the
// columns.
TEST(HalfGrid, UprightBlocksMissColumns) {
    const Outcome it = half_grid({"--rows", "512", "--columns", "512", "--block-x", "16", "--block-y", "32"});
    EXPECT_EQ(it.caught.grid, "16 x 32");
    EXPECT_EQ(it.caught.wrong, 512 * 256);
}

// 100 rows, 333 columns: wrong are 100 / 16 = 7 blocks along x, 224 columns, and 333 / 32 = 11 along y, all rows.
TEST(HalfGrid, NotSquare) {
    const Outcome it = half_grid({"--rows", "100", "--columns", "333"});
    EXPECT_EQ(it.right.grid, "11 x 7");
    EXPECT_EQ(it.caught.grid, "7 x 11");
    EXPECT_EQ(it.caught.wrong, 100 * (333 - 224));
}

TEST(HalfGrid, HelpAndRefusals) {
    EXPECT_THAT(run_well({PROGRAM_half_grid, "--help"}).out, HasSubstr("\n  --block-x "));
    expect_refused(PROGRAM_half_grid, {"--block-x", "64", "--block-y", "32"}, "--block-x times --block-y");
    expect_refused(PROGRAM_half_grid, {"--rows", "16385"}, "--rows must be a whole number from 1 to 16384");
    expect_refused(PROGRAM_half_grid, {"--grid", "1"}, "--grid is not an option");
}

}  // namespace
