// What the program bandwidth prints and refuses.
#include "program_table.h"
#include "tutorial/simulated.h"
#include "tutorial/table_rows.h"

namespace {

using namespace lanescope::test;
using lanescope::tutorial::on_simulated_gpu;
using testing::HasSubstr;
using testing::Not;

constexpr const char* ways[] = {"cudaMemcpy", "bytes", "ints", "ints_by_four", "vectors"};

// Two GPUs, 384 bits, 2.505 GHz, two transfers in each clock: 2 * 384 * 2.505e9 * 2 / 8 = 480.96e9 bytes a second.
TEST(Bandwidth, PeakOfAK80Board) {
    EXPECT_THAT(run_well({PROGRAM_bandwidth, "--mib", "1", "--repeats", "1"}).out,
                HasSubstr("2 GPUs x 2 x 2505 MHz x 384 bits / 8 = 480.96 GB/s"));
}

// One of the two, from the attributes of the simulated K80. An H200's are 3201 MHz and 6016 bits: 4814.304.
TEST(Bandwidth, PeakOfSimulatedGpus) {
    if (!on_simulated_gpu()) GTEST_SKIP() << "about simulated GPUs";
    EXPECT_THAT(run_well({PROGRAM_bandwidth, "--mib", "1"}, {{"LANESCOPE_GPU", "k80"}}).out,
                HasSubstr("2 x 2505 MHz x 384 bits / 8 = 240.48 GB/s"));
    EXPECT_THAT(run_well({PROGRAM_bandwidth, "--mib", "1"}, {{"LANESCOPE_GPU", "h200"}}).out,
                HasSubstr("2 x 3201 MHz x 6016 bits / 8 = 4814.30 GB/s"));
}

TEST(Bandwidth, Table) {
    const std::string text = run_well({PROGRAM_bandwidth, "--mib", "3", "--repeats", "2"}).out;
    for (const char* way : ways) EXPECT_THAT(text, HasSubstr("\n" + std::string(way) + "  "));
    EXPECT_THAT(text, HasSubstr("of 2 x 3145728 bytes, each read once and written once"));
    EXPECT_THAT(text, HasSubstr("Careful: both arrays fit in L2"));
    EXPECT_THAT(text, HasSubstr(on_simulated_gpu() ? "Times are modelled" : "median of 2 launches"));
    EXPECT_THAT(text, Not(HasSubstr(on_simulated_gpu() ? "measured" : "modelled")));
}

TEST(Bandwidth, Csv) {
    CsvTable table = read_csv_of({PROGRAM_bandwidth, "--csv", "--mib", "2", "--repeats", "1"});
    EXPECT_EQ(table.size(), 5u);
    for (const char* way : ways) {
        auto& row = table[way];
        EXPECT_EQ(row["bytes"], "2097152");
        EXPECT_EQ(row["source"], on_simulated_gpu() ? "modelled" : "measured");
        const double ms = std::stod("0" + row["milliseconds"]),
                     bandwidth = std::stod("0" + row["gigabytes_per_second"]);
        EXPECT_NEAR(bandwidth * ms * 1e6, 2 * 2097152.0, 0.01 * 2097152) << way;
    }
    EXPECT_EQ(table["cudaMemcpy"]["share_of_cudamemcpy"], "1.0000");
}

// The two arrays are 67.1 MB, more than the simulated H200's L2. Copies of growing quality, by the modelled clock; none
// is above the peak.
TEST(Bandwidth, MoreBytesForEachThreadAreFaster) {
    if (!on_simulated_gpu()) GTEST_SKIP() << "measured times are not compared";
    const std::string text = run_well({PROGRAM_bandwidth, "--mib", "32"}, {{"LANESCOPE_GPU", "h200"}}).out;
    EXPECT_THAT(text, Not(HasSubstr("Careful")));
    CsvTable table = read_csv_of({PROGRAM_bandwidth, "--csv", "--mib", "32"}, {{"LANESCOPE_GPU", "h200"}});
    const auto bandwidth = [&](const char* way) { return std::stod("0" + table[way]["gigabytes_per_second"]); };
    EXPECT_LT(bandwidth("bytes"), bandwidth("ints"));
    EXPECT_LT(bandwidth("ints"), bandwidth("ints_by_four"));
    EXPECT_LT(bandwidth("ints"), bandwidth("vectors"));
    EXPECT_LT(bandwidth("vectors"), 4814.3);
}

TEST(Bandwidth, HelpAndRefusals) {
    EXPECT_THAT(run_well({PROGRAM_bandwidth, "--help"}).out, HasSubstr("\n  --mib "));
    expect_refused(PROGRAM_bandwidth, {"--mib", "0"}, "--mib must be a whole number from 1 to 16384");
    expect_refused(PROGRAM_bandwidth, {"--bytes", "5"}, "--bytes is not an option");
    if (!on_simulated_gpu()) return;
    const Finished run = run_program({PROGRAM_bandwidth, "--mib", "16384"}, {{"LANESCOPE_GPU", "k80"}});
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_THAT(run.err, HasSubstr("--mib 16384: two arrays need 34.4 GB"));
    EXPECT_THAT(run.err, HasSubstr("\n  next: "));
}

}  // namespace
