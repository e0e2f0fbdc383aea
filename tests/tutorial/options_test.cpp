// read_options: numbers, choices, --help, and what it refuses.
#include "tutorial/options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using lanescope::tutorial::read_options;

constexpr const char* orders[] = {"up", "down", "shuffled"};

struct Values {
    long long n = 7;
    long long order = 1;
    long long offset = -1;
    bool csv = false;
};

Values read(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "/some/where/program");
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    Values values;
    read_options(static_cast<int>(argv.size()), argv.data(), "What it does.",
                 {{"--n", "how many", &values.n, 0, 100},
                  {"--order", "which way", &values.order, 0, 2, orders},
                  {"--offset", "one offset", &values.offset, 0, 9, nullptr, "several"}},
                 {{"--csv", "comma-separated values", &values.csv}});
    return values;
}

TEST(Options, DefaultsStay) {
    const Values values = read({});
    EXPECT_EQ(values.n, 7);
    EXPECT_EQ(values.order, 1);
    EXPECT_EQ(values.offset, -1);
    EXPECT_FALSE(values.csv);
}

TEST(Options, NumbersAndWords) {
    const Values values = read({"--order", "shuffled", "--n", "100", "--offset", "0"});
    EXPECT_EQ(values.n, 100);
    EXPECT_EQ(values.order, 2);
    EXPECT_EQ(values.offset, 0);
    EXPECT_EQ(read({"--order", "up"}).order, 0);
    EXPECT_EQ(read({"--n", "1", "--n", "2"}).n, 2);  // the last one counts
}

TEST(Options, FlagsTakeNoValue) {
    const Values values = read({"--csv", "--n", "3"});
    EXPECT_TRUE(values.csv);
    EXPECT_EQ(values.n, 3);
}

// EXPECT_EXIT looks at stderr only: the child hands its stdout over there.
TEST(OptionsDeathTest, Help) {
    const auto help = [] {
        stdout = stderr;
        read({"--n", "wrong", "--help"});
    };
    const auto ends_well = testing::ExitedWithCode(0);
    EXPECT_EXIT(help(), ends_well, "Usage: program .OPTION VALUE.\\.\\.\\.\nWhat it does\\.");
    EXPECT_EXIT(help(), ends_well, "--n +how many: 0 to 100, default 7\n");
    EXPECT_EXIT(help(), ends_well, "--order +which way: up, down, shuffled, default down\n");
    EXPECT_EXIT(help(), ends_well, "--offset +one offset: 0 to 9; without it several\n");
    EXPECT_EXIT(help(), ends_well, "--csv +comma-separated values; takes no value\n");
}

TEST(OptionsDeathTest, RefusesWhatItDoesNotUnderstand) {
    const auto refused = testing::ExitedWithCode(2);
    EXPECT_EXIT(read({"--n", "101"}), refused,
                "program: --n must be a whole number from 0 to 100, not \"101\"\n  next: program --help");
    EXPECT_EXIT(read({"--n", "1e1"}), refused, "--n must be a whole number");
    EXPECT_EXIT(read({"--n", "-1"}), refused, "--n must be a whole number");
    EXPECT_EXIT(read({"--n"}), refused, "--n needs a number");
    EXPECT_EXIT(read({"--order", "2"}), refused,
                "program: --order must be one of up, down, shuffled, not \"2\"\n  next: program --help");
    EXPECT_EXIT(read({"--order", ""}), refused, "--order must be one of");
    EXPECT_EXIT(read({"--order"}), refused, "--order needs a word");
    EXPECT_EXIT(read({"--fast"}), refused, "--fast is not an option");
}

}  // namespace
