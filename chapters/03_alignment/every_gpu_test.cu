// Each program's prediction is what is counted, on every simulated GPU: sizes and blocks that are no multiple of
// anything.
#include "tutorial/table_rows.h"

namespace {

using namespace lanescope::test;

class EveryGpu : public testing::TestWithParam<const char*> {};

// run_table compares the columns.
TEST_P(EveryGpu, PredictionsAreWhatIsCounted) {
    const std::vector<std::vector<std::string>> commands{{PROGRAM_read_offset, "--n", "5000", "--block", "96"},
                                                         {PROGRAM_write_offset, "--n", "777", "--start", "3"},
                                                         {PROGRAM_coalescing, "--n", "2999", "--block", "80"},
                                                         {PROGRAM_vector_width, "--bytes", "4112", "--block", "72"}};
    for (const auto& command : commands) run_table(command, {{"LANESCOPE_GPU", GetParam()}});
}

INSTANTIATE_TEST_SUITE_P(Profiles, EveryGpu,
                         testing::Values("k80", "p100", "v100", "t4", "a100", "h100", "h200", "rtx4090", "rtx5080"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
