/// \file
/// What this chapter's tests read in the programs' comma-separated values: rows by the name in their first column.
///
///     auto table = read_csv_of({PROGRAM_transpose, "--csv", "--rows", "64"}, {{"LANESCOPE_GPU", "k80"}});
///     EXPECT_EQ(table["copy_row"]["load_efficiency"], "100.00");
///
/// Host side only.
#pragma once

#include <gmock/gmock.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/run_program.h"

namespace lanescope::test {

using CsvTable = std::map<std::string, std::map<std::string, std::string>>;

/// Runs a program that must succeed in silence on stderr.
inline Finished run_well(const std::vector<std::string>& command,
                         const std::map<std::string, std::string>& environment = {}) {
    Finished run = run_program(command, environment);
    EXPECT_EQ(run.exit_status, 0) << run.out << run.err;
    EXPECT_EQ(run.err, "") << run.out;
    return run;
}

inline std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
        if (c == ',')
            cells.emplace_back();
        else
            cells.back() += c;
    }
    return cells;
}

inline CsvTable read_csv_of(const std::vector<std::string>& command,
                            const std::map<std::string, std::string>& environment = {}) {
    std::istringstream lines(run_well(command, environment).out);
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> head = cells_of(line);
    CsvTable table;
    while (std::getline(lines, line)) {
        const std::vector<std::string> cells = cells_of(line);
        EXPECT_EQ(cells.size(), head.size()) << line;
        for (std::size_t i = 1; i < std::min(cells.size(), head.size()); ++i) table[cells[0]][head[i]] = cells[i];
    }
    EXPECT_FALSE(table.empty());
    return table;
}

}  // namespace lanescope::test
