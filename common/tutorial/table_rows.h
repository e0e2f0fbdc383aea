/// \file
/// What tests read in the output of a program that prints transactions.cuh's table.
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

/// A row is a name of up to 10 characters and numbers: requests, transactions, per request, efficiency. Where something
/// counts, each but the third comes twice, predicted and counted, and L1 hits may follow.
inline bool read_row(const std::string& line, bool with_counts, Row& row) {
    if (line.size() < 11 || line[0] == ' ') return false;
    row.name = line.substr(0, 10);
    row.name.erase(row.name.find_last_not_of(' ') + 1);
    std::istringstream rest(line.substr(10));
    row.has_count = with_counts;
    if (!with_counts) {
        std::string percent;
        Cells& p = row.predicted;
        return bool(rest >> p.requests >> p.transactions >> p.per_request >> p.efficiency >> percent) && percent == "%";
    }
    Cells &p = row.predicted, &c = row.counted;
    if (!(rest >> p.requests >> c.requests >> p.transactions >> c.transactions >> c.per_request >> p.efficiency >>
          c.efficiency))
        return false;
    p.per_request = c.per_request;
    for (std::string word; rest >> word;) {
        if (word == "differs")
            row.differs = true;
        else
            row.l1_hits = std::strtol(word.c_str(), nullptr, 10);
    }
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
        if (!read_row(line, tutorial::on_simulated_gpu(), row)) continue;
        table.rows.push_back(row);
        EXPECT_FALSE(row.differs) << line;
        if (!row.has_count) continue;
        EXPECT_EQ(row.counted.requests, row.predicted.requests) << line;
        EXPECT_EQ(row.counted.transactions, row.predicted.transactions) << line;
        EXPECT_NEAR(row.counted.per_request * double(row.counted.requests), double(row.counted.transactions),
                    0.005 * double(row.counted.requests) + 1e-6)
            << line;
    }
    EXPECT_FALSE(table.rows.empty()) << table.run.out << table.run.err;
    EXPECT_EQ(table.run.out.find("differ"), std::string::npos) << table.run.out;
    if (!tutorial::on_simulated_gpu())
        EXPECT_NE(table.run.out.find("ncu --metrics l1tex__t_requests"), std::string::npos) << table.run.out;
    return table;
}

/// Prediction and count are this much; efficiency as printed, with one decimal.
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

}  // namespace lanescope::test
