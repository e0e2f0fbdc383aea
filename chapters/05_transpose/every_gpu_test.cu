// The programs of this chapter on every simulated GPU: results are checked, and a line of the table is there for each
// kernel.
#include "program_table.h"

namespace {

using namespace lanescope::test;

class EveryGpu : public testing::TestWithParam<const char*> {};

TEST_P(EveryGpu, ResultsAreRight) {
    const std::map<std::string, std::string> gpu{{"LANESCOPE_GPU", GetParam()}};
    EXPECT_EQ(
        read_csv_of({PROGRAM_transpose, "--csv", "--rows", "144", "--columns", "208", "--element", "1"}, gpu).size(),
        9u);
    EXPECT_EQ(
        read_csv_of({PROGRAM_transpose, "--csv", "--rows", "145", "--columns", "67", "--element", "8"}, gpu).size(),
        9u);
    EXPECT_EQ(read_csv_of({PROGRAM_bandwidth, "--csv", "--mib", "1"}, gpu).size(), 5u);
    EXPECT_THAT(run_well({PROGRAM_half_grid, "--rows", "64", "--columns", "64"}, gpu).out,
                testing::HasSubstr("50.0 %"));
}

INSTANTIATE_TEST_SUITE_P(Profiles, EveryGpu,
                         testing::Values("k80", "p100", "v100", "t4", "a100", "h100", "h200", "rtx4090", "rtx5080"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
