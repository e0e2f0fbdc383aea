// What docs/build.cmake refuses: small repositories with one error each, through Doxygen as the real one goes.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "html_site.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class BuildDocs : public testing::Test {
protected:
    void SetUp() override {
        static const bool can_build = run({"-D", "SKIP=ON", "-D", "ROOT=" + (root / "none").string()}).err.find("docs: skipped") == std::string::npos;
        if (!can_build) GTEST_SKIP() << "doxygen or doxygen-awesome-css is not installed: ./lab docs installs them";
        write("docs/start.md", "# Lanescope\n\n\\chapters\n");
        write("common/tutorial/check.cuh", "/// \\file\n/// Checks.\n#pragma once\n\n/// A kernel.\n__global__ void documented(int n);\n");
        write("chapters/01_first/sum.cu", "// [add]\n__global__ void add(int* sum) {\n    *sum += 2;\n}\n// [add]\n");
        write("build/chapters/01_first/sum", "");   // where pictures come from: a program, and what draws its picture
        write("build/bin/lanescope", "#!/bin/sh\necho '<svg xmlns=\"http://www.w3.org/2000/svg\"><text>drawn lane</text></svg>' > \"$4\"\n");
        fs::permissions(root / "build/bin/lanescope", fs::perms::owner_all);
        write("chapters/01_first/picture.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><text>lane 0</text></svg>\n");
    }
    void write(const fs::path& file, const std::string& text) {
        fs::create_directories((root / file).parent_path());
        std::ofstream(root / file) << text;
    }
    // Builds the site of the repository whose chapter 1 has this text below its title.
    test::Finished build(const std::string& text) {
        write("chapters/01_first/page.md", "# 1. First\n\n" + text + "\n");
        return run({"-D", "ROOT=" + root.string()});
    }
    test::Finished run(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {CMAKE, "-D", "DOCS_INPUT=" DOCS_INPUT, "-D", "VERSION=1", "-D", "BUILD=" + (root / "out").string(),
                                              "-D", "PROGRAMS=" + (root / "build").string()});
        arguments.insert(arguments.end(), {"-P", SOURCE "/docs/build.cmake"});
        return test::run_program(arguments);
    }
    std::string chapter(bool with_code) { return test::text_of(test::read_html_site(root / "out/html").pages["chapter_01.html"].html, with_code); }

    const test::TemporaryFolder folder{"build docs"};   // a name with a space finds missing quotes
    const fs::path root = folder.path();
};

TEST_F(BuildDocs, APageWithEverything) {
    write("chapters/01_first/figures.txt", "sum | out.txt | sum (.*)\n");
    write("chapters/01_first/out.txt", "sum 15.14\n");
    write("chapters/01_first/pictures.txt", "drawn | sum --offset 1\n");
    const test::Finished run = build("\\picture{drawn}\nThe sum is \\fig{sum}.\n\n\\snippet chapters/01_first/sum.cu add\n\n\\htmlinclude chapters/01_first/picture.svg\n\n"
                                     "The [program](sum.cu) includes [check](../../common/tutorial/check.cuh).");
    ASSERT_EQ(run.exit_status, 0) << run.err;
    EXPECT_THAT(run.err, HasSubstr("out/html/index.html"));
    EXPECT_THAT(chapter(false), AllOf(HasSubstr("The sum is 15.14."), HasSubstr("lane 0"), HasSubstr("drawn lane"), Not(HasSubstr("+= 2"))));
    EXPECT_THAT(chapter(true), AllOf(HasSubstr("__global__ void add(int* sum) {"), HasSubstr("    *sum += 2;")));
    const test::HtmlSite site = test::read_html_site(root / "out/html");
    EXPECT_THAT(site.broken_links(), testing::IsEmpty());
    EXPECT_THAT(site.reachable_from("index.html"), testing::IsSupersetOf({"chapter_01.html", "listing_chapters_01_first_sum_cu.html", "check_8cuh.html"}));
    EXPECT_THAT(site.pages.at("chapter_01.html").html, HasSubstr("<span class=\"keywordtype\">void</span>")) << "code is highlighted as C++";
    EXPECT_THAT(site.pages.at("check_8cuh.html").html, HasSubstr("documented")) << "__global__ does not hide a function";
}

struct Mistake {
    const char* name;
    const char* text;      // of the page
    const char* message;   // part of what the build says
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.text; }

class Mistakes : public BuildDocs, public testing::WithParamInterface<Mistake> {};

TEST_P(Mistakes, FailTheBuild) {
    const test::Finished run = build(GetParam().text);
    EXPECT_NE(run.exit_status, 0);
    EXPECT_THAT(run.err, HasSubstr(GetParam().message));
    EXPECT_FALSE(fs::exists(root / "out/html"));
}

INSTANTIATE_TEST_SUITE_P(Docs, Mistakes,
                         testing::Values(Mistake{"Marker", "\\snippet chapters/01_first/sum.cu subtract", "block marked with [subtract]"},
                                         Mistake{"SnippetFile", "\\snippet chapters/01_first/gone.cu add", "gone.cu"},
                                         Mistake{"Picture", "\\htmlinclude chapters/01_first/gone.svg", "gone.svg"},
                                         Mistake{"Image", "![x](gone.png)", "page.md:3: the link to gone.png leads to no file"},
                                         Mistake{"Link", "[x](gone.md)", "page.md:3: the link to gone.md leads to no file"},
                                         Mistake{"Heading", "[x](#gone)", "page.md:3: chapters/01_first/page.md has no heading 'gone'"},
                                         Mistake{"Reference", "\\ref gone", "gone"},
                                         Mistake{"CountedPicture", "\\picture{gone}", "page.md:3: there is no picture gone"},
                                         Mistake{"Figure", "\\fig{gone}", "page.md:3: there is no figure gone"},
                                         Mistake{"Tag", "a <gone> b", "gone"}),
                         [](const testing::TestParamInfo<Mistake>& info) { return info.param.name; });

TEST_F(BuildDocs, AFigureThatNoPageShows) {
    write("chapters/01_first/figures.txt", "sum | out.txt | sum (.*)\n");
    write("chapters/01_first/out.txt", "sum 15.14\n");
    const test::Finished run = build("Text.");
    EXPECT_NE(run.exit_status, 0);
    EXPECT_THAT(run.err, AllOf(HasSubstr("01_first/figures.txt:1: figure sum is on no page"), HasSubstr("next: ")));
}

TEST_F(BuildDocs, APictureThatNoPageShows) {
    write("chapters/01_first/pictures.txt", "drawn | sum\n");
    const test::Finished run = build("Text.");
    EXPECT_NE(run.exit_status, 0);
    EXPECT_THAT(run.err, AllOf(HasSubstr("01_first/pictures.txt:1: picture drawn is on no page"), HasSubstr("next: ")));
}

}  // namespace
}  // namespace lanescope
