// The simulated GPU against an H200: see README.md.
#include <gtest/gtest.h>

#include <sstream>

#include "gold/counters_file.h"
#include "support/run_program.h"

namespace lanescope::test {
namespace {

// What the program prints for a launch: "id,label,checksum".
std::map<std::string, std::string> checksums_by_id(const std::string& output) {
    std::map<std::string, std::string> result;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        const std::vector<std::string> fields = split_csv_line(line);
        if (fields.size() == 3) result[fields[0]] = fields[2];
    }
    return result;
}

TEST(Gold, EveryLaunchGivesTheChecksumOfTheH200) {
    const std::vector<CsvRow> expected = read_csv(GOLD_COUNTERS);
    ASSERT_EQ(expected.size(), 84u);
    const Finished program = run_program({GOLD_PROGRAM}, {{"LD_LIBRARY_PATH", DROP_IN_FOLDER}});
    ASSERT_EQ(program.exit_status, 0) << program.out << program.err;
    const auto counted = checksums_by_id(program.out);
    for (const CsvRow& launch : expected) {
        const auto found = counted.find(launch.at("id"));
        ASSERT_NE(found, counted.end()) << "launch " << launch.at("id") << " was not made";
        EXPECT_EQ(found->second, launch.at("checksum")) << "launch " << launch.at("id") << ", " << launch.at("label");
    }
}

// Launch 77 is a race, every other launch is not: another order of turns must not change its result.
TEST(Gold, NoScheduleChangesALaunchWithoutARace) {
    const std::vector<CsvRow> expected = read_csv(GOLD_COUNTERS);
    for (const char* seed : {"1", "2", "3"}) {
        const Finished program = run_program({GOLD_PROGRAM}, {{"LD_LIBRARY_PATH", DROP_IN_FOLDER}, {"LANESCOPE_SCHEDULE", seed}});
        ASSERT_EQ(program.exit_status, 0) << program.out << program.err;
        const auto counted = checksums_by_id(program.out);
        for (const CsvRow& launch : expected) {
            if (launch.at("label") == "const_uniform") break;   // the launches behind it read the buffer it wrote
            EXPECT_EQ(counted.at(launch.at("id")), launch.at("checksum")) << "schedule " << seed << ", launch " << launch.at("label");
        }
    }
}

}  // namespace
}  // namespace lanescope::test
