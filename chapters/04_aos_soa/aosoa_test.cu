// What aosoa predicts and counts. The first table is of kernels that touch all fields, the second of those that touch
// one.
#include "tutorial/table_rows.h"

namespace {

using namespace lanescope::test;
using lanescope::tutorial::on_simulated_gpu;

constexpr int all = 0, one = 1;   // the tables, in order

Table run_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), PROGRAM_aosoa);
    return run_table(arguments);
}

struct Size {
    const char* bytes;
    unsigned long fields;
    double percent;   // 1 / fields
};
constexpr Size sizes[] = {{"8", 2, 50}, {"12", 3, 33.3}, {"16", 4, 25}, {"32", 8, 12.5}};

// 16,384 elements are 512 warps. 32 structures of f ints lie in 32 * 4 * f bytes, 4 * f sectors, and a load of one
// field touches all of them, for its words are at most 32 bytes apart. It asks for an f-th. All f fields are f such
// loads. An H200 counted the same for f = 2, 3 and 4 ("aos2", "aos3", "aos4" of tests/gold/h200_counters.csv).
TEST(Aosoa, ArrayOfStructures) {
    const Table table = run_with({"--layout", "aos"});
    ASSERT_EQ(table.rows.size(), 8u) << table.run.out;
    for (const auto& [bytes, fields, percent] : sizes) {
        const std::string name = std::string("aos ") + bytes;
        expect_traffic(table.row(name, all), 512 * fields, 512 * fields * 4 * fields, percent);
        expect_traffic(table.row(name, one), 512, 512 * 4 * fields, percent);
    }
}

// With a load for each 8 or 16 bytes. 8 and 16: one load, all of what it touches is asked for ("aos4_vec"). 32: two
// loads of half a sector for each lane, 32 sectors. A kernel that wants one field makes the load of 4 bytes that it
// makes of any structure.
TEST(Aosoa, WideLoads) {
    const Table table = run_with({"--layout", "vector"});
    ASSERT_EQ(table.rows.size(), 6u) << table.run.out;
    expect_traffic(table.row("vector 8", all), 512, 512 * 8, 100);
    expect_traffic(table.row("vector 16", all), 512, 512 * 16, 100);
    expect_traffic(table.row("vector 32", all), 1024, 1024 * 32, 50);
    expect_traffic(table.row("vector 8", one), 512, 512 * 8, 50);
    expect_traffic(table.row("vector 16", one), 512, 512 * 16, 25);
    expect_traffic(table.row("vector 32", one), 512, 512 * 32, 12.5);
}

// Where the same field of 32 neighbours is 128 bytes side by side, each load is 4 sectors.
TEST(Aosoa, FieldsSideBySide) {
    const Table table = run_with({});
    ASSERT_EQ(table.rows.size(), 30u) << table.run.out;
    for (const auto& [bytes, fields, percent] : sizes) {
        for (const std::string layout : {"soa ", "tiles "}) {
            expect_traffic(table.row(layout + bytes, all), 512 * fields, 512 * fields * 4, 100);
            expect_traffic(table.row(layout + bytes, one), 512, 512 * 4, 100);
        }
    }
    if (on_simulated_gpu()) EXPECT_THAT(table.run.out, testing::HasSubstr("The stores cost the same."));
}

// The first load of a structure fetches what its other loads want: all but an f-th of the sectors are found in L1. An
// H200 counted 4096, 12,288 and 24,576 for 2, 3 and 4 fields, and none with wide loads or one field.
TEST(Aosoa, L1RepairsAnArrayOfStructures) {
    if (!on_simulated_gpu()) GTEST_SKIP() << "this GPU's counters are not read";
    const Table table = run_with({});
    for (const Row& row : table.rows) {
        const bool first_table = &row - table.rows.data() < 15;
        long expected = 0;
        if (first_table && row.name == "aos 8") expected = 512 * 8;
        if (first_table && row.name == "aos 12") expected = 512 * 12 * 2;
        if (first_table && row.name == "aos 16") expected = 512 * 16 * 3;
        if (first_table && row.name == "aos 32") expected = 512 * 32 * 7;
        if (first_table && row.name == "vector 32") expected = 512 * 32;   // the other half of each sector
        EXPECT_EQ(row.l1_hits, expected) << row.name << (first_table ? ", all" : ", one");
    }
}

