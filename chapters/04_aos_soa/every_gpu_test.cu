// Each program's prediction is what is counted, on every simulated GPU: sizes and blocks that are no multiple of
// anything.
#include "tutorial/table_rows.h"

namespace {

using namespace lanescope::test;

class EveryGpu : public testing::TestWithParam<const char*> {};

// run_table compares requests and transactions.
TEST_P(EveryGpu, PredictionsAreWhatIsCounted) {
    const std::vector<std::vector<std::string>> commands{{PROGRAM_aos, "--n", "2999", "--block", "72"},
                                                         {PROGRAM_soa, "--n", "1777", "--block", "80"},
                                                         {PROGRAM_aosoa, "--n", "999", "--block", "88"}};
    for (const auto& command : commands) {
        for (const Row& row : run_table(command, {{"LANESCOPE_GPU", GetParam()}}).rows) {
            EXPECT_EQ(row.predicted.efficiency, row.counted.efficiency) << row.name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Profiles, EveryGpu, testing::Values("k80", "p100", "v100", "t4", "a100", "h100", "h200", "rtx4090", "rtx5080"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
