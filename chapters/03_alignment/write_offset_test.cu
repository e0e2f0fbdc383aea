// What write_offset predicts and counts. A sector holds 8 ints; a warp writes 32.
#include "tutorial/table_rows.h"

namespace {

using namespace lanescope::test;

Table run_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), PROGRAM_write_offset);
    return run_table(arguments);
}

// 512 warps, one store each. 128 bytes from a multiple of 8 ints are 4 sectors, from anywhere else 5, 80 % of which is
// asked for. An H200 counted the same (tests/gold/h200_counters.csv: "write_offset 0" to "write_offset 32").
TEST(WriteOffset, Ladder) {
    const Table table = run_with({});
    for (const char* offset : {"0", "8", "16", "32"}) expect_traffic(table.row(offset), 512, 512 * 4, 100);
    for (const char* offset : {"1", "7", "11"}) expect_traffic(table.row(offset), 512, 512 * 5, 80);
    // Two loads for each warp, from a[0] and b[0] on.
    expect_traffic(table.row("loads"), 1024, 1024 * 4, 100);
}

// With c[0] 4 bytes after a boundary, offset 0 is 1 int past it, 7 and 31 are 8 and 32 ints past it.
TEST(WriteOffset, WhereTheArrayBeginsIsNoBoundary) {
    const Table table = run_with({});
    expect_traffic(table.row("0", 1), 512, 2560, 80);
    expect_traffic(table.row("1", 1), 512, 2560, 80);
    expect_traffic(table.row("7", 1), 512, 2048, 100);
    expect_traffic(table.row("31"), 512, 2048, 100);
    expect_traffic(run_with({"--start", "5", "--offset", "3"}).row("3"), 512, 2048, 100);
}

TEST(WriteOffset, OneInt) {
    const Table table = run_with({"--n", "1", "--offset", "9"});
    expect_traffic(table.row("9"), 1, 1, 12.5);
    expect_traffic(table.row("loads"), 2, 2, 12.5);
}

// 77 ints from c[5] on, in blocks of 64: c[5]-c[36] are bytes 20-147, 5 sectors; c[37]-c[68] are bytes 148-275, 5
// sectors (4 to 8); c[69]-c[81] are bytes 276-327, sectors 8 to 10. 308 bytes of 13 * 32 = 416: 74.04 %.
TEST(WriteOffset, LastWarpInPart) {
    expect_traffic(run_with({"--n", "77", "--block", "64", "--offset", "5"}).row("5"), 3, 13, 74.0);
}

// 1,000,003 ints, offset 1: 31,250 full warps of 5 sectors, and c[1000001] to c[1000003] in one.
TEST(WriteOffset, ManyAndOdd) {
    expect_traffic(run_with({"--n", "1000003", "--block", "1024", "--offset", "1"}).row("1"), 31251, 156251, 80);
}

TEST(WriteOffset, Help) {
    const Finished run = run_program({PROGRAM_write_offset, "--help"});
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_THAT(run.out, testing::HasSubstr("Usage: write_offset"));
}

TEST(WriteOffset, RefusesWhatItDoesNotUnderstand) {
    expect_refused(PROGRAM_write_offset, {"--n", "0"}, "--n must be a whole number from 1 to 16777216, not \"0\"");
    expect_refused(PROGRAM_write_offset, {"--offset", "two"}, "--offset must be a whole number");
    expect_refused(PROGRAM_write_offset, {"--start", "1048577"}, "--start must be");
    expect_refused(PROGRAM_write_offset, {"--stride", "2"}, "--stride is not an option");
}

}  // namespace
