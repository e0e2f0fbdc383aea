// The figures that nvprof showed of copies and naive transposes on a Tesla K80, with L1 on (nvcc -Xptxas -dlcm=ca) and
// off, on the simulated one.
#include "program_table.h"

namespace {

using namespace lanescope::test;

class OnK80 : public testing::TestWithParam<const char*> {
protected:
    static CsvTable run(const std::string& size) {
        CsvTable table;
        for (const char* kernel : {"copy_row", "copy_col", "naive_row", "naive_col"}) {
            const CsvTable one =
                read_csv_of({PROGRAM_transpose, "--csv", "--kernel", kernel, "--rows", size, "--columns", size},
                            {{"LANESCOPE_GPU", "k80"}, {"LANESCOPE_L1", GetParam()}});
            table.insert(one.begin(), one.end());
        }
        return table;
    }
};

struct Published {
    const char *kernel, *load_efficiency, *store_efficiency;
    double moved_by_loads_for_stores;
};

// A warp along a row wants 128 bytes, and moves 4 sectors or a line: all of it is asked for. Down a column it wants 4
// bytes of each of 32 rows. A load with L1 moves 32 lines, 128 bytes of 4096: 3.12 %. Without, and a store always, it
// moves 32 sectors, 128 bytes of 1024: 12.5 %. So loads move 4096, 1024 or 128 bytes for 1024 or 128 of stores.
constexpr Published with_l1[] = {{"copy_row", "100.00", "100.00", 1},
                                 {"copy_col", "3.12", "12.50", 4},
                                 {"naive_row", "100.00", "12.50", 1. / 8},
                                 {"naive_col", "3.12", "100.00", 32}};
constexpr Published without_l1[] = {{"copy_row", "100.00", "100.00", 1},
                                    {"copy_col", "12.50", "12.50", 1},
                                    {"naive_row", "100.00", "12.50", 1. / 8},
                                    {"naive_col", "12.50", "100.00", 8}};

TEST_P(OnK80, EfficiencyAndBytesMoved) {
    CsvTable table = run("256");
    for (const Published& it : GetParam() == std::string("on") ? with_l1 : without_l1) {
        SCOPED_TRACE(it.kernel);
        auto& row = table[it.kernel];
        EXPECT_EQ(row["load_efficiency"], it.load_efficiency);
        EXPECT_EQ(row["store_efficiency"], it.store_efficiency);
        EXPECT_DOUBLE_EQ(std::stod("0" + row["load_moved_bytes"]) / std::stod("0" + row["store_moved_bytes"]),
                         it.moved_by_loads_for_stores);
        // 65,536 ints by warps of 32.
        EXPECT_EQ(row["load_requests"], "2048");
        EXPECT_EQ(row["store_requests"], "2048");
    }
}

// A K80 gave 41.3, 30.1, 22.6 and 21.5 GB/s for copy_row, naive_row, naive_col and copy_col with L1,
// and 41.4, 29.5, 17.6 and 13.8 without, for 16,384 x 16,384 ints. The modelled clock has the same order.
TEST_P(OnK80, OrderOfTheBandwidths) {
    CsvTable table = run("2048");  // 16 MB, more than the 1.5 MB of L2
    double before = 0;
    for (const char* kernel : {"copy_col", "naive_col", "naive_row", "copy_row"}) {
        const double bandwidth = std::stod("0" + table[kernel]["gigabytes_per_second"]);
        EXPECT_GT(bandwidth, before) << kernel;
        before = bandwidth;
    }
}

INSTANTIATE_TEST_SUITE_P(L1, OnK80, testing::Values("on", "off"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
