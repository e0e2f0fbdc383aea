#include "figures.h"

#include <gmock/gmock.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace lanescope {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FiguresFile : public testing::Test {
protected:
    void SetUp() override {
        std::filesystem::create_directories(folder.path() / "recorded");
        std::ofstream(folder.path() / "recorded/run.txt") << "# GPU: simulated, profile h200\nThis run gave 5.14; again 5.14.\nloads 1024, stores 512\n";
    }
    // The messages for a figures.txt with this text.
    std::vector<std::string> read(const std::string& text) {
        std::ofstream(folder.path() / "figures.txt") << text;
        std::vector<Diagnostic> problems;
        docs::read_figures(folder.path() / "figures.txt", figures, problems);
        std::vector<std::string> texts;
        for (const Diagnostic& problem : problems) texts.push_back(problem.text());
        return texts;
    }
    const test::TemporaryFolder folder{"figures"};
    docs::Figures figures;
};

TEST_F(FiguresFile, NumbersAreRead) {
    EXPECT_THAT(read("# what the race left\n\nlost | recorded/run.txt | gave ([0-9.]+[0-9])\n  stores|recorded/run.txt|(?:loads|xs) \\d+, stores (\\d+)"), IsEmpty());
    EXPECT_EQ(figures["lost"].value, "5.14");
    EXPECT_EQ(figures["stores"].value, "512");
    EXPECT_EQ(figures["stores"].line, 4);
}

TEST_F(FiguresFile, NothingMatches) {
    EXPECT_THAT(read("lost | recorded/run.txt | gives ([0-9.]+)"),
                ElementsAre(AllOf(HasSubstr("figures.txt:1: figure lost: "), HasSubstr("matches nothing in recorded/run.txt"), HasSubstr("next: "))));
}

TEST_F(FiguresFile, SeveralValuesMatch) {
    EXPECT_THAT(read("n | recorded/run.txt | [a-z]+ ([0-9]+)"),
                ElementsAre(AllOf(HasSubstr("figure n: "), HasSubstr("different values in recorded/run.txt: 1024, 5, 512"), HasSubstr("next: "))));
}

TEST_F(FiguresFile, TheFileIsMissing) {
    EXPECT_THAT(read("n | recorded/other.txt | ([0-9]+)"), ElementsAre(AllOf(HasSubstr("figure n: "), HasSubstr("recorded/other.txt cannot be read"))));
}

TEST_F(FiguresFile, WrongExpressions) {
    EXPECT_THAT(read("a | recorded/run.txt | gave"), ElementsAre(HasSubstr("figure a: gave has 0 groups instead of one")));
    EXPECT_THAT(read("b | recorded/run.txt | (a)(b)"), ElementsAre(HasSubstr("figure b: (a)(b) has 2 groups")));
    EXPECT_THAT(read("c | recorded/run.txt | ([0-9"), ElementsAre(HasSubstr("figure c: ([0-9 is no regular expression")));
}

TEST_F(FiguresFile, WrongLines) {
    EXPECT_THAT(read("lost recorded/run.txt"), ElementsAre(HasSubstr("NAME | FILE | REGULAR EXPRESSION")));
    EXPECT_THAT(read("Lost it | recorded/run.txt | gave (.*);"), ElementsAre(HasSubstr("'Lost it' cannot be a figure's name")));
    EXPECT_THAT(read("x | recorded/run.txt | loads (.*),\nx | recorded/run.txt | stores (.*)"),
                ElementsAre(AllOf(HasSubstr("figures.txt:2: figure x: the name is taken by "), HasSubstr("figures.txt:1"))));
}

}  // namespace
}  // namespace lanescope
