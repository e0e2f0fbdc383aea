// Reports from canned counters, against the whole text that they print.
#include "report/report.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "report/launches.h"

namespace lanescope::report {
namespace {

using testing::HasSubstr;

Selection select(const char* names) { return *counters::select(names, 9); }

TEST(Table, SaysWhatEachLaunchDidAndWhatItMeans) {
    const Launch launches[] = {sum_offset(), sum_aligned(), sum_aligned(), column()};
    EXPECT_EQ(table(launches), R"text(sumOff(int*, int*, int*, int, int)
  grid (32, 1, 1), block (512, 1, 1), NVIDIA H200
                         requests       sectors  per request  efficiency
  global loads               1024          5120         5.00     80.00 %
  global stores               512          2048         4.00    100.00 %
  On average, global loads move 5 sectors for each request where 4 hold as many bytes as the lanes
  ask for: some are used only in part, as when a request does not start at a multiple of 32 bytes.

sumOff(int*, int*, int*, int, int)
  grid (32, 1, 1), block (512, 1, 1), NVIDIA H200, 2 launches: each
                         requests       sectors  per request  efficiency
  global loads               1024          4096         4.00    100.00 %
  global stores               512          2048         4.00    100.00 %
  Every byte that global loads and stores move was asked for.

column(int*)
  grid (1, 1, 1), block (32, 1, 1), NVIDIA H200
                         requests       sectors  per request  efficiency
  global loads                  0             0            -           -
  global stores                 1            32        32.00     12.50 %
                         requests    wavefronts  per request   conflicts
  shared stores                 1            32        32.00          31
  Shared stores take 32 passes on average where 1 would do without bank conflicts: lanes that want
  different words of one bank take turns.
)text");
}

TEST(Table, OnAKeplerTransactionsAreLines) {
    Launch launch = sum_offset("k80");
    launch.counts.global_load.transactions = 2048;
    launch.counts.global_store.transactions = 512;
    EXPECT_THAT(table({&launch, 1}), HasSubstr("                         requests  transactions  per request  efficiency\n"
                                               "  global loads               1024          2048         2.00     80.00 %\n"
                                               "  global stores               512           512         1.00    100.00 %\n"));
}

TEST(MetricList, NamesValuesAndWhatIsModelled) {
    const Launch launch = sum_offset();
    EXPECT_EQ(metric_list({&launch, 1}, select("gld_efficiency,gld_transactions,inst_executed")), R"text(sumOff(int*, int*, int*, int, int)
  grid (32, 1, 1), block (512, 1, 1), NVIDIA H200
  gld_efficiency         80.00 %
  gld_transactions          5120
  inst_executed            11264  (modelled)
)text");
}

TEST(MetricNames, EveryNameOfTheTableUnderItsGroup) {
    const std::string text = metric_names();
    EXPECT_THAT(text, testing::StartsWith("memory:\n  global_load_requests, l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum, inst_executed_global_loads\n      Loads from global memory"));
    for (const counters::Metric& metric : counters::metrics()) {
        EXPECT_THAT(text, AllOf(HasSubstr(std::string(metric.nvprof)), HasSubstr(std::string(metric.ncu)), HasSubstr(std::string(metric.meaning))));
        EXPECT_THAT(text, HasSubstr(std::string(counters::group_name(metric.group)) + ":\n"));
    }
}

TEST(Nvprof, GroupsLaunchesByKernelWithLeastGreatestAndMean) {
    const Launch launches[] = {sum_offset(), column(), sum_aligned()};
    EXPECT_EQ(nvprof({77, "sum", "./sum 1"}, launches, select("gld_transactions,gld_transactions_per_request,gld_efficiency")),
              R"text(==77== Profiling application: ./sum 1
==77== Profiling result:
==77== Metric result:
Invocations                               Metric Name                        Metric Description         Min         Max         Avg
Device "NVIDIA H200 (0)"
    Kernel: sumOff(int*, int*, int*, int, int)
          2                          gld_transactions                  Global Load Transactions        4096        5120        4608
          2              gld_transactions_per_request      Global Load Transactions Per Request    4.000000    5.000000    4.500000
          2                            gld_efficiency             Global Memory Load Efficiency      80.00%     100.00%      90.00%
    Kernel: column(int*)
          1                          gld_transactions                  Global Load Transactions           0           0           0
          1              gld_transactions_per_request      Global Load Transactions Per Request    0.000000    0.000000    0.000000
          1                            gld_efficiency             Global Memory Load Efficiency       0.00%       0.00%       0.00%
)text");
    EXPECT_THAT(nvprof({77, "sum", "./sum"}, launches, select("inst_executed")), HasSubstr("Instructions Executed (modelled)"));
}

// The header and the one counter of the sample that is counted here, byte for byte.
TEST(NcuCsv, IsWhatNsightComputePrints) {
    std::ifstream file(NCU_SAMPLE);
    std::string expected;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("\"ID\"") || line.find("t_requests") != std::string::npos) expected += line + "\n";
    }
    const Launch launch = sum_offset();
    EXPECT_EQ(ncu_csv({471, "seed", "./seed"}, {&launch, 1}, select("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum")), expected);
    EXPECT_EQ(std::ranges::count(expected, '\n'), 2);
}

