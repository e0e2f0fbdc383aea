// The figures that nvprof showed on a Tesla K80, on the simulated one. A K80 counts lines of 128 bytes and moves
// sectors of 32.
#include "tutorial/table_rows.h"

namespace {

using namespace lanescope::test;

Table run_on_k80(std::vector<std::string> command, const std::string& l1 = "") {
    return run_table(command, {{"LANESCOPE_GPU", "k80"}, {"LANESCOPE_L1", l1}});
}

// Published: 2048 load transactions (two loads), efficiency 50 %. 512 warps with two loads are 1024 requests, each for
// every second int of 256 bytes: 2 lines.
TEST(OnK80, Aos) {
    const Table table = run_on_k80({PROGRAM_aos});
    expect_traffic(table.row("xy"), 1024, 2048, 50);
    expect_traffic(table.row("x"), 512, 1024, 50);
    // 8-byte lanes make a request for each half of the warp: 128 bytes, one line.
    expect_traffic(table.row("aligned_xy"), 1024, 1024, 100);
    expect_traffic(table.row("aligned_x"), 512, 1024, 50);
    EXPECT_EQ(table.row("xy").l1_hits, 0) << "global loads are not cached in L1 by default";
}

// 9 structures are a half warp's: the first of two requests of the last warp has all lanes.
TEST(OnK80, AosLastWarpInPart) {
    const Table table = run_on_k80({PROGRAM_aos, "--n", "41"});
    expect_traffic(table.row("aligned_xy"), 3, 3, 93.2);   // 41 * 8 = 328 of 11 sectors, 352
    expect_traffic(table.row("xy"), 4, 2 * (2 + 1), 46.6);
}

// Published, for 32 elements: init gld 2, gst 2, load efficiency 25 %, store 100 %; kernel (here add) gld 4, gst 2, 85
// %, 100 %. All lanes want one pointer: one request, one line, 8 bytes of a sector. 32 ints are one line. (2 * 8 + 2 *
// 128) / (2 * 32 + 2 * 128) = 85 %.
TEST(OnK80, Soa) {
    const Table table = run_on_k80({PROGRAM_soa});
    expect_traffic(table.row("init load"), 2, 2, 25);
    expect_traffic(table.row("init store"), 2, 2, 100);
    expect_traffic(table.row("add load"), 4, 4, 85);
    expect_traffic(table.row("add store"), 2, 2, 100);
    constexpr int by_value = 1;
    expect_traffic(table.row("init load", by_value), 0, 0, 0);
    expect_traffic(table.row("add load", by_value), 2, 2, 100);
}

// With L1 on a load moves lines: a pointer costs 128 bytes. 8 / 128 = 6.25 %; 272 / (4 * 128) = 53.1 %. So the
// published 25 % and 85 % were read with L1 off.
TEST(OnK80, SoaWithL1) {
    const Table table = run_on_k80({PROGRAM_soa, "--pointers", "in_memory"}, "on");
    EXPECT_DOUBLE_EQ(table.row("init load").counted.efficiency, 6.2);
    EXPECT_DOUBLE_EQ(table.row("add load").counted.efficiency, 53.1);
    EXPECT_EQ(table.row("add load").counted.transactions, 4u);
}

// 32 structures of f ints are f lines, and a load of one field touches all of them. 16-byte lanes make a request for
// each quarter of the warp: 8 * 16 = 128 bytes, one line. Of 32 bytes, a quarter's halves are 8 * 32 = 256 bytes, two
// lines.
TEST(OnK80, Aosoa) {
    const Table table = run_on_k80({PROGRAM_aosoa});
    expect_traffic(table.row("aos 8"), 1024, 1024 * 2, 50);
    expect_traffic(table.row("aos 12"), 1536, 1536 * 3, 33.3);
    expect_traffic(table.row("aos 16"), 2048, 2048 * 4, 25);
    expect_traffic(table.row("aos 32"), 4096, 4096 * 8, 12.5);
    expect_traffic(table.row("vector 8"), 1024, 1024, 100);
    expect_traffic(table.row("vector 16"), 2048, 2048, 100);
    expect_traffic(table.row("vector 32"), 4096, 4096 * 2, 50);
    for (const char* name : {"soa 12", "tiles 12"}) {
        expect_traffic(table.row(name), 1536, 1536, 100);
        expect_traffic(table.row(name, 1), 512, 512, 100);
    }
}

}  // namespace
