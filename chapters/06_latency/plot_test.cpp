// The plot of the chase: drawn from what pointer_chase prints, and clear words where it cannot be.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace {

using lanescope::test::Finished;
using lanescope::test::run_program;
using lanescope::test::TemporaryFolder;
using testing::HasSubstr;

const std::string recorded = std::string(CHAPTER) + "/recorded/h200_chase.csv";

Finished plot(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), std::string(CHAPTER) + "/plots/plot_latency.py");
    return run_program(arguments);
}

bool can_draw() { return run_program({"/usr/bin/python3", "-c", "import matplotlib"}).exit_status == 0; }

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(Plot, DrawsWhatTheProgramPrintsBesideWhatWasRecorded) {
    if (!can_draw()) GTEST_SKIP() << "matplotlib is not installed";
    const TemporaryFolder folder("plot");
    const std::string csv = folder.path() / "ca.csv", svg = folder.path() / "chase.svg",
                      again = folder.path() / "again.svg";
    const Finished run = run_program({PROGRAM_pointer_chase, "--csv", "--to", "64"});
    ASSERT_EQ(run.exit_status, 0) << run.err;
    std::ofstream(csv) << run.out;
    const Finished drawn = plot({svg, csv, recorded});
    ASSERT_EQ(drawn.exit_status, 0) << drawn.err;
    const std::string picture = text_of(svg);
    EXPECT_THAT(picture, HasSubstr("<svg"));
    // matplotlib writes each text as a comment beside its outlines.
    EXPECT_THAT(picture, HasSubstr("<!-- SM cycles per load -->"));
    EXPECT_THAT(picture, HasSubstr("<!-- NVIDIA H200, ld.global.ca, measured -->"));
    EXPECT_THAT(picture, HasSubstr("<!-- NVIDIA H200, ld.global.cg, measured -->"));
    const std::string gpu =
        run.out.substr(run.out.find('\n') + 1, run.out.find(',', run.out.find('\n')) - run.out.find('\n') - 1);
    const std::string kind = run.out.find(",modelled,") != std::string::npos ? "modelled" : "measured";
    EXPECT_THAT(picture, HasSubstr("<!-- " + gpu + ", ld.global.ca, " + kind + " -->"));
    ASSERT_EQ(plot({again, csv, recorded}).exit_status, 0);
    EXPECT_EQ(text_of(again), picture);  // the same data, the same file
}

TEST(Plot, SaysWhatIsWrong) {
    const TemporaryFolder folder("plot");
    const std::string other = folder.path() / "other.csv", broken = folder.path() / "broken.csv",
                      out = folder.path() / "chase.svg";
    std::ofstream(other) << "kb,cycles\n16,32\n";
    std::ofstream(broken) << "# a comment\n"
                          << "gpu,kind,space,op,order,stride_bytes,kb,loads,cycles_per_load,sm_mhz\n"
                          << "G,measured,global,ca,random,128,16,16,fast,1\n";
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{out, folder.path() / "none.csv"}, "none.csv cannot be read: No such file"},
        {{out, other}, "other.csv is not what pointer_chase --csv prints"},
        {{out, broken}, "broken.csv:3: a size or a number of cycles is no number"},
        {{folder.path() / "chase.doc", recorded}, "does not end in .svg, .png or .pdf"},
        {{out, "--stride", "24", recorded}, "no line has a stride of 24 bytes"},
    };
    for (const auto& [arguments, message] : cases) {
        const Finished refused = plot(arguments);
        EXPECT_EQ(refused.exit_status, 2) << message;
        EXPECT_THAT(refused.err, HasSubstr(message));
        EXPECT_THAT(refused.err, HasSubstr("\n  next: "));
        EXPECT_FALSE(std::filesystem::exists(out)) << message;
    }
    EXPECT_EQ(plot({}).exit_status, 2);
    EXPECT_EQ(plot({"--help"}).exit_status, 0);
}

}  // namespace
