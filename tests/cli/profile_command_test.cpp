// `lanescope profile` as a user meets it: sum_offset.cu on the simulated GPU.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "gold/counters_file.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace lanescope::cli {
namespace {

using test::Finished;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string program = std::string(PROGRAMS) + "/sum_offset";

Finished profile(std::vector<std::string> arguments, const std::map<std::string, std::string>& environment = {}) {
    arguments.insert(arguments.begin(), {LANESCOPE_COMMAND, "profile"});
    return test::run_program(arguments, environment);
}

// One launch of sum_offset; its offset is 0, 1, 16 or 32 for index 0 to 3.
std::string metrics(int index, const char* names, std::vector<std::string> more) {
    more.insert(more.end(), {"--metrics", names, "--launch-skip", std::to_string(index), "--launch-count", "1", "--nvprof", program});
    const Finished run = profile(more);
    EXPECT_EQ(run.exit_status, 5) << run.err;
    return run.err;
}

std::string row(const char* value) { return std::string(" ") + value + " +" + value + " +" + value + "\n"; }

// Each of 512 warps loads twice and stores once, 32 neighbouring ints = 128 bytes. A Tesla K80 gave these figures.
// A line is 128 bytes: offset 0 and 32 touch one, 1 and 16 (half a line) two; the store is never shifted: one.
// A sector is 32 bytes: offsets 0, 16 and 32 are multiples of 8 ints: 4 sectors, all used; offset 1: 5, of which 128 / 160.
TEST(ProfileOnK80, TransactionsAndEfficiencyByOffset) {
    const char* transactions[] = {"1024", "2048", "2048", "1024"};
    const char* efficiency[] = {"100.00%", "80.00%", "100.00%", "100.00%"};
    for (int i = 0; i < 4; ++i) {
        const std::string report = metrics(i, "memory", {"--gpu", "k80"});
        EXPECT_THAT(report, HasSubstr("Device \"Tesla K80 (0)\"\n    Kernel: sum_offset(int const*, int const*, int*, int)\n"));
        EXPECT_THAT(report, testing::ContainsRegex(" gld_transactions +Global Load Transactions +" + row(transactions[i])));
        EXPECT_THAT(report, testing::ContainsRegex(" gst_transactions +Global Store Transactions +" + row("512")));
        EXPECT_THAT(report, testing::ContainsRegex(" gld_efficiency +Global Memory Load Efficiency +" + row(efficiency[i])));
        EXPECT_THAT(report, testing::ContainsRegex(" gst_efficiency +Global Memory Store Efficiency +" + row("100.00%")));
    }
}

// With L1 on, a load moves the lines that it touches: two lines for 128 bytes are 50 %.
TEST(ProfileOnK80, WithL1LoadsMoveLines) {
    const char* efficiency[] = {"100.00%", "50.00%", "50.00%", "100.00%"};
    for (int i = 0; i < 4; ++i) {
        EXPECT_THAT(metrics(i, "gld_efficiency", {"--gpu", "k80", "--l1", "on"}), testing::ContainsRegex("Efficiency +" + row(efficiency[i])));
    }
}

// The published table of the K80. A warp asks for 32 ints, 128 bytes. Along a row they lie in one line of 128 bytes and 4 sectors of 32:
// 128 / 128 = 100 %. Along a column each lies in a line of its own: 32 sectors, 128 / 1024 = 12.5 %; with L1 on a load moves the lines,
// 128 / 4096 = 3.125 %, which nvprof prints as 3.12. Stores move sectors either way.
TEST(ProfileOnK80, EfficiencyOfTransposes) {
    struct Row {
        const char *kernel, *load_on, *load_off, *store;
    };
    for (const Row& expected : {Row{"copy_row", "100.00%", "100.00%", "100.00%"}, Row{"copy_col", "3.12%", "12.50%", "12.50%"},
                                Row{"naive_row", "100.00%", "100.00%", "12.50%"}, Row{"naive_col", "3.12%", "12.50%", "100.00%"}}) {
        for (const bool l1_on : {true, false}) {
            const Finished run = profile({"--gpu", "k80", "--l1", l1_on ? "on" : "off", "--nvprof", "--metrics", "gld_efficiency,gst_efficiency", "--kernel",
                                          expected.kernel, std::string(PROGRAMS) + "/transpose"});
            EXPECT_EQ(run.exit_status, 0) << run.err;
            EXPECT_THAT(run.err, testing::ContainsRegex(" gld_efficiency +Global Memory Load Efficiency +" + row(l1_on ? expected.load_on : expected.load_off)))
                << expected.kernel;
            EXPECT_THAT(run.err, testing::ContainsRegex(" gst_efficiency +Global Memory Store Efficiency +" + row(expected.store))) << expected.kernel;
        }
    }
}

// On an H200 transactions are sectors: 4 for each of 1024 requests, 5 with offset 1.
TEST(Profile, OnAnH200TransactionsAreSectors) {
    const char* sectors[] = {"4096", "5120", "4096", "4096"};
    for (int i = 0; i < 4; ++i) EXPECT_THAT(metrics(i, "gld_transactions", {}), testing::ContainsRegex("Transactions +" + row(sectors[i])));
}

TEST(Profile, ProgramsOutputAndStatusPassThroughAndTheTableGoesToStderr) {
    const Finished run = profile({program});
    EXPECT_EQ(run.exit_status, 5);
    EXPECT_EQ(run.out, "no error\n");
    EXPECT_THAT(run.err, AllOf(testing::StartsWith("sum_offset(int const*, int const*, int*, int)\n"), HasSubstr("NVIDIA H200, 2 launches: each"),
                               HasSubstr("column(int*)"), HasSubstr("Shared stores take 32 passes")));
    EXPECT_EQ(profile({"/bin/sh", "-c", "read x; echo $x; kill -TERM $$"}).exit_status, 128 + 15);
}

TEST(Profile, LogFileByKernelAndLine) {
    const test::TemporaryFolder folder("profile");
    const std::string file = folder.path() / "report.txt";
    const Finished run = profile({"--log-file", file, "--by-line", "--kernel", "^col", program});
    EXPECT_EQ(run.err, "");
    std::ifstream stream(file);
    const std::string report{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_THAT(report, AllOf(HasSubstr("column(int*)\n  1 launch, NVIDIA H200\n"), HasSubstr("sum_offset.cu:11\n  tile[threadIdx.x][0] = 1;"),
                              Not(HasSubstr("sum_offset("))));
}

TEST(Profile, DrawsAPicture) {
    const Finished run = profile({"--picture", "--kernel", "^sum", "--launch-skip", "1", "--launch-count", "1", program});
    EXPECT_EQ(run.exit_status, 5);
    EXPECT_THAT(run.err, AllOf(testing::StartsWith("<svg "), testing::EndsWith("</svg>\n"), HasSubstr("c[i] = a[i + offset] + b[i + offset];"),
                               HasSubstr("1 request, 5 sectors: 160 bytes moved, 128 asked for, 80.0 %"), HasSubstr("1 request, 4 sectors"), Not(HasSubstr("shared"))));
    EXPECT_THAT(profile({"--picture", "--kernel", "none", program}).err, HasSubstr("<svg "));
}

TEST(Profile, CompilesACuFileFirst) {
    const test::TemporaryFolder folder("profile");
    const Finished run = profile({"--csv", "--metrics", "gld_transactions", "--launch-count", "2", SUM_OFFSET_SOURCE}, {{"XDG_CACHE_HOME", folder.path()}});
    EXPECT_EQ(run.exit_status, 5) << run.err;
    EXPECT_THAT(run.err, AllOf(testing::StartsWith("\"ID\",\"Process ID\",\"Process Name\","), HasSubstr("\"sector\",\"4,096\"\n\"1\","),
                               testing::EndsWith(",\"sector\",\"5,120\"\n")));
}

TEST(Profile, GivesModelledTimes) {
    const std::string metrics = "gpu__time_duration.sum,gld_throughput,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum.per_second";
    const Finished run = profile({"--metrics", metrics, "--launch-count", "1", program});
    EXPECT_THAT(run.err, AllOf(testing::ContainsRegex("gpu__time_duration.sum +[0-9]+ ns  \\(modelled\\)"), testing::ContainsRegex("gld_throughput +[0-9.]+ GB/s  \\(modelled\\)"),
                               testing::ContainsRegex("sum.per_second +[0-9.]+ sector/s  \\(modelled\\)")));
    EXPECT_THAT(profile({"--launch-count", "1", program}).err, testing::ContainsRegex("\n  modelled time: [0-9.]+ us, mostly for [a-zA-Z0-9 ]+\n"));
    EXPECT_THAT(profile({"--nvprof", "--metrics", "gld_throughput", program}).err, testing::ContainsRegex("Global Load Throughput \\(modelled\\) +[0-9.]+GB/s"));
    const std::map<std::string, std::string> off{{"LANESCOPE_CLOCK", "off"}};
    EXPECT_THAT(profile({program}, off).err, Not(HasSubstr("modelled time")));
    EXPECT_THAT(profile({"--metrics", "all", program}, off).err, AllOf(HasSubstr("gld_efficiency"), Not(HasSubstr("gpu__time"))));
    EXPECT_THAT(profile({"--by-line", "--metrics", "gld_transactions,gld_throughput", program}).err, HasSubstr("Times and rates are of whole launches, not of lines"));
    EXPECT_THAT(profile({"--nvprof", "--metrics", "smsp__inst_executed.sum.per_second", program}).err, testing::ContainsRegex(" [0-9.]+e[+][0-9]+ +[0-9.]+e[+][0-9]+ +[0-9.]+e[+][0-9]+\n"));
    const Finished refused = profile({"--metrics", "gld_throughput", program}, off);
    EXPECT_EQ(refused.exit_status, 2);
    EXPECT_THAT(refused.err, HasSubstr("needs the modelled clock, which LANESCOPE_CLOCK=off stops"));
}

TEST(Profile, ListsItsMetrics) {
    const Finished run = profile({"--query-metrics"});
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_THAT(run.out, HasSubstr("gld_efficiency, smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct\n"));
}

// The file's values are Nsight Compute's as it printed them, without the commas between thousands. Not compared: PTX instructions against
// those of machine code; reads from L2, which gold/counters_test.cpp compares with named exceptions; and what the GPU's own work moves to
// and from DRAM besides the kernel's.
TEST(Profile, CsvHoldsWhatNsightComputePrintedForTheGoldLaunches) {
    const std::set<std::string> others = {"smsp__inst_executed.sum", "lts__t_sectors_srcunit_tex_op_read.sum", "dram__bytes_read.sum", "dram__bytes_write.sum"};
    const std::vector<test::CsvRow> expected = test::read_csv(GOLD_COUNTERS);
    const Finished run = profile({"--csv", GOLD_PROGRAM});
    std::istringstream lines(run.err);
    std::vector<std::string> names;
    std::set<std::string> compared;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("==")) continue;
        const std::vector<std::string> fields = test::split_csv_line(line);
        if (names.empty()) {
            names = fields;
            continue;
        }
        ASSERT_EQ(fields.size(), names.size()) << line;
        test::CsvRow row;
        for (size_t i = 0; i < fields.size(); ++i) row[names[i]] = fields[i];
        const test::CsvRow& launch = expected.at(std::stoul(row["ID"]));
        const std::string& kernel = row["Kernel Name"];
        EXPECT_EQ(kernel.substr(0, kernel.find('(')), launch.at("kernel"));
        EXPECT_EQ(row["Grid Size"], launch.at("grid"));
        EXPECT_EQ(row["Block Size"], launch.at("block"));
        const std::string& metric = row["Metric Name"];
        if (!launch.contains(metric) || others.contains(metric)) continue;
        std::string value = row["Metric Value"];
        std::erase(value, ',');
        EXPECT_EQ(value, launch.at(metric)) << metric << " of launch " << row["ID"] << " (" << launch.at("label") << ")";
        compared.insert(metric);
    }
    EXPECT_EQ(compared.size(), 21u);   // of the file's columns
}

