// The plot of the chase: drawn from what pointer_chase prints, and clear words where it cannot be. What all plots share
// (common/tutorial/plots) is tested here too.
#include <gmock/gmock.h>

#include "support/plotting.h"

namespace {

using namespace lanescope::test;
using testing::Contains;
using testing::HasSubstr;

const std::string script = std::string(CHAPTER) + "/plots/plot_latency.py";
const std::string recorded = std::string(CHAPTER) + "/recorded/h200_chase.csv";
const std::string head = "gpu,kind,space,op,order,stride_bytes,kb,loads,cycles_per_load,sm_mhz\n";

TEST(Plot, DrawsWhatTheProgramPrintsBesideWhatWasRecorded) {
    if (!can_draw()) GTEST_SKIP() << "matplotlib is not installed";
    const TemporaryFolder folder("plot");
    const std::string csv = folder.path() / "ca.csv";
    const Finished run = run_program({PROGRAM_pointer_chase, "--csv", "--to", "64"});
    ASSERT_EQ(run.exit_status, 0) << run.err;
    std::ofstream(csv) << run.out;
    const Drawn drawn = draw(script, {csv, recorded});
    ASSERT_EQ(drawn.run.exit_status, 0) << drawn.run.err;
    EXPECT_NE(drawn.svg.find("<svg"), std::string::npos);
    EXPECT_THAT(texts_in(drawn.svg), Contains("SM cycles per load"));
    EXPECT_THAT(texts_in(drawn.svg), Contains("NVIDIA H200, ld.global.ca, measured"));
    EXPECT_THAT(texts_in(drawn.svg), Contains("NVIDIA H200, ld.global.cg, measured"));
    const std::string gpu =
        run.out.substr(run.out.find('\n') + 1, run.out.find(',', run.out.find('\n')) - run.out.find('\n') - 1);
    const std::string kind = run.out.find(",modelled,") != std::string::npos ? "modelled" : "measured";
    EXPECT_THAT(texts_in(drawn.svg), Contains(gpu + ", ld.global.ca, " + kind));
    EXPECT_TRUE(draw(script, {csv, recorded}).svg == drawn.svg);  // the same data, the same file
}

// The lines of a file in any order, comments and empty lines between them; only those with the stride are drawn.
TEST(Plot, EachGpuKindAndLoadIsACurve) {
    if (!can_draw()) GTEST_SKIP() << "matplotlib is not installed";
    const TemporaryFolder folder("plot");
    const std::string one = folder.path() / "one.csv", two = folder.path() / "two.csv";
    std::ofstream(one) << "# a comment\n\n"
                       << head << "G,modelled,global,cg,random,128,4,16,7.5,1\n"
                       << "G,modelled,global,ca,random,128,2,16,3,1\n# another\n"
                       << "G,modelled,global,ca,random,64,1,16,9,1\n";
    std::ofstream(two) << head << "F,measured,shared,-,random,128,1,16,5,1\nG,modelled,global,ca,random,128,1,16,2,1\n";
    EXPECT_EQ(curves_in(draw(script, {one, two}).svg),
              "F, shared, measured: 1024:5\n"
              "G, ld.global.ca, modelled: 1024:2 2048:3\n"
              "G, ld.global.cg, modelled: 4096:7.5");
    EXPECT_EQ(curves_in(draw(script, {one, two, "--stride", "64"}).svg), "G, ld.global.ca, modelled: 1024:9");
}

TEST(Plot, OtherFormats) {
    if (!can_draw()) GTEST_SKIP() << "matplotlib is not installed";
    const TemporaryFolder folder("plot");
    const std::string png = folder.path() / "chase.png", pdf = folder.path() / "chase.pdf";
    EXPECT_EQ(run_program({script, png, recorded}).exit_status, 0);
    EXPECT_EQ(run_program({script, pdf, recorded}).exit_status, 0);
    EXPECT_EQ(text_of_file(png).substr(1, 3), "PNG");
    EXPECT_EQ(text_of_file(pdf).substr(1, 3), "PDF");
}

TEST(Plot, SaysWhatIsWrong) {
    const TemporaryFolder folder("plot");
    int files = 0;
    const auto file = [&](const std::string& text) {
        const std::string path = folder.path() / (std::to_string(++files) + ".csv");
        std::ofstream(path) << text;
        return path;
    };
    const auto line = [&](const std::string& text) { return file("# a comment\n" + head + text + "\n"); };
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{folder.path() / "none.csv"}, "none.csv cannot be read: No such file"},
        {{folder.path()}, " cannot be read: Is a directory"},
        {{recorded, file("kb,cycles\n16,32\n")}, ".csv is not what pointer_chase --csv prints"},
        {{file("")}, ".csv is not what pointer_chase --csv prints"},
        {{file("\xff\xfe\n")}, ".csv is no text"},
        {{line("G,measured,global,ca,random,128,16,16,fast,1")},
         ".csv:3: cycles_per_load is 'fast', no positive number"},
        {{line("G,measured,global,ca,random,128,16,16,nan,1")}, ".csv:3: cycles_per_load is 'nan', no positive number"},
        {{line("G,measured,global,ca,random,128,0,16,32,1")}, ".csv:3: kb is '0', no positive number"},
        {{line("G,measured,global,ca,random,128,16")}, ".csv:3: 7 values instead of 10"},
        {{line("G,guessed,global,ca,random,128,16,16,32,1")},
         ".csv:3: kind is 'guessed', neither measured nor modelled"},
        {{line("G,measured,global,cv,random,128,16,16,32,1")}, ".csv:3: 'global cv' is none of global ca, global cg"},
        {{file(head)}, "no line has a stride of 128 bytes"},
        {{"--stride", "24", recorded}, "no line has a stride of 24 bytes"},
        {{"--stride", "wide", recorded}, "argument --stride: invalid int value: 'wide'"},
        {{}, "the following arguments are required: csv"},
    };
    for (const auto& [arguments, message] : cases) {
        const Drawn refused = draw(script, arguments);
        EXPECT_EQ(refused.run.exit_status, 2) << message;
        EXPECT_THAT(refused.run.err, testing::StartsWith("plot_latency.py: "));
        EXPECT_THAT(refused.run.err, HasSubstr(message));
        EXPECT_THAT(refused.run.err, HasSubstr("\n  next: "));
        EXPECT_EQ(refused.svg, "") << message;
    }
    const Finished ending = run_program({script, folder.path() / "chase.doc", recorded});
    EXPECT_EQ(ending.exit_status, 2);
    EXPECT_THAT(ending.err, HasSubstr("chase.doc does not end in .svg, .png or .pdf\n  next: "));
    EXPECT_EQ(run_program({script}).exit_status, 2);
    EXPECT_EQ(run_program({script, "--help"}).exit_status, 0);
    if (!can_draw()) return;
    const Finished nowhere = run_program({script, folder.path() / "no_folder/chase.svg", recorded});
    EXPECT_EQ(nowhere.exit_status, 2);
    EXPECT_THAT(nowhere.err, HasSubstr("no_folder/chase.svg cannot be written: "));
}

}  // namespace
