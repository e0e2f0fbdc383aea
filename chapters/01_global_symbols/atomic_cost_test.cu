// What atomic_cost prints, on the simulated GPU and on a real one. No time is asserted.
#include <gmock/gmock.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/run_program.h"
#include "tutorial/simulated.h"

namespace {

using lanescope::test::Finished;
using lanescope::test::run_program;
using lanescope::tutorial::on_simulated_gpu;
using testing::HasSubstr;

Finished run_with(const std::vector<std::string>& arguments) {
    std::vector<std::string> command{PROGRAM_atomic_cost, "--repeats", "1"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_program(command);
}

// The words behind a rung's name, "float, one per warp": additions, atomic instructions, ..., sum, perhaps "wrong".
using Words = std::vector<std::string>;
std::map<std::string, Words> rungs(const std::string& out) {
    std::map<std::string, Words> found;
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("unsigned, ", 0) != 0 && line.rfind("float, ", 0) != 0) continue;
        std::istringstream rest(line.substr(25));
        std::string name = line.substr(0, 25);
        name.erase(name.find_last_not_of(' ') + 1);
        for (std::string word; rest >> word;) found[name].push_back(word);
    }
    return found;
}

struct Expected {
    unsigned n, warps, blocks;
};

class AtomicCost : public testing::TestWithParam<Expected> {};

// One atomic instruction for each warp that holds a value, n / 32 rounded up, if every thread adds (n lanes) or lane
// 0 adds (one lane each); one for each block, n / 256 rounded up, with one lane, if a thread of the block adds.
TEST_P(AtomicCost, SumsAndAtomics) {
    const auto [n, warps, blocks] = GetParam();
    const Finished run = run_with({"--n", std::to_string(n)});
    ASSERT_EQ(run.exit_status, 0) << run.err;
    auto rung = rungs(run.out);
    ASSERT_EQ(rung.size(), 8u) << run.out;
    for (const std::string type : {"unsigned", "float"}) {
        const std::map<std::string, std::pair<unsigned, unsigned>> rows{
            {"one per thread", {n, warps}}, {"one per warp", {warps, warps}}, {"one per block", {blocks, blocks}}};
        for (const auto& [name, counts] : rows) {
            const Words& words = rung[type + ", " + name];
            ASSERT_GE(words.size(), 4u) << run.out;
            EXPECT_EQ(words[0], std::to_string(counts.first)) << run.out;
            EXPECT_EQ(words[1], std::to_string(counts.second)) << run.out;
            if (on_simulated_gpu()) EXPECT_EQ(words[2], words[1]) << "counted and expected differ\n" << run.out;
            EXPECT_EQ(words.back(), std::to_string(n)) << run.out;
        }
        // With += at most the whole sum is there, and with a thread or more at least one addition is.
        const Words& plain = rung[type + ", +="];
        const bool wrong = plain.back() == "wrong";
        const unsigned long sum = std::stoul(wrong ? plain[plain.size() - 2] : plain.back());
        EXPECT_EQ(wrong, sum != n) << run.out;
        EXPECT_LE(sum, n) << run.out;
        if (n > 0) EXPECT_GE(sum, 1u) << run.out;
        if (on_simulated_gpu()) EXPECT_EQ(plain[2], "0") << run.out;   // no atomics
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, AtomicCost,
                         testing::Values(Expected{0, 0, 0}, Expected{1, 1, 1}, Expected{32, 1, 1}, Expected{33, 2, 1},
                                         Expected{256, 8, 1}, Expected{257, 9, 2}, Expected{1000, 32, 4},
                                         Expected{99991, 3125, 391}),
                         [](const auto& info) { return "n" + std::to_string(info.param.n); });

TEST(AtomicCostOptions, AWarpThatAddsPlainlyLosesAdditions) {
    auto rung = rungs(run_with({"--n", "64"}).out);
    // The 32 lanes of a warp load before one of them stores: two warps add at most 1 each.
    EXPECT_EQ(rung["unsigned, +="].back(), "wrong");
    EXPECT_EQ(rung["float, +="].back(), "wrong");
}

TEST(AtomicCostOptions, TimesOnlyWhereTheyMeanSomething) {
    const Finished run = run_with({"--n", "1000"});
    EXPECT_EQ(run.out.find(" ms ") == std::string::npos, on_simulated_gpu()) << run.out;
    EXPECT_EQ(run.out.find("Time is not modelled yet") != std::string::npos, on_simulated_gpu()) << run.out;
}

TEST(AtomicCostOptions, Help) {
    const Finished run = run_with({"--help"});
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_THAT(run.out, HasSubstr("Usage: atomic_cost"));
    EXPECT_THAT(run.out, HasSubstr("0 to 16777216, default 16777216"));
}

TEST(AtomicCostOptions, RefusesWhatItDoesNotUnderstand) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"--n", "16777217"}, "--n must be a whole number from 0 to 16777216, not \"16777217\""},
        {{"--n", "-1"}, "--n must be a whole number from 0 to 16777216, not \"-1\""},
        {{"--n", "1e6"}, "--n must be a whole number"},
        {{"--n", ""}, "--n must be a whole number"},
        {{"--n", "99999999999999999999"}, "--n must be a whole number"},
        {{"--repeats", "0"}, "--repeats must be a whole number from 1 to 1000"},
        {{"--n"}, "--n needs a number"},
        {{"--fast"}, "--fast is not an option"},
        {{"17"}, "17 is not an option"},
    };
    for (const auto& [arguments, message] : cases) {
        const Finished run = run_with(arguments);
        EXPECT_EQ(run.exit_status, 2) << message;
        EXPECT_EQ(run.out, "");
        EXPECT_THAT(run.err, HasSubstr("atomic_cost: " + message));
        EXPECT_THAT(run.err, HasSubstr("next: atomic_cost --help"));
    }
}

}  // namespace
