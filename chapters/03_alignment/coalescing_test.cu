// What coalescing predicts and counts. 16,384 ints are 512 warps; a sector holds 8 ints.
#include "tutorial/table_rows.h"

namespace {

using namespace lanescope::test;
using lanescope::tutorial::on_simulated_gpu;

Table run_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), PROGRAM_coalescing);
    return run_table(arguments);
}

// An H200 counted the same loads and stores ("strided_load 1" to "strided_load 32", "strided_store 2" to "strided_store
// 32" and "reversed" of tests/gold/h200_counters.csv).
TEST(Coalescing, LoadsAndStoresCostTheSame) {
    const Table table = run_with({});
    for (const int access : {0, 1}) {   // loads, then stores
        // The 32 ints of a warp are neighbours, in whatever order: 128 bytes, 4 sectors. 16384 is a multiple of 32, so
        // those of the reversed order begin on a boundary too.
        for (const char* name : {"sequential", "reversed", "permuted"})
            expect_traffic(table.row(name, access), 512, 512 * 4, 100);
        // Every second int: 8 sectors hold 32 of them. Every fourth: 16. Every eighth: each in its own sector, and
        // further apart it cannot get worse. 4 * 32 = 128 bytes of 32 * 32 = 1024: 12.5 %.
        expect_traffic(table.row("strided 2", access), 512, 512 * 8, 50);
        expect_traffic(table.row("strided 4", access), 512, 512 * 16, 25);
        expect_traffic(table.row("strided 8", access), 512, 512 * 32, 12.5);
        expect_traffic(table.row("strided 32", access), 512, 512 * 32, 12.5);
        // One int for the whole warp: 4 bytes of one sector.
        expect_traffic(table.row("broadcast", access), 512, 512, 12.5);
        // Nearly every lane hits a sector of its own. Of 2048 sectors 32 random draws hit 2048 * (1 - (1 - 1/2048)^32)
        // = 31.76 different ones on average.
        EXPECT_NEAR(table.row("random", access).predicted.per_request, 31.76, 0.1);
        EXPECT_EQ(table.row("random", access).predicted.requests, 512u);
    }
}

// Sequential, reversed, permuted and strided warps share no sector. In broadcast, a sector holds the ints of 8 warps: 7
// of them find it in L1, and a block has 16 warps: 14 * 32 = 448.
TEST(Coalescing, L1Hits) {
    if (!on_simulated_gpu()) GTEST_SKIP() << "this GPU's counters are not read";
    const Table table = run_with({"--access", "load"});
    for (const char* name : {"sequential", "reversed", "permuted", "strided 2", "strided 8", "strided 32"}) {
        EXPECT_EQ(table.row(name).l1_hits, 0) << name;
    }
    EXPECT_EQ(table.row("broadcast").l1_hits, 448);
}

TEST(Coalescing, OneCase) {
    const Table table = run_with({"--pattern", "strided", "--stride", "3", "--access", "load"});
    ASSERT_EQ(table.rows.size(), 1u) << table.run.out;
    // Every third int: 32 of them span 94 ints, bytes 0-375 of a warp's 384, which are 12 whole sectors. None is
    // skipped: ints are at most 12 bytes apart.
    expect_traffic(table.row("strided 3"), 512, 512 * 12, 33.3);
    EXPECT_EQ(run_with({"--pattern", "broadcast", "--access", "store"}).rows.size(), 1u);
    EXPECT_EQ(run_with({"--pattern", "strided", "--access", "store"}).rows.size(), 4u);
}

TEST(Coalescing, OneInt) {
    const Table table = run_with({"--n", "1"});
    ASSERT_EQ(table.rows.size(), 18u) << table.run.out;
    for (const Row& row : table.rows) expect_traffic(row, 1, 1, 12.5);
}

// 1001 ints: 31 full warps and one of 9 lanes.
TEST(Coalescing, OddSize) {
    const Table table = run_with({"--n", "1001"});
    for (const int access : {0, 1}) {
        // 31 * 4, and 9 ints in 2 sectors. 4004 bytes of 126 * 32 = 4032.
        expect_traffic(table.row("sequential", access), 32, 126, 99.3);
        // a[1000] down to a[969]: bytes 3876-4003, 5 sectors; so for every full warp, and a[8] to a[0] in 2.
        expect_traffic(table.row("reversed", access), 32, 31 * 5 + 2, 79.7);
        // 31 * 32, and 9 ints that are 32 ints apart.
        expect_traffic(table.row("strided 32", access), 32, 31 * 32 + 9, 12.5);
        // The ints 0 to 31, one for each warp.
        expect_traffic(table.row("broadcast", access), 32, 32, 12.5);
    }
}

// The jumble goes by i, the warps by threadIdx: blocks of 16 threads take half of it each, 5 * i + 3 modulo 32.
// i = 0-15 want 3 8 13 18 23 28 1 6 11 16 21 26 31 4 9 14, i = 16-31 the others: both touch all 4 sectors.
TEST(Coalescing, HalfWarpsOfAPermutedOrder) {
    expect_traffic(
        run_with({"--n", "64", "--block", "16", "--pattern", "permuted", "--access", "load"}).row("permuted"), 4, 16,
        50);
}

// 2^20 ints in blocks of 1024: 32,768 warps.
TEST(Coalescing, Many) {
    const Table table = run_with({"--n", "1048576", "--block", "1024", "--access", "load", "--pattern", "permuted"});
    expect_traffic(table.row("permuted"), 32768, 131072, 100);
}

TEST(Coalescing, Help) {
    const Finished run = run_program({PROGRAM_coalescing, "--help"});
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_THAT(run.out, testing::HasSubstr(
                             "sequential, reversed, permuted, strided, random, broadcast; without it all are tried"));
    EXPECT_THAT(run.out, testing::HasSubstr("load, store, both, default both"));
}

TEST(Coalescing, RefusesWhatItDoesNotUnderstand) {
    expect_refused(
        PROGRAM_coalescing, {"--pattern", "diagonal"},
        "--pattern must be one of sequential, reversed, permuted, strided, random, broadcast, not \"diagonal\"");
    expect_refused(PROGRAM_coalescing, {"--pattern"}, "--pattern needs a word");
    expect_refused(PROGRAM_coalescing, {"--access", "read"}, "--access must be one of load, store, both");
    expect_refused(PROGRAM_coalescing, {"--stride", "0"}, "--stride must be a whole number from 1 to 64");
    expect_refused(PROGRAM_coalescing, {"--n", "1048577"}, "--n must be a whole number from 1 to 1048576");
    expect_refused(PROGRAM_coalescing, {"--offset", "1"}, "--offset is not an option");
}

}  // namespace