TEST(Profile, NothingToReportSaysWhy) {
    const Finished none = profile({"/bin/true"});
    EXPECT_EQ(none.exit_status, 0);
    EXPECT_THAT(none.err, HasSubstr("no kernel ran"));
    EXPECT_THAT(profile({"--kernel", "transpose", program}).err, HasSubstr("none of its 5 launches"));
    EXPECT_THAT(profile({"--launch-skip", "5", "--json", program}).err, testing::EndsWith("[]\n"));
}

// What it did before its fault is no count of anything.
TEST(Profile, AKernelThatFailedIsNotReported) {
    const test::TemporaryFolder folder("profile");
    const std::string source = folder.path().string() + "/fails.cu";
    std::ofstream(source) << "__global__ void good(int* p) { p[threadIdx.x] = 1; }\n"
                             "__global__ void bad(int* p) { p[threadIdx.x + (1 << 20)] = 1; }\n"
                             "int main() {\n"
                             "    int* p;\n"
                             "    cudaMalloc(&p, 128);\n"
                             "    good<<<1, 32>>>(p);\n"
                             "    bad<<<1, 32>>>(p);\n"
                             "    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 7 : 0;\n"
                             "}\n";
    const Finished run = profile({source}, {{"XDG_CACHE_HOME", folder.path()}});
    EXPECT_EQ(run.exit_status, 7);
    EXPECT_THAT(run.err, AllOf(HasSubstr("illegal write"), HasSubstr("in kernel bad(int*)"), HasSubstr("good(int*)\n  grid"), Not(HasSubstr("bad(int*)\n  grid"))));
}

