// What the program transpose prints and refuses. The kernels are tested in kernels_test.cu.
#include "program_table.h"
#include "tutorial/simulated.h"
#include "tutorial/table_rows.h"

namespace {

using namespace lanescope::test;
using lanescope::tutorial::on_simulated_gpu;
using testing::HasSubstr;
using testing::Not;

Finished transpose(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), PROGRAM_transpose);
    return run_well(arguments);
}

CsvTable csv(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {PROGRAM_transpose, "--repeats", "1", "--csv"});
    return read_csv_of(arguments);
}

constexpr const char* kernels[] = {"copy_row",     "copy_col",       "naive_row",  "naive_col", "tiled",
                                   "tiled_padded", "tiled_elements", "vectorised", "fastest"};

TEST(TransposeProgram, Table) {
    const Finished run = transpose({"--rows", "300", "--columns", "200", "--repeats", "2"});
    for (const char* kernel : kernels) EXPECT_THAT(run.out, HasSubstr("\n" + std::string(kernel) + "  ")) << run.out;
    EXPECT_THAT(run.out, HasSubstr("300 rows of 200 elements of 4 bytes.\n"));
    EXPECT_THAT(run.out, HasSubstr("Every result was right. GB/s: 1e9 bytes a second, of 2 x 240000 bytes"));
    EXPECT_THAT(run.out, HasSubstr("Careful: both arrays fit in L2"));
    // Whatever comes from time says where it comes from.
    EXPECT_THAT(run.out, HasSubstr(on_simulated_gpu() ? "Times are modelled" : "median of 2 launches"));
    EXPECT_THAT(run.out, Not(HasSubstr(on_simulated_gpu() ? "measured" : "modelled")));
    EXPECT_EQ(run.out.find("ncu --metrics") == std::string::npos, on_simulated_gpu()) << run.out;
}

TEST(TransposeProgram, SaysWhatVectorisedCannotDo) {
    EXPECT_THAT(transpose({"--rows", "64", "--columns", "63"}).out, HasSubstr("vectorised is tiled_elements here"));
    EXPECT_THAT(transpose({"--rows", "64", "--columns", "64"}).out, Not(HasSubstr("tiled_elements here")));
    EXPECT_THAT(transpose({"--rows", "64", "--columns", "63", "--kernel", "tiled"}).out,
                Not(HasSubstr("tiled_elements here")));
}

TEST(TransposeProgram, EveryElementAndShape) {
    for (const char* element : {"1", "2", "4", "8"}) {
        for (const auto& [rows, columns] : {std::pair{"1", "1"}, std::pair{"1", "300"}, std::pair{"301", "1"},
                                            std::pair{"96", "160"}, std::pair{"101", "77"}}) {
            SCOPED_TRACE(std::string(element) + " bytes, " + rows + " x " + columns);
            CsvTable table = csv({"--element", element, "--rows", rows, "--columns", columns});
            EXPECT_EQ(table.size(), 9u);
            for (const char* kernel : kernels) {
                EXPECT_EQ(table[kernel]["element_bytes"], element);
                EXPECT_EQ(table[kernel]["source"], on_simulated_gpu() ? "modelled" : "measured");
                EXPECT_GT(std::stod("0" + table[kernel]["milliseconds"]), 0);
            }
        }
    }
}

// Bandwidth is 2 * 64 * 96 * 8 bytes by the time.
TEST(TransposeProgram, OneKernel) {
    for (const char* kernel : kernels) {
        CsvTable table = csv({"--kernel", kernel, "--rows", "64", "--columns", "96", "--element", "8"});
        ASSERT_EQ(table.size(), 1u);
        auto& row = table[kernel];
        EXPECT_EQ(row["rows"], "64");
        EXPECT_EQ(row["columns"], "96");
        const double ms = std::stod("0" + row["milliseconds"]),
                     bandwidth = std::stod("0" + row["gigabytes_per_second"]);
        EXPECT_NEAR(bandwidth * ms * 1e6, 98304, 0.01 * 98304) << kernel;  // printed with 3 decimals
        if (!on_simulated_gpu()) continue;
        EXPECT_NE(row["limit"], "");
        EXPECT_GT(std::stoul("0" + row["load_requests"]), 0u);
    }
}

TEST(TransposeProgram, Blocks) {
    CsvTable table = csv({"--rows", "100", "--columns", "50"});
    EXPECT_EQ(table["naive_row"]["block_x"] + " " + table["naive_row"]["block_y"], "32 16");
    EXPECT_EQ(table["tiled"]["block_x"] + " " + table["tiled"]["block_y"], "32 8");
    const std::string of_fastest = table["fastest"]["block_x"];
    table = csv({"--rows", "100", "--columns", "50", "--block-x", "16", "--block-y", "4"});
    EXPECT_EQ(table["naive_row"]["block_x"] + " " + table["naive_row"]["block_y"], "16 4");
    EXPECT_EQ(table["tiled_padded"]["block_x"] + " " + table["tiled_padded"]["block_y"], "16 4");
    EXPECT_EQ(table["fastest"]["block_x"], of_fastest);
    // A block that the tiles cannot have is no problem for a kernel without one.
    EXPECT_EQ(csv({"--kernel", "copy_row", "--block-x", "100", "--block-y", "3"}).size(), 1u);
}

