// The figures that nvprof showed on a Tesla K80, on the simulated one. A K80 counts lines of 128 bytes; a warp reads 32
// ints.
#include "tutorial/table_rows.h"

namespace {

using namespace lanescope::test;

Table run_on_k80(std::vector<std::string> command, const std::string& l1 = "") {
    return run_table(command, {{"LANESCOPE_GPU", "k80"}, {"LANESCOPE_L1", l1}});
}

// Published: gld_transactions 1024, 2048, 2048, 1024 for offsets 0, 1, 16, 32, and gst_transactions 512 for each.
// 512 warps with two loads are 1024 requests. Their 128 bytes are one line if they begin at a multiple of 32 ints, else
// parts of two. The stores begin at c[0]. Moved are the sectors: 4 for an offset of 16, and 5 for 1.
TEST(OnK80, ReadOffset) {
    const Table table = run_on_k80({PROGRAM_read_offset});
    expect_traffic(table.row("0"), 1024, 1024, 100);
    expect_traffic(table.row("1"), 1024, 2048, 80);
    expect_traffic(table.row("16"), 1024, 2048, 100);
    expect_traffic(table.row("32"), 1024, 1024, 100);
    expect_traffic(table.row("stores"), 512, 512, 100);
    for (const char* offset : {"0", "1", "16", "32"}) {
        const Table alone = run_on_k80({PROGRAM_read_offset, "--offset", offset});
        expect_traffic(alone.row("stores"), 512, 512, 100);
        EXPECT_EQ(alone.row(offset).l1_hits, 0) << "global loads are not cached in L1 by default";
    }
    EXPECT_THAT(table.run.out, testing::HasSubstr("counts lines of 128 bytes"));
}

// Lines too are multiples of 128 in the address: with a[0] 4 bytes after one, offset 31 is the good one.
TEST(OnK80, WhereTheArrayBeginsIsNoBoundary) {
    const Table table = run_on_k80({PROGRAM_read_offset});
    expect_traffic(table.row("0", 1), 1024, 2048, 80);
    expect_traffic(table.row("7", 1), 1024, 2048, 100);
    expect_traffic(table.row("31", 1), 1024, 1024, 100);
}

// With L1 on (nvcc -Xptxas -dlcm=ca) loads move whole lines: 128 bytes of 256 are asked for. The first line of a warp
// is the second of the warp before, for 15 of the 16 warps of a block, in 32 blocks and two arrays: 960 lines are there
// already. The warp wants 2 sectors of it at offset 16, and 4 at offset 1.
TEST(OnK80, ReadOffsetWithL1) {
    for (const auto& [offset, shared_sectors] : {std::pair{"16", 2}, std::pair{"1", 4}}) {
        const Row row = run_on_k80({PROGRAM_read_offset, "--offset", offset}, "on").row(offset);
        EXPECT_EQ(row.counted.transactions, 2048u);
        EXPECT_DOUBLE_EQ(row.counted.efficiency, 50);
        EXPECT_EQ(row.l1_hits, 960 * shared_sectors);
    }
}

// The stores of 512 warps: one line each, or two.
TEST(OnK80, WriteOffset) {
    const Table table = run_on_k80({PROGRAM_write_offset});
    expect_traffic(table.row("0"), 512, 512, 100);
    expect_traffic(table.row("1"), 512, 1024, 80);
    expect_traffic(table.row("16"), 512, 1024, 100);
    expect_traffic(table.row("32"), 512, 512, 100);
    expect_traffic(table.row("loads"), 1024, 1024, 100);
}

// 32 ints that are s ints apart lie in s lines, at most one for each lane; in sectors as on every other GPU.
TEST(OnK80, Coalescing) {
    const Table table = run_on_k80({PROGRAM_coalescing});
    for (const int access : {0, 1}) {
        for (const char* name : {"sequential", "reversed", "permuted"})
            expect_traffic(table.row(name, access), 512, 512, 100);
        expect_traffic(table.row("strided 2", access), 512, 512 * 2, 50);
        expect_traffic(table.row("strided 4", access), 512, 512 * 4, 25);
        expect_traffic(table.row("strided 8", access), 512, 512 * 8, 12.5);
        expect_traffic(table.row("strided 32", access), 512, 512 * 32, 12.5);
        expect_traffic(table.row("broadcast", access), 512, 512, 12.5);
    }
}

// A request is for at most 128 bytes: 16 lanes of 8 bytes, 8 lanes of 16. So 65,536 bytes need 512 requests from int
// on.
TEST(OnK80, VectorWidth) {
    const Table table = run_on_k80({PROGRAM_vector_width});
    expect_traffic(table.row("char"), 2048, 2048, 100);   // a quarter of a line each
    expect_traffic(table.row("short"), 1024, 1024, 100);
    for (const char* type : {"int", "int2", "int4"}) expect_traffic(table.row(type), 512, 512, 100);
}

// 1040 bytes are 65 int4: 8 groups of 8 lanes, and one lane. 130 int2: 8 groups of 16, and 2 lanes.
TEST(OnK80, VectorWidthLastWarpInPart) {
    const Table table = run_on_k80({PROGRAM_vector_width, "--bytes", "1040"});
    expect_traffic(table.row("int4"), 9, 9, 98.5);
    expect_traffic(table.row("int2"), 9, 9, 98.5);
}

}  // namespace
