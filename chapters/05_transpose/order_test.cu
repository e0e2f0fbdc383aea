// The order of the ladder's bandwidths on the simulated H200, where times are modelled and the same in every run. An
// H200 gave, for 16,384 x 16,384 ints and blocks of 32 x 16: tiled_padded 3603, copy_row 2209, tiled 1649, naive_col
// 1520, naive_row 562, copy_col 549 GB/s.
#include "program_table.h"

namespace {

using namespace lanescope::test;

// 3072 x 3072 ints, twice: more than the 62.9 MB that L2 holds.
class Order : public testing::Test {
protected:
    static void SetUpTestSuite() {
        table = read_csv_of(
            {PROGRAM_transpose, "--csv", "--rows", "3072", "--columns", "3072", "--block-x", "32", "--block-y", "16"});
    }
    static void expect_ascending(const std::vector<const char*>& kernels) {
        double before = 0;
        for (const char* kernel : kernels) {
            const double bandwidth = std::stod("0" + table[kernel]["gigabytes_per_second"]);
            EXPECT_GT(bandwidth, before) << kernel << " is not faster than the kernel before it";
            before = bandwidth;
        }
    }
    static inline CsvTable table;
};

TEST_F(Order, IsTheH200s) {
    expect_ascending({"copy_col", "naive_row", "naive_col", "tiled", "copy_row", "tiled_padded"});
}

// What each rung of the ladder is for.
TEST_F(Order, EachStepUpIsFaster) {
    expect_ascending({"naive_row", "naive_col", "tiled", "tiled_padded", "tiled_elements", "vectorised", "fastest"});
}

}  // namespace
