/// \file
/// What this chapter's tests read in the programs' output.
///
///     const Table table = run_table({PROGRAM_read_offset, "--offset", "1"});
///     EXPECT_EQ(table.row("1").predicted.transactions, 5120u);
///
/// A program runs on the simulated H200, unless the test says otherwise, or on the real GPU. Host side only.
#pragma once

#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/run_program.h"
#include "tutorial/simulated.h"

namespace lanescope::test {

struct Cells {
    unsigned long requests = 0, transactions = 0;   ///< transactions are sectors, or Kepler's lines
    double per_request = 0, efficiency = 0;
};

struct Row {
    std::string name;
    Cells predicted;
    bool has_count = false;
    Cells counted;
    long l1_hits = -1;   ///< -1: not printed
    bool differs = false;
};

struct Table {
    Finished run;
    std::vector<Row> rows;   ///< of all tables, in order

    /// The `nth` row of this name, counted from 0.
    Row row(const std::string& name, int nth = 0) const {
        for (const Row& row : rows) {
            if (row.name == name && nth-- == 0) return row;
        }
        ADD_FAILURE() << "no row '" << name << "' in\n" << run.out << run.err;
        return {};
    }
};

/// A row is a name of up to 13 characters, then `requests transactions per-request efficiency %` once or twice.
inline bool read_row(const std::string& line, Row& row) {
    if (line.size() < 14) return false;
    row.name = line.substr(0, 13);
    row.name.erase(row.name.find_last_not_of(' ') + 1);
    std::istringstream rest(line.substr(13));
    const auto read_cells = [&](Cells& cells) {
        std::string percent;
        return bool(rest >> cells.requests >> cells.transactions >> cells.per_request >> cells.efficiency >> percent) && percent == "%";
    };
    if (!read_cells(row.predicted)) return false;
    row.has_count = read_cells(row.counted);
    if (!row.has_count) return true;
    std::vector<std::string> words;
    for (std::string word; rest >> word;) words.push_back(word);
    row.differs = !words.empty() && words.back() == "differs";
    if (row.differs) words.pop_back();
    if (!words.empty()) row.l1_hits = std::strtol(words.front().c_str(), nullptr, 10);
    return true;
}

/// Runs a program that must succeed. Its predictions must be what is counted, where something counts.
inline Table run_table(const std::vector<std::string>& command, std::map<std::string, std::string> environment = {}) {
    environment.insert({"LANESCOPE_GPU", "h200"});   // unless the caller names one; a real GPU ignores it
    Table table;
    table.run = run_program(command, environment);
    EXPECT_EQ(table.run.exit_status, 0) << table.run.out << table.run.err;
    std::istringstream lines(table.run.out);
    for (std::string line; std::getline(lines, line);) {
        Row row;
        if (!read_row(line, row)) continue;
        table.rows.push_back(row);
        EXPECT_EQ(row.has_count, tutorial::on_simulated_gpu()) << line;
        EXPECT_FALSE(row.differs) << line;
        if (!row.has_count) continue;
        EXPECT_EQ(row.counted.requests, row.predicted.requests) << line;
        EXPECT_EQ(row.counted.transactions, row.predicted.transactions) << line;
        EXPECT_EQ(row.counted.per_request, row.predicted.per_request) << line;
    }
    EXPECT_FALSE(table.rows.empty()) << table.run.out << table.run.err;
    EXPECT_EQ(table.run.out.find("differ"), std::string::npos) << table.run.out;
    if (!tutorial::on_simulated_gpu()) EXPECT_NE(table.run.out.find("ncu --metrics l1tex__t_requests"), std::string::npos) << table.run.out;
    return table;
}

/// Prediction and count are this much; efficiency as printed, with two decimals.
inline void expect_traffic(const Row& row, unsigned long requests, unsigned long transactions, double efficiency) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(row.predicted.requests, requests);
    EXPECT_EQ(row.predicted.transactions, transactions);
    EXPECT_DOUBLE_EQ(row.predicted.efficiency, efficiency);
    if (!row.has_count) return;
    EXPECT_EQ(row.counted.requests, requests);
    EXPECT_EQ(row.counted.transactions, transactions);
    EXPECT_DOUBLE_EQ(row.counted.efficiency, efficiency);
}

/// A program that answers `arguments` with one error, a next step, and exit status 2.
inline void expect_refused(const std::string& program, const std::vector<std::string>& arguments, const std::string& message) {
    std::vector<std::string> command{program};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Finished run = run_program(command);
    EXPECT_EQ(run.exit_status, 2) << message;
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, testing::HasSubstr(program.substr(program.rfind('/') + 1) + ": " + message));
    EXPECT_THAT(run.err, testing::HasSubstr("\n  next: "));
}

}  // namespace lanescope::test
