// The plots of copies and of zero-copy: drawn from what the programs print; the page's pictures show what is recorded,
// and what is recorded of the simulated GPU is what the programs print today. chapters/06_latency/plot_test.cpp tests
// what all plots share.
#include <cstdio>
#include <set>

#include "program_output.h"
#include "support/plotting.h"

namespace {

using namespace lanescope::test;
using testing::Contains;
using testing::HasSubstr;

struct Plot {
    const char *name, *program, *script;
    std::vector<std::string> few;  // arguments for a short run
    const char *axis, *unit;
    std::vector<std::string> ways;  // the curves of a file, in the order of the legend
    int value_column;               // of the CSV: what is drawn
    int bytes_per_unit_of_size;     // the first column counts bytes or ints

    std::string script_path() const { return std::string(CHAPTER) + "/plots/" + script; }
    std::string recorded(const char* gpu) const {
        return std::string(CHAPTER) + "/recorded/" + gpu + "_" + name + ".csv";
    }
    // What the page's picture is drawn from.
    std::vector<std::string> recorded_files() const {
        std::vector<std::string> files{recorded("simulated")};
        if (std::filesystem::exists(recorded("h200"))) files.push_back(recorded("h200"));
        return files;
    }
};

void PrintTo(const Plot& plot, std::ostream* out) { *out << plot.name; }

class Plots : public testing::TestWithParam<Plot> {};

// The file's name stands for the GPU that a program does not print.
TEST_P(Plots, DrawWhatTheProgramPrints) {
    if (!can_draw()) GTEST_SKIP() << "matplotlib is not installed";
    std::vector<std::string> command = GetParam().few;
    command.insert(command.begin(), {GetParam().program, "--csv"});
    const Finished run = run_well(command);
    const TemporaryFolder folder("plot");
    const std::string csv = folder.path() / "my_run.csv";
    std::ofstream(csv) << run.out;
    const Drawn drawn = draw(GetParam().script_path(), {csv});
    ASSERT_EQ(drawn.run.exit_status, 0) << drawn.run.err;
    EXPECT_EQ(drawn.run.out + drawn.run.err, "");
    const std::vector<std::string> texts = texts_in(drawn.svg);
    EXPECT_THAT(texts, Contains(GetParam().axis));
    EXPECT_THAT(texts, Contains(GetParam().unit));
    const std::string source = run.out.find("modelled") != std::string::npos ? "modelled" : "measured";
    const std::string curves = curves_in(drawn.svg);
    std::size_t last = 0;
    for (const std::string& way : GetParam().ways) {
        const std::string name = "my_run, " + way + ", " + source;
        EXPECT_THAT(texts, Contains(name));
        const auto at = curves.find(name + ": ");
        ASSERT_NE(at, std::string::npos) << curves;
        EXPECT_GE(at, last) << name;
        last = at;
    }
    // Each row is a point.
    const auto rows = csv_rows(run.out);
    ASSERT_GT(rows.size(), GetParam().ways.size());
    std::multiset<std::pair<long, double>> points, expected;
    std::istringstream words(curves);
    for (std::string word; words >> word;) {
        const auto colon = word.find(':');
        if (colon == std::string::npos || colon + 1 == word.size()) continue;
        points.insert({std::stol(word), std::stod(word.substr(colon + 1))});
    }
    for (std::size_t i = 1; i < rows.size(); ++i) {
        char value[32];  // as many digits as the description has
        std::snprintf(value, sizeof value, "%g", std::stod(rows[i][GetParam().value_column]));
        expected.insert({GetParam().bytes_per_unit_of_size * std::stol(rows[i][0]), std::stod(value)});
    }
    EXPECT_EQ(points, expected);
}

// Two runs on the same axes. `# GPU: name (remark)` says whose they are.
TEST_P(Plots, NameTheGpuThatTheFileNames) {
    if (!can_draw()) GTEST_SKIP() << "matplotlib is not installed";
    const TemporaryFolder folder("plot");
    const std::string simulated = GetParam().recorded("simulated"), zeta = folder.path() / "zeta.csv";
    std::string text = text_of_file(simulated);
    for (std::size_t at; (at = text.find("modelled")) != std::string::npos;) text.replace(at, 8, "measured");
    text.replace(text.find("simulated H200"), 14, "Zeta");
    std::ofstream(zeta) << text;
    const Drawn drawn = draw(GetParam().script_path(), {zeta, simulated});
    ASSERT_EQ(drawn.run.exit_status, 0) << drawn.run.err;
    for (const std::string& way : GetParam().ways) {
        EXPECT_THAT(texts_in(drawn.svg), Contains("Zeta, " + way + ", measured"));
        EXPECT_THAT(texts_in(drawn.svg), Contains("simulated H200, " + way + ", modelled"));
    }
}

TEST_P(Plots, ThePagesPictureShowsWhatIsRecorded) {
    if (!can_draw()) GTEST_SKIP() << "matplotlib is not installed";
    const std::vector<std::string> files = GetParam().recorded_files();
    const Drawn drawn = draw(GetParam().script_path(), files);
    ASSERT_EQ(drawn.run.exit_status, 0) << drawn.run.err;
    const std::string picture = std::string(CHAPTER) + "/" + GetParam().name + ".svg";
    std::string command = GetParam().script_path() + " " + picture;
    for (const std::string& file : files) command += " " + file;
    EXPECT_EQ(curves_in(text_of_file(picture)), curves_in(drawn.svg)) << "next: " << command;
}

// The small sizes of it: the largest take long.
TEST_P(Plots, TheSimulatedRecordIsWhatTheProgramPrints) {
    std::vector<std::string> command = GetParam().few;
    command.insert(command.begin(), {GetParam().program, "--csv"});
    const Finished run = run_well(command, {{"LANESCOPE_GPU", "h200"}});
    if (run.out.find("modelled") == std::string::npos) GTEST_SKIP() << "the record is of the simulated GPU";
    const std::string recorded = text_of_file(GetParam().recorded("simulated"));
    EXPECT_THAT(recorded, testing::StartsWith("# command: build/bin/lanescope run build/chapters/02_host_memory/"));
    EXPECT_THAT(recorded, HasSubstr("\n# GPU: simulated H200"));
    EXPECT_THAT(recorded, HasSubstr("\n" + run.out));
}

TEST_P(Plots, SayWhatIsWrong) {
    const std::string text = text_of_file(GetParam().recorded("simulated"));
    const std::string head = text.substr(0, text.find("modelled\n", text.find("source\n")) + 9);  // up to the first row
    const TemporaryFolder folder("plot");
    const std::string path = folder.path() / "run.csv";
    const auto refuse = [&](const std::string& contents, const std::string& message) {
        std::ofstream(path) << contents;
        const Drawn refused = draw(GetParam().script_path(), {path});
        EXPECT_EQ(refused.run.exit_status, 2) << message;
        EXPECT_THAT(refused.run.err, testing::StartsWith(std::string(GetParam().script) + ": "));
        EXPECT_THAT(refused.run.err, HasSubstr(message));
        EXPECT_THAT(refused.run.err, HasSubstr("\n  next: "));
        EXPECT_EQ(refused.svg, "") << message;
    };
    const std::string program = std::string(GetParam().program);
    refuse("n,ms\n1,2\n", "run.csv is not what " + program.substr(program.rfind('/') + 1) + " --csv prints");
    refuse(head + "8\n", "run.csv:8: 1 values instead of ");
    if (can_draw()) refuse(head.substr(0, head.find("source\n") + 7), "the files hold no line to draw");
}

TEST(PlotTransfers, SaysWhatIsWrong) {
    const TemporaryFolder folder("plot");
    const std::string path = folder.path() / "run.csv";
    for (const auto& [row, message] : std::vector<std::pair<std::string, std::string>>{
             {"4096,sideways,pinned,1,2,modelled", "run.csv:2: 'pinned sideways' is none of pinned to_device"},
             {"4096,to_device,pinned,1,0,modelled", "run.csv:2: gb_per_second is '0', no positive number"},
             {"4 KB,to_device,pinned,1,2,modelled", "run.csv:2: bytes is '4 KB', no positive number"},
             {"4096,to_device,pinned,1,2,guessed", "run.csv:2: source is 'guessed', neither measured nor modelled"}}) {
        std::ofstream(path) << "bytes,direction,memory,milliseconds,gb_per_second,source\n" << row << "\n";
        const Drawn refused = draw(std::string(CHAPTER) + "/plots/plot_transfers.py", {path});
        EXPECT_EQ(refused.run.exit_status, 2);
        EXPECT_THAT(refused.run.err, HasSubstr(message));
    }
}

TEST(PlotZeroCopy, SaysWhatIsWrong) {
    const TemporaryFolder folder("plot");
    const std::string path = folder.path() / "run.csv";
    for (const auto& [row, message] : std::vector<std::pair<std::string, std::string>>{
             {"1024,c_mapped,1,modelled", "run.csv:2: 'c_mapped' is none of device, ab_mapped, abc_mapped"},
             {"1024,device,-1,modelled", "run.csv:2: milliseconds is '-1', no positive number"},
             {"0,device,1,modelled", "run.csv:2: n is '0', no positive number"}}) {
        std::ofstream(path) << "n,placement,milliseconds,source\n" << row << "\n";
        const Drawn refused = draw(std::string(CHAPTER) + "/plots/plot_zero_copy.py", {path});
        EXPECT_EQ(refused.run.exit_status, 2);
        EXPECT_THAT(refused.run.err, HasSubstr(message));
    }
}

INSTANTIATE_TEST_SUITE_P(All, Plots,
                         testing::Values(Plot{"transfers",
                                              PROGRAM_pinned_transfer,
                                              "plot_transfers.py",
                                              {"--max-bytes", "1048576"},
                                              "bytes of the copy",
                                              "GB/s (1e9 bytes a second)",
                                              {"pinned, to the device", "pinned, from the device",
                                               "pageable, to the device", "pageable, from the device"},
                                              4,
                                              1},
                                         Plot{"zero_copy",
                                              PROGRAM_zero_copy,
                                              "plot_zero_copy.py",
                                              {"--n", "262144"},
                                              "bytes of each array",
                                              "kernel, ms",
                                              {"A, B, C in device memory", "A, B mapped", "A, B, C mapped"},
                                              2,
                                              sizeof(int)}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
