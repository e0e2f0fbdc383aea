// What vector_width predicts and counts.
#include "tutorial/table_rows.h"

namespace {

using namespace lanescope::test;
using lanescope::tutorial::on_simulated_gpu;

Table run_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), PROGRAM_vector_width);
    return run_table(arguments);
}

// 65,536 bytes are 2048 sectors, and every sector belongs to one request. A warp takes 32 elements, so there are
// 65536 / 32 / width requests.
TEST(VectorWidth, SameSectorsFewerRequests) {
    const Table table = run_with({});
    ASSERT_EQ(table.rows.size(), 5u) << table.run.out;
    expect_traffic(table.row("char"), 2048, 2048, 100);
    expect_traffic(table.row("short"), 1024, 2048, 100);
    expect_traffic(table.row("int"), 512, 2048, 100);
    expect_traffic(table.row("int2"), 256, 2048, 100);
    expect_traffic(table.row("int4"), 128, 2048, 100);
    if (on_simulated_gpu()) EXPECT_THAT(table.run.out, testing::HasSubstr("The stores cost the same."));
}

// 16,384 elements are 512 warps. An H200 counted 512 requests of each width, and as many sectors as here ("copy_char"
// to "copy_int4" of tests/gold/h200_counters.csv): 1, 2, 4, 8 and 16 for each request.
TEST(VectorWidth, SameRequestsMoreSectors) {
    const std::vector<std::string> types{"char", "short", "int", "int2", "int4"};
    for (unsigned long each = 0; each < types.size(); ++each) {
        const unsigned long width = 1ul << each;
        const Table table = run_with({"--type", types[each], "--bytes", std::to_string(16384 * width)});
        ASSERT_EQ(table.rows.size(), 1u) << table.run.out;
        expect_traffic(table.row(types[each]), 512, 512 * width, 100);
    }
}

// One int4: one lane, half a sector. 16 chars: one request of 16 lanes, half a sector.
TEST(VectorWidth, SixteenBytes) {
    const Table table = run_with({"--bytes", "16"});
    for (const char* type : {"char", "short", "int", "int2", "int4"}) expect_traffic(table.row(type), 1, 1, 50);
}

// 1040 bytes: 65 int4, which are 2 warps of 16 sectors and a lane in another; 130 int2: 4 warps of 8 and 2 lanes in
// another; 260 ints: 8 warps of 4 and 4 lanes in another; 520 shorts: 16 warps of 2 and 8 lanes; 1040 chars: 32 warps
// of 1 and 16 lanes. Always 33 sectors. 1040 of 1056 bytes: 98.48 %.
TEST(VectorWidth, LastWarpInPart) {
    const Table table = run_with({"--bytes", "1040"});
    const std::vector<std::pair<const char*, unsigned long>> requests{
        {"char", 33}, {"short", 17}, {"int", 9}, {"int2", 5}, {"int4", 3}};
    for (const auto& [type, count] : requests) expect_traffic(table.row(type), count, 33, 98.5);
}

// Half a sector after a boundary a request begins and ends in half a sector: 1 + 1, 2 + 1, ... 16 + 1 sectors.
TEST(VectorWidth, ShiftedByWholeElements) {
    const Table table = run_with({"--shift", "16"});
    ASSERT_EQ(table.rows.size(), 5u) << table.run.out;
    expect_traffic(table.row("char"), 2048, 4096, 50);
    expect_traffic(table.row("short"), 1024, 1024 * 3, 66.7);
    expect_traffic(table.row("int"), 512, 512 * 5, 80);
    expect_traffic(table.row("int2"), 256, 256 * 9, 88.9);
    expect_traffic(table.row("int4"), 128, 128 * 17, 94.1);
}

// 4 bytes after a boundary are no place for 8-byte elements.
TEST(VectorWidth, MisalignedElementsAreAnError) {
    const Table table = run_with({"--shift", "4"});
    EXPECT_EQ(table.rows.size(), 3u) << table.run.out;   // char, short, int
    EXPECT_THAT(table.run.out,
                testing::HasSubstr("int2      cudaErrorMisalignedAddress: the address is no multiple of 8"));
    if (on_simulated_gpu()) EXPECT_THAT(table.run.err, testing::HasSubstr("misaligned read of 8 bytes"));
    const Finished odd = run_program({PROGRAM_vector_width, "--shift", "1", "--type", "short"});
    EXPECT_EQ(odd.exit_status, 0) << odd.err;
    EXPECT_THAT(odd.out, testing::HasSubstr("short     cudaErrorMisalignedAddress: the address is no multiple of 2"));
}

TEST(VectorWidth, Many) {
    expect_traffic(run_with({"--bytes", "16777216", "--type", "int4", "--block", "1024"}).row("int4"), 32768, 524288,
                   100);
}

TEST(VectorWidth, Help) {
    const Finished run = run_program({PROGRAM_vector_width, "--help"});
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_THAT(run.out, testing::HasSubstr("char, short, int, int2, int4; without it all are tried"));
}

TEST(VectorWidth, RefusesWhatItDoesNotUnderstand) {
    expect_refused(PROGRAM_vector_width, {"--bytes", "17"},
                   "--bytes must be a multiple of 16, not 17\n  next: vector_width --bytes 16");
    expect_refused(PROGRAM_vector_width, {"--bytes", "0"}, "--bytes must be a whole number from 16");
    expect_refused(PROGRAM_vector_width, {"--type", "double"},
                   "--type must be one of char, short, int, int2, int4, not \"double\"");
    expect_refused(PROGRAM_vector_width, {"--shift", "x"}, "--shift must be a whole number");
}

}  // namespace
