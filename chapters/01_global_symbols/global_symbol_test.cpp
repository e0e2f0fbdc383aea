// What the program shows, on the simulated GPU and on a real one. Runs of the simulated GPU with another
// LANESCOPE_SCHEDULE interleave the threads differently; a real GPU ignores the variable.
#include <gmock/gmock.h>

#include <regex>
#include <set>
#include <string>
#include <vector>

#include "support/run_program.h"

namespace {

using lanescope::test::Finished;
using lanescope::test::run_program;
using testing::HasSubstr;

constexpr int schedules = 50;

Finished run_with_schedule(int seed) {
    return run_program({PROGRAM_global_symbol}, {{"LANESCOPE_SCHEDULE", std::to_string(seed)}});
}

// First group of every match, in order.
std::vector<std::string> all_matches(const std::string& text, const std::string& pattern) {
    const std::regex expression(pattern);
    std::vector<std::string> found;
    for (std::sregex_iterator i(text.begin(), text.end(), expression), end; i != end; ++i) found.push_back((*i)[1]);
    return found;
}

std::string result_of_race(const Finished& run) {
    const auto found = all_matches(run.out, R"(This run gave (\d+\.\d\d);)");
    return found.size() == 1 ? found[0] : "no result";
}

// Values are compared as printed, with two decimals: 3.14 has no exact float, and each of the six additions
// rounds (at most 5e-7, half a unit in the last place below 16), so no exact comparison with 15.14 could hold.

TEST(GlobalSymbol, EveryThreadReadsWhatTheHostWrote) {
    const Finished run = run_with_schedule(0);
    EXPECT_EQ(run.exit_status, 0) << run.err;
    EXPECT_THAT(all_matches(run.out, R"(reads (\d+\.\d\d))"), testing::ElementsAre("3.14", "3.14", "3.14", "3.14", "3.14", "3.14"));
    const auto threads = all_matches(run.out, R"((block [01] thread [012]) reads)");
    EXPECT_EQ(std::set<std::string>(threads.begin(), threads.end()).size(), 6u) << run.out;
}

TEST(GlobalSymbol, EveryThreadWritesTwoMoreThanItRead) {
    const Finished run = run_with_schedule(0);
    const auto read = all_matches(run.out, R"(read (\d+\.\d\d), wrote)");
    const auto wrote = all_matches(run.out, R"(, wrote (\d+\.\d\d))");
    ASSERT_EQ(read.size(), 6u) << run.out;
    ASSERT_EQ(wrote.size(), 6u) << run.out;
    for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(std::stod(wrote[i]), std::stod(read[i]) + 2, 1e-9);
}

// The three threads of a block are lanes of one warp: they load together before any of them stores, so at
// least two of a block's three additions are lost. At most one per block survives: 5.14 or 7.14 here, but
// only "less than 15.14" follows from CUDA's rules for some schedule, and that is what is asserted.
TEST(GlobalSymbol, TheRaceLosesAdditionsUnderSomeSchedule) {
    bool lost = false;
    for (int seed = 0; seed < schedules && !lost; ++seed) {
        const Finished run = run_with_schedule(seed);
        ASSERT_EQ(run.exit_status, 0) << run.err;
        const std::string result = result_of_race(run);
        ASSERT_THAT(result, testing::EndsWith(".14")) << run.out;
        lost = result != "15.14";
    }
    EXPECT_TRUE(lost) << "no schedule of " << schedules << " lost an addition";
}

// 3.14 + 6 * 2 = 15.14, and the six values found are 3.14, 5.14, ... 13.14 in some order: each atomicAdd
// saw all additions before it.
TEST(GlobalSymbol, NoScheduleBreaksTheFix) {
    for (int seed = 0; seed < schedules; ++seed) {
        const Finished run = run_with_schedule(seed);
        ASSERT_EQ(run.exit_status, 0) << "schedule " << seed << "\n" << run.err;
        EXPECT_THAT(all_matches(run.out, R"(found (\d+\.\d\d), left)"),
                    testing::UnorderedElementsAre("3.14", "5.14", "7.14", "9.14", "11.14", "13.14"))
            << "schedule " << seed;
        EXPECT_THAT(run.out, HasSubstr("with atomicAdd.\n")) << "schedule " << seed;
        EXPECT_THAT(run.out, testing::EndsWith("The host reads back 15.14.\n")) << "schedule " << seed;
    }
}

// A printf before the addition takes time, and other additions may be lost; the values are those of the same race.
TEST(GlobalSymbol, PrintFirstIsTheSameRace) {
    const Finished run = run_program({PROGRAM_global_symbol, "--print-first"});
    EXPECT_EQ(run.exit_status, 0) << run.err;
    EXPECT_EQ(all_matches(run.out, R"(reads (\d+\.\d\d))").size(), 12u) << run.out;   // six threads in 1. and in 2.
    EXPECT_THAT(result_of_race(run), testing::EndsWith(".14")) << run.out;
    EXPECT_THAT(run.out, testing::EndsWith("The host reads back 15.14.\n"));
}

TEST(GlobalSymbol, HelpAndUnknownArguments) {
    EXPECT_EQ(run_program({PROGRAM_global_symbol, "--help"}).exit_status, 0);
    EXPECT_THAT(run_program({PROGRAM_global_symbol, "--help"}).out, HasSubstr("Usage: global_symbol"));
    EXPECT_EQ(run_program({PROGRAM_global_symbol, "--fast"}).exit_status, 2);
    EXPECT_EQ(run_program({PROGRAM_global_symbol, "--print-first", "--fast"}).exit_status, 2);
}

}  // namespace