TEST(TransposeProgram, Help) {
    const std::string help = transpose({"--help"}).out;
    for (const char* option :
         {"--rows", "--columns", "--element", "--block-x", "--block-y", "--kernel", "--repeats", "--csv", "--cublas"})
        EXPECT_THAT(help, HasSubstr("\n  " + std::string(option) + " "));
    EXPECT_THAT(help, HasSubstr("copy_row, copy_col, naive_row, naive_col, tiled, tiled_padded, tiled_elements, "
                                "vectorised, fastest, all, default all"));
}

TEST(TransposeProgram, Refusals) {
    const auto refuses = [](const std::vector<std::string>& arguments, const std::string& message) {
        expect_refused(PROGRAM_transpose, arguments, message);
    };
    refuses({"--block-x", "64", "--block-y", "32"},
            "copy_row with blocks of 64 x 32 threads: a block has at most 1024 threads");
    refuses({"--block-x", "20"}, "tiled with blocks of 20 x 8 threads: the tile is as wide as the block");
    refuses({"--block-y", "12"}, "tiled with blocks of 32 x 12 threads: the height must divide");
    refuses({"--kernel", "tiled_padded", "--block-x", "16", "--block-y", "32"},
            "tiled_padded with blocks of 16 x 32 threads: the height must divide the height of the tile, 16");
    refuses({"--kernel", "fastest", "--block-x", "32"}, "fastest has a block of its own: leave out --block-x");
    refuses({"--kernel", "vectorised", "--block-y", "8"}, "vectorised has a block of its own");
    refuses(
        {"--kernel", "naive_row", "--rows", "1000000", "--columns", "1", "--block-y", "1"},
        "naive_row with blocks of 32 x 1 threads: a grid has at most 65535 blocks along y, and 1000000 rows need more");
    refuses({"--rows", "1000000", "--columns", "1000000"},
            "--rows 1000000 --columns 1000000: the matrix has more than");
    refuses({"--block-x", "0"}, "--block-x must be a whole number from 1 to 1024, not \"0\"");
    refuses({"--block-y", "1025"}, "--block-y must be a whole number from 1 to 1024, not \"1025\"");
    refuses({"--rows", "0"}, "--rows must be a whole number from 1 to 1000000, not \"0\"");
    refuses({"--columns", "many"}, "--columns must be a whole number from 1 to 1000000, not \"many\"");
    refuses({"--element", "3"}, "--element must be one of 1, 2, 4, 8, not \"3\"");
    refuses({"--kernel", "kernel3"}, "--kernel must be one of copy_row, copy_col");
    refuses({"--repeats", "-1"}, "--repeats must be a whole number from 0 to 1000");
    refuses({"--cublas", "--element", "2"}, "--cublas: cuBLAS transposes elements of 4 and 8 bytes");
    refuses({"--tile", "32"}, "--tile is not an option");
    refuses({"--kernel"}, "--kernel needs a word");
}

// Beside the fastest kernel, where there is cuBLAS. On the simulated GPU there cannot be.
TEST(TransposeProgram, Cublas) {
    for (const char* element : {"4", "8"}) {
        const std::vector<std::string> command{
            PROGRAM_transpose, "--cublas", "--csv",     "--kernel", "fastest", "--rows", "100",
            "--columns",       "61",       "--element", element};
        const Finished run = run_program(command);
        if (on_simulated_gpu()) {
            EXPECT_EQ(run.exit_status, 2);
            EXPECT_EQ(run.out, "");
            EXPECT_THAT(run.err, HasSubstr("transpose: --cublas: cuBLAS needs a real GPU\n  next: "));
            continue;
        }
        if (run.err.find("libcublas is not found") != std::string::npos) GTEST_SKIP() << run.err;
        CsvTable table = read_csv_of(command);
        EXPECT_EQ(table.size(), 2u);
        EXPECT_GT(std::stod("0" + table["cublas"]["milliseconds"]), 0);
    }
}

// With 0 repeats each kernel is launched once, as counters are best read.
TEST(TransposeProgram, OneLaunchEach) {
    EXPECT_EQ(csv({"--repeats", "0", "--rows", "64", "--columns", "64"}).size(), 9u);
    if (on_simulated_gpu()) return;
    EXPECT_THAT(transpose({"--repeats", "0", "--rows", "64", "--columns", "64"}).out, HasSubstr("first launches"));
}

// More than the memory of the simulated K80, 12 GB.
TEST(TransposeProgram, RefusesWhatDoesNotFit) {
    if (!on_simulated_gpu()) GTEST_SKIP() << "how much memory a real GPU has differs";
    const Finished run = run_program({PROGRAM_transpose, "--rows", "40000", "--columns", "50000", "--element", "8"},
                                     {{"LANESCOPE_GPU", "k80"}});
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_THAT(run.err, HasSubstr("two matrices need 32.0 GB"));
    EXPECT_THAT(run.err, HasSubstr("\n  next: "));
}

}  // namespace