TEST(Profile, WrongUse) {
    struct Wrong {
        std::vector<std::string> arguments;
        const char* message;
    };
    for (const auto& [arguments, message] : std::vector<Wrong>{
             {{"--metrics", "gld_eficiency", program}, "near it: gld_efficiency"},
             {{"--metrics", "dram_utilization", program}, "not modelled"},
             {{"--gpu", "k80", "--metrics", "shared_efficiency", program}, "not known"},
             {{"--gpu", "voodoo", program}, "voodoo"},
             {{"--l1", "maybe", program}, "must be on or off"},
             {{"--csv", "--json", program}, "at most 1"},
             {{"--kernel", "(", program}, "not a regular expression"},
             {{"--launch-count", "-2", program}, "whole number"},
             {{"--log-file", "/no/such/folder/f", program}, "/no/such/folder/f: cannot be written"},
             {{"--fast", program}, "no option --fast"},
             {{}, "profile needs a program"}}) {
        const Finished run = profile(arguments);
        EXPECT_EQ(run.exit_status, 2) << message;
        EXPECT_EQ(run.out, "") << message;
        EXPECT_THAT(run.err, AllOf(testing::StartsWith("lanescope: "), HasSubstr(message), HasSubstr("next: ")));
    }
    EXPECT_EQ(profile({"no_such_program"}).exit_status, 127);
}

}  // namespace
}  // namespace lanescope::cli
