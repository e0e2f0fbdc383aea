// What soa predicts and counts. A pointer has 8 bytes; both lie in one sector, for what cudaMalloc returns begins on a
// boundary.
#include "tutorial/table_rows.h"

namespace {

using namespace lanescope::test;
using lanescope::tutorial::on_simulated_gpu;

constexpr int in_memory = 0, by_value = 1;   // the tables, in order

Table run_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), PROGRAM_soa);
    return run_table(arguments);
}

// One warp, 32 elements. A pointer: 32 lanes want the same 8 bytes, which count once, of one sector: 8 / 32 = 25 %. An
// array's ints: 128 bytes in 4 sectors. add loads two pointers and two times 32 ints: (2 * 8 + 2 * 128) / (2 * 32 + 2 *
// 128) = 272 / 320 = 85 %. An H200 counted the same ("soa_init 32", "soa_add 32" of tests/gold/h200_counters.csv).
TEST(Soa, PointersInDeviceMemory) {
    const Table table = run_with({});
    ASSERT_EQ(table.rows.size(), 8u) << table.run.out;
    expect_traffic(table.row("init load", in_memory), 2, 2, 25);
    expect_traffic(table.row("init store", in_memory), 2, 8, 100);
    expect_traffic(table.row("add load", in_memory), 4, 10, 85);
    expect_traffic(table.row("add store", in_memory), 2, 8, 100);
}

// The kernel's parameters lie in constant memory, which makes no request of this kind.
TEST(Soa, PointersAsParameters) {
    const Table table = run_with({});
    expect_traffic(table.row("init load", by_value), 0, 0, 0);
    expect_traffic(table.row("init store", by_value), 2, 8, 100);
    expect_traffic(table.row("add load", by_value), 2, 8, 100);
    expect_traffic(table.row("add store", by_value), 2, 8, 100);
}

// 16,384 elements: 512 warps. An H200 counted 2048 requests, 5120 sectors and 85 % ("soa_add 16384").
TEST(Soa, EveryWarpLoadsThePointers) {
    const Table table = run_with({"--n", "16384"});
    expect_traffic(table.row("init load", in_memory), 1024, 1024, 25);
    expect_traffic(table.row("add load", in_memory), 2048, 512 * 10, 85);
    expect_traffic(table.row("add store", in_memory), 1024, 512 * 8, 100);
    expect_traffic(table.row("add load", by_value), 1024, 512 * 8, 100);
}

// Both pointers lie in one sector. Of the 32 times that the 16 warps of a block want it, 31 find it in L1; in 32
// blocks, each on a multiprocessor of its own, 31 * 32 = 992. One warp: once. An H200 counted the same.
TEST(Soa, PointersAreFoundInL1) {
    if (!on_simulated_gpu()) GTEST_SKIP() << "this GPU's counters are not read";
    EXPECT_EQ(run_with({}).row("init load", in_memory).l1_hits, 1);
    EXPECT_EQ(run_with({}).row("add load", in_memory).l1_hits, 1);
    const Table table = run_with({"--n", "16384"});
    EXPECT_EQ(table.row("add load", in_memory).l1_hits, 992);
    EXPECT_EQ(table.row("add load", by_value).l1_hits, 0);
}

TEST(Soa, OneCase) {
    const Table table = run_with({"--kernel", "add", "--pointers", "in_memory"});
    ASSERT_EQ(table.rows.size(), 2u) << table.run.out;
    expect_traffic(table.row("add load"), 4, 10, 85);
    EXPECT_EQ(run_with({"--kernel", "init", "--pointers", "by_value"}).rows.size(), 2u);
}

// One lane: two pointers and two ints, a sector each, (2 * 8 + 2 * 4) / (4 * 32) = 18.75 %.
TEST(Soa, OneElement) {
    const Table table = run_with({"--n", "1"});
    expect_traffic(table.row("init load", in_memory), 2, 2, 25);
    expect_traffic(table.row("init store", in_memory), 2, 2, 12.5);
    expect_traffic(table.row("add load", in_memory), 4, 4, 18.8);
    expect_traffic(table.row("add load", by_value), 2, 2, 12.5);
}

// 1001 elements: 32 warps, 64 times a pointer. An array is 31 * 4 sectors, and 9 ints in 2: 126.
// (64 * 8 + 2 * 4004) / ((64 + 252) * 32) = 8520 / 10,112 = 84.26 %; stores 8008 / 8064 = 99.31 %.
TEST(Soa, OddSize) {
    const Table table = run_with({"--n", "1001"});
    expect_traffic(table.row("add load", in_memory), 128, 64 + 252, 84.3);
    expect_traffic(table.row("add store", in_memory), 64, 252, 99.3);
    expect_traffic(table.row("add load", by_value), 64, 252, 99.3);
}

// 1,000,003 elements: 31,251 warps; an array is 31,250 * 4 sectors, and 3 ints in one.
TEST(Soa, ManyAndOdd) {
    const Table table = run_with({"--n", "1000003", "--block", "256", "--kernel", "add", "--pointers", "by_value"});
    expect_traffic(table.row("add load"), 2 * 31251, 2 * 125001, 100);
}

TEST(Soa, Help) {
    const Finished run = run_program({PROGRAM_soa, "--help"});
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_THAT(run.out, testing::HasSubstr("in_memory, by_value, both, default both"));
    EXPECT_THAT(run.out, testing::HasSubstr("1 to 16777216, default 32"));
}

TEST(Soa, RefusesWhatItDoesNotUnderstand) {
    expect_refused(PROGRAM_soa, {"--kernel", "sub"}, "--kernel must be one of init, add, both, not \"sub\"");
    expect_refused(PROGRAM_soa, {"--pointers", "host"}, "--pointers must be one of in_memory, by_value, both, not \"host\"");
    expect_refused(PROGRAM_soa, {"--n", "0"}, "--n must be a whole number from 1 to 16777216, not \"0\"");
    expect_refused(PROGRAM_soa, {"--block", "-1"}, "--block must be a whole number from 1 to 1024");
    expect_refused(PROGRAM_soa, {"--pointers"}, "--pointers needs a word");
    expect_refused(PROGRAM_soa, {"add"}, "add is not an option");
}

}  // namespace
