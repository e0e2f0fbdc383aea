// What aos predicts and counts. A sector holds 4 structures of 8 bytes; a warp has 32 lanes.
#include "tutorial/table_rows.h"

namespace {

using namespace lanescope::test;
using lanescope::tutorial::on_simulated_gpu;

Table run_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), PROGRAM_aos);
    return run_table(arguments);
}

// 16,384 / 32 = 512 warps. The 32 x of a warp are 8 bytes apart, in 256 bytes: 8 sectors, of which 128 bytes are asked
// for: 50 %. So are the 32 y. An H200 counted 1024 requests, 8192 sectors and 50 % for the same loads and stores
// ("aos2" of tests/gold/h200_counters.csv).
TEST(Aos, Ladder) {
    const Table table = run_with({});
    ASSERT_EQ(table.rows.size(), 4u) << table.run.out;
    expect_traffic(table.row("xy"), 1024, 1024 * 8, 50);
    expect_traffic(table.row("x"), 512, 512 * 8, 50);
    // One load of 8 bytes for each lane: the same 8 sectors, and all of them is asked for.
    expect_traffic(table.row("aligned_xy"), 512, 512 * 8, 100);
    // Alignment is no help to a kernel that wants x only.
    expect_traffic(table.row("aligned_x"), 512, 512 * 8, 50);
    if (on_simulated_gpu()) EXPECT_THAT(table.run.out, testing::HasSubstr("The stores cost the same."));
}

// The load of x has fetched the 8 sectors that the load of y wants: 512 * 8 = 4096. An H200 counted the same, and 4096
// sectors read from L2.
TEST(Aos, TheSecondLoadHitsL1) {
    if (!on_simulated_gpu()) GTEST_SKIP() << "this GPU's counters are not read";
    const Table table = run_with({});
    EXPECT_EQ(table.row("xy").l1_hits, 4096);
    for (const char* name : {"x", "aligned_xy", "aligned_x"}) EXPECT_EQ(table.row(name).l1_hits, 0) << name;
}

TEST(Aos, OneKernel) {
    const Table table = run_with({"--kernel", "aligned_xy"});
    ASSERT_EQ(table.rows.size(), 1u) << table.run.out;
    expect_traffic(table.row("aligned_xy"), 512, 4096, 100);
}

// One lane: 4 bytes of a sector with each load, or 8 with one.
TEST(Aos, OneStructure) {
    const Table table = run_with({"--n", "1"});
    expect_traffic(table.row("xy"), 2, 2, 12.5);
    expect_traffic(table.row("x"), 1, 1, 12.5);
    expect_traffic(table.row("aligned_xy"), 1, 1, 25);
}

// 1001 structures: 31 full warps of 8 sectors, and 9 structures, 72 bytes, in 3 sectors: 251. Two loads want 8008 bytes
// of 2 * 251 * 32 = 16,064: 49.85 %. One load wants them of 8032: 99.70 %.
TEST(Aos, OddSize) {
    const Table table = run_with({"--n", "1001"});
    expect_traffic(table.row("xy"), 64, 502, 49.9);
    expect_traffic(table.row("aligned_xy"), 32, 251, 99.7);
}

// Blocks of 48 threads are warps of 32 and 16 lanes, 8 and 4 sectors: 96 structures are 24 sectors for each load.
TEST(Aos, BlocksThatAreNoMultipleOf32) {
    const Table table = run_with({"--n", "96", "--block", "48"});
    expect_traffic(table.row("xy"), 8, 48, 50);
    expect_traffic(table.row("aligned_xy"), 4, 24, 100);
}

// 1,000,003 structures: 31,250 full warps, and 3 structures in one sector: 250,001 sectors for each load.
TEST(Aos, ManyAndOdd) {
    const Table table = run_with({"--n", "1000003", "--block", "256", "--kernel", "xy"});
    expect_traffic(table.row("xy"), 2 * 31251, 2 * 250001, 50);
}

TEST(Aos, Help) {
    const Finished run = run_program({PROGRAM_aos, "--help"});
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_THAT(run.out, testing::HasSubstr("Usage: aos"));
    EXPECT_THAT(run.out, testing::HasSubstr("xy, x, aligned_xy, aligned_x; without it all are tried"));
}

TEST(Aos, RefusesWhatItDoesNotUnderstand) {
    expect_refused(PROGRAM_aos, {"--kernel", "y"}, "--kernel must be one of xy, x, aligned_xy, aligned_x, not \"y\"");
    expect_refused(PROGRAM_aos, {"--n", "0"}, "--n must be a whole number from 1 to 16777216, not \"0\"");
    expect_refused(PROGRAM_aos, {"--n", "16777217"}, "--n must be a whole number");
    expect_refused(PROGRAM_aos, {"--block", "1025"}, "--block must be a whole number from 1 to 1024");
    expect_refused(PROGRAM_aos, {"--block"}, "--block needs a number");
    expect_refused(PROGRAM_aos, {"--aligned"}, "--aligned is not an option");
}

}  // namespace