TEST(NcuCsv, MetricsByNameWhateverTheyWereAskedForBy) {
    Launch launch = sum_offset("k80");
    launch.kernel = "void k<P<Q<int> > >(int const*, float**, long&)";
    launch.counts.global_load.transactions = 2048;   // lines: nvprof's name; Nsight Compute's means sectors
    launch.counts.global_load.requested_bytes = 1024 * 120;
    launch.counts.global_load.sectors = 1234567;
    const std::string row = R"text("0","1","p","127.0.0.1","void k<P<Q<int>>>(int const *, float **, long &)","1","7","(512, 1, 1)","(32, 1, 1)","0","3.7","Command line profiler metrics",)text";
    EXPECT_THAT(ncu_csv({1, "p", "p"}, {&launch, 1}, select("gld_efficiency,gld_transactions,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")),
                testing::EndsWith("\n" + row + "\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\",\"sector\",\"1,234,567\"\n" + row +
                                  "\"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct\",\"%\",\"75\"\n"));
}

TEST(NcuCsv, SaysBeforeTheHeaderWhatIsModelled) {
    const Launch launch = sum_offset();
    EXPECT_THAT(ncu_csv({1, "p", "p"}, {&launch, 1}, select("inst_executed,global_hit_rate")),
                AllOf(testing::StartsWith("==WARNING== Note: Modelled, not counted: l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct, "
                                          "smsp__inst_executed.sum.\n\"ID\""),
                      HasSubstr("\"%\",\"18.75\"")));
}

TEST(Json, CanBeReadBack) {
    const Launch launches[] = {sum_offset(), column()};
    const auto read = nlohmann::json::parse(json(launches, select("gld_transactions,gld_efficiency,shared_st_bank_conflict,inst_executed")));
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(read[0]["kernel"], "sumOff(int*, int*, int*, int, int)");
    EXPECT_EQ(read[0]["compute_capability"], "9.0");
    EXPECT_EQ(read[0]["metrics"]["gld_transactions"].dump(), "5120");
    EXPECT_EQ(read[0]["metrics"]["gld_efficiency"], 80.0);
    EXPECT_EQ(read[0]["modelled"].dump(), R"(["inst_executed"])");
    EXPECT_EQ(read[1]["lines"][1].dump(), R"({"file":"sum.cu","line":11,"metrics":{"shared_st_bank_conflict":31}})");
}

TEST(ByLine, WorstFirstWithTheirSource) {
    const Launch launches[] = {column(), sum_offset(), sum_aligned()};
    const auto source = [](const std::string& file, int line) { return line == 6 ? "" : "    code of " + file + " " + std::to_string(line) + "\r"; };
    EXPECT_EQ(by_line(launches, {}, source), R"text(column(int*)
  1 launch, NVIDIA H200

sum.cu:11
  code of sum.cu 11
                         requests    wavefronts  per request   conflicts
  shared stores                 1            32        32.00          31

sum.cu:12
  code of sum.cu 12
                         requests       sectors  per request  efficiency
  global stores                 1            32        32.00     12.50 %

sumOff(int*, int*, int*, int, int)
  2 launches, NVIDIA H200

sum.cu:6
  (the source cannot be read)
                         requests       sectors  per request  efficiency
  global loads               2048          9216         4.50     88.89 %
  global stores              1024          4096         4.00    100.00 %
)text");
    EXPECT_EQ(by_line({launches, 2}, select("shared_st_bank_conflict"), source), R"text(column(int*)
  1 launch, NVIDIA H200

sum.cu:11
  code of sum.cu 11
  shared_st_bank_conflict                                                 31

sumOff(int*, int*, int*, int, int)
  1 launch, NVIDIA H200
  No line of it counts any of these metrics.
)text");
    Launch without_lines = column();
    without_lines.lines.clear();
    EXPECT_THAT(by_line({&without_lines, 1}, {}, source), HasSubstr("compile with nvcc -lineinfo"));
}

}  // namespace
}  // namespace lanescope::report
