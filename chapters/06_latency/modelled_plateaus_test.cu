// The modelled clock against what an H200 measured (recorded/): the plateaus of the chase, and the chains of FFMA.
// About the simulated H200, where the model makes every run the same.
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "plateaus.h"
#include "support/run_program.h"

namespace {

using lanescope::test::Finished;
using lanescope::test::run_program;

// The cells of each line but the first, of what a program prints with --csv.
std::vector<std::vector<std::string>> rows_of(std::vector<std::string> command) {
    command.push_back("--csv");
    const Finished run = run_program(command);
    EXPECT_EQ(run.exit_status, 0) << run.err;
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(run.out);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        rows.emplace_back();
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
        EXPECT_EQ(rows.back()[1], "modelled") << line;
    }
    EXPECT_FALSE(rows.empty());
    return rows;
}

std::vector<latency::Point> chase(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), PROGRAM_pointer_chase);
    std::vector<latency::Point> points;
    for (const auto& row : rows_of(arguments)) points.push_back({std::stod(row.at(6)), std::stod(row.at(8))});
    return points;
}

// All sizes, as recorded: the program's own test runs it, and compares what it prints with this file.
std::vector<latency::Point> recorded_chase() {
    std::vector<latency::Point> points;
    std::ifstream file(CHAPTER "/recorded/pointer_chase.simulated.txt");
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);   // 16        128         32.1
        double kb = 0, elements = 0, cycles = 0;
        if (words >> kb >> elements >> cycles) points.push_back({kb, cycles});
    }
    EXPECT_EQ(points.size(), 53u);   // four in each of 13 doublings from 16 KB, and the last
    return points;
}

void expect_near(double found, double measured, double share) { EXPECT_NEAR(found, measured, share * measured); }

// Four plateaus, where the H200 had them: 32.1 up to 208 KB, 276 up to 24 MB, 506 from 36 to 52 MB, 655 from 96 MB.
TEST(ModelledChase, PlateausWithCa) {
    const auto found = latency::find_plateaus(recorded_chase());
    ASSERT_EQ(found.size(), 4u);
    expect_near(found[0].cycles, 32.1, 0.03);
    expect_near(found[1].cycles, 276, 0.03);
    expect_near(found[2].cycles, 506, 0.03);
    expect_near(found[3].cycles, 655, 0.03);
    EXPECT_LE(found[0].from_kb, 16);
    EXPECT_GE(found[0].to_kb, 192);
    EXPECT_LT(found[0].to_kb, 256);
    EXPECT_LE(found[1].from_kb, 512);
    EXPECT_GE(found[1].to_kb, 24576);
    EXPECT_LE(found[2].from_kb, 40960);
    EXPECT_GE(found[2].to_kb, 49152);
    EXPECT_LE(found[3].from_kb, 98304);
    EXPECT_EQ(found[3].to_kb, 131072);
}

// .cg goes to L2 at once: nothing costs less than L2, however small. (Beyond L1 it is as above.)
TEST(ModelledChase, CgNeverShowsAnL1Plateau) {
    const std::vector<latency::Point> points = chase({"--op", "cg", "--to", "1024"});
    for (const latency::Point& point : points) EXPECT_GT(point.cycles, 0.97 * 276) << point.kb << " KB";
    const auto found = latency::find_plateaus(points);
    ASSERT_EQ(found.size(), 1u);
    expect_near(found[0].cycles, 276, 0.03);
    EXPECT_EQ(found[0].from_kb, 16);
    EXPECT_EQ(found[0].to_kb, 1024);
}

TEST(ModelledChase, SharedMemoryCostsTheSameWhateverTheSize) {
    for (const latency::Point& point : chase({"--space", "shared"})) {
        SCOPED_TRACE(point.kb);
        expect_near(point.cycles, 23.0, 0.03);
    }
}

// 4 elements in each line, which .ca finds in L1 as long as all lines fit.
TEST(ModelledChase, StridesOfLessThanALineShareIt) {
    for (const latency::Point& point : chase({"--stride", "32", "--to", "128"})) {
        SCOPED_TRACE(point.kb);
        expect_near(point.cycles, 32.1, 0.03);
    }
}

TEST(ModelledInstructions, FfmaInChains) {
    std::map<std::string, double> cycles;
    for (const auto& row : rows_of({PROGRAM_instruction_latency, "--op", "ffma"}))
        cycles[row.at(4)] = std::stod(row.at(5));
    ASSERT_EQ(cycles.size(), 8u);
    // What this program measured on an H200 (recorded/instruction_latency.h200.txt). Another loop gave 4.17, 2.17, 1.33 and 1.01 there.
    expect_near(cycles["1"], 4.02, 0.05);
    expect_near(cycles["2"], 2.02, 0.05);
    expect_near(cycles["3"], 1.35, 0.05);
    for (const char* chains : {"4", "5", "6", "7", "8"}) {
        SCOPED_TRACE(chains);
        expect_near(cycles[chains], 1.02, 0.05);
    }
}

TEST(ModelledInstructions, DependentOnes) {
    std::map<std::string, double> cycles;
    for (const auto& row : rows_of({PROGRAM_instruction_latency, "--chains", "1"}))
        cycles[row.at(2)] = std::stod(row.at(5));
    for (const char* name : {"ffma", "fadd", "imad"}) {
        SCOPED_TRACE(name);
        expect_near(cycles[name], 4.0, 0.05);
    }
    expect_near(cycles["shfl"], 24, 0.05);
    expect_near(cycles["ex2"], 17, 0.05);
}

// More chains never cost more for each instruction.
TEST(ModelledInstructions, MoreChainsHideMore) {
    std::map<std::string, double> last;
    for (const auto& row : rows_of({PROGRAM_instruction_latency})) {
        const double cycles = std::stod(row.at(5));
        if (last.count(row.at(2)))
            EXPECT_LE(cycles, 1.02 * last[row.at(2)]) << row.at(2) << ", " << row.at(4) << " chains";
        last[row.at(2)] = cycles;
    }
}

}  // namespace
