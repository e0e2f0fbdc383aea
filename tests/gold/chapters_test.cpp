// The chapters' programs against what Nsight Compute read of the same programs on an H200: chapters/*/recorded/NAME.h200.csv, as
// `ncu --csv --print-units base` printed it, below a line `# command: ncu ... build/chapters/NN_title/program arguments`. Every metric of
// every launch is compared.
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "gold/counters_file.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace lanescope::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> recorded_files() {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SOURCE) / "chapters")) {
        if (entry.path().parent_path().filename() == "recorded" && entry.path().string().ends_with(".h200.csv")) files.push_back(fs::relative(entry.path(), SOURCE));
    }
    std::sort(files.begin(), files.end());
    return files;
}

// The program and its arguments: what follows the metrics.
std::vector<std::string> program_of(const std::string& file) {
    std::ifstream stream(fs::path(SOURCE) / file);
    std::string line;
    std::getline(stream, line);
    std::istringstream words(line);
    std::vector<std::string> command;
    for (std::string word; words >> word;) {
        if (command.empty() && !word.starts_with("build/chapters/")) continue;
        command.push_back(command.empty() ? (fs::path(BUILD) / word.substr(6)).string() : word);
    }
    return command;
}

std::string value_of(const CsvRow& row) {
    std::string value = row.at("Metric Value");
    std::erase(value, ',');
    return value;
}

class ChapterCounters : public testing::TestWithParam<std::string> {};

TEST_P(ChapterCounters, AreTheH200s) {
    const std::vector<CsvRow> expected = read_csv(fs::path(SOURCE) / GetParam());
    ASSERT_FALSE(expected.empty());
    std::set<std::string> metrics;
    for (const CsvRow& row : expected) metrics.insert(row.at("Metric Name"));
    std::string names;
    for (const std::string& metric : metrics) names += (names.empty() ? "" : ",") + metric;

    const TemporaryFolder folder("chapter counters");
    const std::string csv = folder.path() / "counters.csv";
    std::vector<std::string> command{LANESCOPE_COMMAND, "profile", "--gpu", "h200", "--csv", "--metrics", names, "--log-file", csv};
    const std::vector<std::string> program = program_of(GetParam());
    ASSERT_FALSE(program.empty()) << "the first line is no '# command: ncu ... build/chapters/...'";
    command.insert(command.end(), program.begin(), program.end());
    const Finished run = run_program(command);
    ASSERT_EQ(run.exit_status, 0) << run.err;

    // One row for each launch and metric, in the same order.
    const std::vector<CsvRow> counted = read_csv(csv);
    ASSERT_EQ(counted.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
        const std::string where = counted[i].at("Kernel Name") + ", launch " + counted[i].at("ID") + ", " + counted[i].at("Metric Name");
        ASSERT_EQ(counted[i].at("Metric Name"), expected[i].at("Metric Name")) << where;
        ASSERT_EQ(counted[i].at("Grid Size"), expected[i].at("Grid Size")) << where;
        EXPECT_NEAR(std::stod(value_of(counted[i])), std::stod(value_of(expected[i])), 0.0051) << where;   // two decimals are printed
    }
}

// chapters/03_alignment/recorded/read_offset.h200.csv is 03_alignment_read_offset.
std::string name_of(const testing::TestParamInfo<std::string>& info) {
    const fs::path file = info.param;
    return file.parent_path().parent_path().filename().string() + "_" + file.stem().stem().string();
}
INSTANTIATE_TEST_SUITE_P(Gold, ChapterCounters, testing::ValuesIn(recorded_files()), name_of);

}  // namespace
}  // namespace lanescope::test