// One lane: each load is 4, 8 or 16 bytes of one sector.
TEST(Aosoa, OneStructure) {
    const Table table = run_with({"--n", "1"});
    for (const auto& [bytes, fields, percent] : sizes) {
        for (const std::string layout : {"aos ", "soa ", "tiles "}) {
            expect_traffic(table.row(layout + bytes, all), fields, fields, 12.5);
            expect_traffic(table.row(layout + bytes, one), 1, 1, 12.5);
        }
    }
    expect_traffic(table.row("vector 8", all), 1, 1, 25);
    expect_traffic(table.row("vector 16", all), 1, 1, 50);
    expect_traffic(table.row("vector 32", all), 2, 2, 50);
}

// 1001 structures in blocks of 48: 20 blocks with warps of 32 and 16 lanes, and warps of 32 and 9: 42. Side by side a
// field is 21 * 4 + 20 * 2 + 2 = 126 sectors, also where a warp takes halves of two tiles: they begin on a boundary.
// 4004 / 4032 = 99.3 %. Of structures of 12 bytes, 32 are 12 sectors, 16 are 6, and the first fields of 9 are in 97 to
// 100 bytes, 4 sectors: 21 * 12 + 20 * 6 + 4 = 376. 4004 / 12,032 = 33.3 %.
TEST(Aosoa, OddSizesOfArraysAndBlocks) {
    const Table table = run_with({"--n", "1001", "--block", "48", "--bytes", "12", "--touch", "one"});
    ASSERT_EQ(table.rows.size(), 3u) << table.run.out;
    expect_traffic(table.row("aos 12"), 42, 376, 33.3);
    expect_traffic(table.row("soa 12"), 42, 126, 99.3);
    expect_traffic(table.row("tiles 12"), 42, 126, 99.3);
}

// 300,001 structures: 9375 full warps and one lane; a field of 32 neighbours is 4 sectors.
TEST(Aosoa, ManyAndOdd) {
    for (const std::string layout : {"soa", "tiles"}) {
        const Table table = run_with({"--n", "300001", "--bytes", "12", "--touch", "all", "--layout", layout});
        expect_traffic(table.row(layout + " 12"), 3 * 9376, 3 * (9375 * 4 + 1), 100);
    }
}

TEST(Aosoa, TimesOnlyWhereTheyMeanSomething) {
    const Table table = run_with({"--n", "1000", "--repeats", "1", "--bytes", "8"});
    EXPECT_EQ(table.run.out.find(" ms ") == std::string::npos, on_simulated_gpu()) << table.run.out;
}

TEST(Aosoa, Help) {
    const Finished run = run_program({PROGRAM_aosoa, "--help"});
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_THAT(run.out, testing::HasSubstr("aos, vector, soa, tiles; without it all are tried"));
    EXPECT_THAT(run.out, testing::HasSubstr("8, 12, 16, 32; without it all are tried"));
    EXPECT_THAT(run.out, testing::HasSubstr("one, all; without it both are tried"));
}

TEST(Aosoa, RefusesWhatItDoesNotUnderstand) {
    expect_refused(PROGRAM_aosoa, {"--bytes", "24"}, "--bytes must be one of 8, 12, 16, 32, not \"24\"");
    expect_refused(PROGRAM_aosoa, {"--layout", "table"}, "--layout must be one of aos, vector, soa, tiles, not \"table\"");
    expect_refused(PROGRAM_aosoa, {"--touch", "two"}, "--touch must be one of one, all, not \"two\"");
    expect_refused(PROGRAM_aosoa, {"--layout", "vector", "--bytes", "12"},
                   "--layout vector cannot have --bytes 12: loads are 4, 8 or 16 bytes wide");
    expect_refused(PROGRAM_aosoa, {"--n", "0"}, "--n must be a whole number from 1 to 16777216");
    expect_refused(PROGRAM_aosoa, {"--block", "2000"}, "--block must be a whole number from 1 to 1024");
    expect_refused(PROGRAM_aosoa, {"--repeats", "0"}, "--repeats must be a whole number from 1 to 1000");
    expect_refused(PROGRAM_aosoa, {"--fields"}, "--fields is not an option");
}

}  // namespace
