/// \file
/// What this chapter's tests read in the programs' output.
///
///     const auto rows = csv_rows(run_well({PROGRAM_zero_copy, "--csv", "--n", "5000"}).out);
///     EXPECT_EQ(rows[1], (std::vector<std::string>{"1024", ...}));     // rows[0] is the head
///
/// Host side only.
#pragma once

#include <gmock/gmock.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/run_program.h"
#include "tutorial/simulated.h"

namespace lanescope::test {

/// Runs a program that must succeed in silence on stderr.
inline Finished run_well(const std::vector<std::string>& command,
                         const std::map<std::string, std::string>& environment = {}) {
    Finished run = run_program(command, environment);
    EXPECT_EQ(run.exit_status, 0) << run.out << run.err;
    EXPECT_EQ(run.err, "") << run.out;
    return run;
}

/// A program that answers `arguments` with one error, a next step, and exit status 2.
inline void expect_refused(const std::string& program, const std::vector<std::string>& arguments,
                           const std::string& message) {
    std::vector<std::string> command{program};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Finished run = run_program(command);
    EXPECT_EQ(run.exit_status, 2) << message;
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, testing::HasSubstr(program.substr(program.rfind('/') + 1) + ": " + message));
    EXPECT_THAT(run.err, testing::HasSubstr("\n  next: "));
}

/// `--help` names each of `options`.
inline void expect_help(const std::string& program, const std::vector<std::string>& options) {
    const Finished run = run_well({program, "--help"});
    for (const std::string& option : options) EXPECT_THAT(run.out, testing::HasSubstr("\n  " + option + " "));
}

inline std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream cells(line);
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
}

/// The word that must stand at every time.
inline std::string source_of_times() { return tutorial::source_of_times(); }

}   // namespace lanescope::test
