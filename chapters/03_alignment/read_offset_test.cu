// What read_offset predicts and counts. A sector holds 8 ints; a warp reads 32.
#include "tutorial/table_rows.h"

namespace {

using namespace lanescope::test;
using lanescope::tutorial::on_simulated_gpu;

Table run_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), PROGRAM_read_offset);
    return run_table(arguments);
}

// 16,384 / 32 = 512 warps, two loads each: 1024 requests. The 128 bytes of a request begin `offset` ints after a
// boundary: they are 4 sectors if that is a multiple of 8 ints, else 5, of which 4 * 32 = 128 bytes of 160 were asked
// for: 80 %.
TEST(ReadOffset, Ladder) {
    const Table table = run_with({});
    for (const char* offset : {"0", "8", "16", "32"}) expect_traffic(table.row(offset), 1024, 1024 * 4, 100);
    for (const char* offset : {"1", "7", "31"}) expect_traffic(table.row(offset), 1024, 1024 * 5, 80);
    // The stores begin at c[0]: one request for each warp.
    expect_traffic(table.row("stores"), 512, 512 * 4, 100);
}

// Where a sector is split, the warp before has fetched it: 15 of the 16 warps of a block find the first sector of their
// 5 in L1, in each of the 2 arrays, in each of the 32 blocks. Neighbouring blocks run on different multiprocessors. 15
// * 2 * 32 = 960. An H200 counted the same (tests/gold/h200_counters.csv: "sum_offset 0" to "sum_offset 32").
TEST(ReadOffset, L1HitsAreTheSharedSectors) {
    if (!on_simulated_gpu()) GTEST_SKIP() << "this GPU's counters are not read";
    const Table table = run_with({});
    for (const char* offset : {"0", "8", "16", "32"}) EXPECT_EQ(table.row(offset).l1_hits, 0);
    for (const char* offset : {"1", "7", "31"}) EXPECT_EQ(table.row(offset).l1_hits, 15 * 2 * 32);
}

// Sectors lie at multiples of 32 in the address. With a[0] 4 bytes after one, offset 0 is 1 int past a boundary, 7 and
// 31 are 8 and 32 ints past it.
TEST(ReadOffset, WhereTheArrayBeginsIsNoBoundary) {
    const Table table = run_with({});
    expect_traffic(table.row("0", 1), 1024, 5120, 80);
    expect_traffic(table.row("1", 1), 1024, 5120, 80);
    expect_traffic(table.row("7", 1), 1024, 4096, 100);
    expect_traffic(table.row("31", 1), 1024, 4096, 100);

    const Table alone = run_with({"--start", "1", "--offset", "7"});
    ASSERT_EQ(alone.rows.size(), 2u) << alone.run.out;
    expect_traffic(alone.row("7"), 1024, 4096, 100);
    EXPECT_THAT(alone.run.out, testing::HasSubstr("begin 4 bytes after the address that cudaMalloc returned"));
    expect_traffic(run_with({"--start", "33", "--offset", "0"}).row("0"), 1024, 5120, 80);   // 132 bytes
}

// One thread: one request for a and one for b, a sector each, 4 bytes of 32.
TEST(ReadOffset, OneInt) {
    const Table table = run_with({"--n", "1", "--offset", "0"});
    expect_traffic(table.row("0"), 2, 2, 12.5);
    expect_traffic(table.row("stores"), 1, 1, 12.5);
    expect_traffic(run_with({"--n", "1", "--offset", "1048576"}).row("1048576"), 2, 2, 12.5);
}

// 1000 ints: 31 full warps of 4 sectors, and 8 lanes in 1 sector: 125 for each array. An H200 counted 64 and 250
// ("partial 1000").
TEST(ReadOffset, LastWarpInPart) {
    const Table table = run_with({"--n", "1000", "--offset", "0"});
    expect_traffic(table.row("0"), 64, 250, 100);
    expect_traffic(table.row("stores"), 32, 125, 100);
}

// Blocks of 48 threads are warps of 32 and 16 lanes. Of 96 ints: bytes 0-127 are 4 sectors, 128-191 are 2, and the
// second block's 192-319 are 4 and 320-383 are 2. 12 for each array.
TEST(ReadOffset, BlocksThatAreNoMultipleOf32) {
    const Table table = run_with({"--n", "96", "--block", "48", "--offset", "0"});
    expect_traffic(table.row("0"), 8, 24, 100);
}

// Blocks of one thread: a warp has one lane, so every int is a request and a sector. 100 ints, two arrays.
TEST(ReadOffset, BlocksOfOneThread) {
    expect_traffic(run_with({"--n", "100", "--block", "1", "--offset", "3"}).row("3"), 200, 200, 12.5);
}

// 1,000,003 ints, offset 1: 31,250 full warps of 5 sectors, and a[1000001] to a[1000003], which lie in one sector.
// Asked for: 4,000,012 bytes of 156,251 * 32 = 5,000,032: 80.00 %.
TEST(ReadOffset, ManyAndOdd) {
    expect_traffic(run_with({"--n", "1000003", "--block", "256", "--offset", "1"}).row("1"), 2 * 31251, 2 * 156251, 80);
}

TEST(ReadOffset, Help) {
    const Finished run = run_program({PROGRAM_read_offset, "--help"});
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_THAT(run.out, testing::HasSubstr("Usage: read_offset"));
    EXPECT_THAT(run.out, testing::HasSubstr("1 to 16777216, default 16384"));
    EXPECT_THAT(run.out, testing::HasSubstr("without it several are tried"));
}

TEST(ReadOffset, RefusesWhatItDoesNotUnderstand) {
    expect_refused(PROGRAM_read_offset, {"--n", "0"}, "--n must be a whole number from 1 to 16777216, not \"0\"");
    expect_refused(PROGRAM_read_offset, {"--offset", "-1"}, "--offset must be a whole number from 0");
    expect_refused(PROGRAM_read_offset, {"--offset", "1.5"}, "--offset must be a whole number");
    expect_refused(PROGRAM_read_offset, {"--block", "1025"}, "--block must be a whole number from 1 to 1024");
    expect_refused(PROGRAM_read_offset, {"--block", "0"}, "--block must be");
    expect_refused(PROGRAM_read_offset, {"--start"}, "--start needs a number");
    expect_refused(PROGRAM_read_offset, {"1"}, "1 is not an option");
}

}  // namespace
