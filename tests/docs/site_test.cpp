// From a repository's Markdown to Doxygen's, without Doxygen.
#include "site.h"

#include <gmock/gmock.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class DocsSite : public testing::Test {
protected:
    void SetUp() override {
        write("docs/start.md", "# Project\n\n\\chapters\n");
        write("chapters/02_second/page.md", "# 2. Second\n\nIt shows two. And more.\n");
    }
    void write(const fs::path& file, const std::string& text) {
        fs::create_directories((folder.path() / file).parent_path());
        std::ofstream(folder.path() / file) << text;
    }
    // What Doxygen is given for a page, after all pages were read; problems() then has the messages.
    std::string page(const std::string& id) {
        problems_.clear();
        site = docs::find_site(folder.path(), problems_);
        std::string wanted;
        for (const docs::Page& page : site.pages) {
            const std::string text = site.for_doxygen(page, problems_);
            if (page.id == id) wanted = text;
        }
        return wanted;
    }
    std::string second(const std::string& text) {
        write("chapters/02_second/page.md", "# 2. Second\n" + text);
        const std::string result = page("chapter_02");
        return result.substr(std::min(result.find('\n') + 1, result.size()));
    }
    std::vector<std::string> problems() const {
        std::vector<std::string> texts;
        for (const Diagnostic& problem : problems_) texts.push_back(problem.text());
        return texts;
    }
    const test::TemporaryFolder folder{"docs site"};
    docs::Site site;

private:
    std::vector<Diagnostic> problems_;
};

TEST_F(DocsSite, PagesInTheOrderOfTheNavigation) {
    write("chapters/01_first/page.md", "# 1. First\n");
    write("exercises/01_first/b/README.md", "# B\n");
    write("exercises/01_first/a/README.md", "# A\n");
    write("exercises/01_first/a/hints.md", "# Hints\n");
    write("CONTRIBUTING.md", "# For authors\n");
    write("docs/other.md", "# Other\n");
    page("");
    std::vector<std::string> ids;
    for (const docs::Page& page : site.pages) ids.push_back(page.id);
    EXPECT_THAT(ids, ElementsAre("index", "chapter_01", "exercise_01_a", "exercise_01_a_hints", "exercise_01_b", "chapter_02", "contributing", "other"));
    EXPECT_EQ(site.below("chapter_01"), "\nExercises:\n\n- \\subpage exercise_01_a\n- \\subpage exercise_01_b\n");
    EXPECT_EQ(site.below("exercise_01_a"), "\nSee also:\n\n- \\subpage exercise_01_a_hints\n");
    EXPECT_THAT(site.below("index"), AllOf(HasSubstr("contributing"), HasSubstr("other"), Not(HasSubstr("chapter_01"))));
    EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(DocsSite, TableOfChapters) {
    EXPECT_THAT(page("index"), AllOf(HasSubstr("# Project {#mainpage}\n"), HasSubstr("<td>\\subpage chapter_02</td><td>It shows two.</td><td></td>")));
}

TEST_F(DocsSite, TitlesAndHeadingsGetIds) {
    EXPECT_EQ(second("\n## What `x` is, or not?\n"), "\n## What `x` is, or not? {#chapter_02_what-x-is-or-not}\n");
    EXPECT_THAT(page("chapter_02"), HasSubstr("# 2.\u00a0Second {#chapter_02}\n"));
}

TEST_F(DocsSite, FiguresAreReplacedOutsideOfCode) {
    write("chapters/02_second/figures.txt", "sum | out.txt | sum (.*)\n");
    write("chapters/02_second/out.txt", "sum 15.14\n");
    EXPECT_EQ(second("It is \\fig{sum}. (\\fig{sum}), `\\fig{sum}`\n| \\fig{sum}|\n\n    \\fig{sum}\n\n```\n\\fig{sum}\n```\n**\\fig{sum}**\n"),
              "It is 15.14. (15.14), `\\fig{sum}`\n| 15.14|\n\n    \\fig{sum}\n\n```\n\\fig{sum}\n```\n**15.14**\n");
    EXPECT_THAT(site.used_figures, ElementsAre("sum"));
    second("\\fig{other}\n");
    EXPECT_THAT(problems(), ElementsAre(AllOf(HasSubstr("page.md:2: there is no figure other"), HasSubstr("next: "))));
}

TEST_F(DocsSite, LinksBetweenPages) {
    write("docs/other.md", "# Other\n\n## A part: the first\n");
    write("README.md", "");
    EXPECT_EQ(second("See [`o` ther](../../docs/other.md), [part](../../docs/other.md#a-part-the-first), [here](#it), [home](../../README.md).\n## It\n"),
              "See [`o` ther](@ref other), [part](@ref other_a-part-the-first), [here](@ref chapter_02_it), [home](@ref index).\n## It {#chapter_02_it}\n");
    EXPECT_THAT(problems(), IsEmpty());
    second("[x](../../docs/other.md#gone) [y](gone.md) [z](../../..) [w](https://example.org/a.md) `[v](gone.md)`\n");
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("page.md:2: docs/other.md has no heading 'gone'"), HasSubstr("the link to gone.md leads to no file"),
                                        HasSubstr("the link to ../../.. leads to no file")));
}

TEST_F(DocsSite, LinksAndCodeGoOnInTheNextLine) {
    write("docs/other.md", "# Other\n");
    EXPECT_EQ(second("A link to [the\nother](../../docs/other.md) page, and `code\n\\fig{x}` in two lines.\n"),
              "A link to [the\nother](@ref other) page, and `code\n\\fig{x}` in two lines.\n");
    EXPECT_THAT(problems(), IsEmpty());
    second("\nOne `tick\n\nA [link\nto](gone.md) and ` another.\n");
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("page.md:5: the link to gone.md")));
}

TEST_F(DocsSite, LinksToCode) {
    write("common/tutorial/check.cuh", "");
    write("chapters/02_second/sum.cu", "");
    EXPECT_EQ(second("[check](../../common/tutorial/check.cuh) [`sum`](sum.cu)\n"),
              "[check](@ref common/tutorial/check.cuh) [`sum`](@ref listing_chapters_02_second_sum_cu)\n");
    EXPECT_EQ(site.below("chapter_02"), "\nSee also:\n\n- \\subpage listing_chapters_02_second_sum_cu\n");
}

TEST_F(DocsSite, Images) {
    write("chapters/02_second/race.png", "");
    write("docs/race.png", "");
    EXPECT_EQ(second("![Two threads](race.png)\n"), "![Two threads](race.png)\n");
    EXPECT_EQ(site.images.at("race.png"), "chapters/02_second/race.png");
    second("![Two threads](gone.png)\n");
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("gone.png leads to no file")));
    second("![Two threads](race.png) ![x](../../docs/race.png)\n");
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("name of another image")));
}

TEST_F(DocsSite, SearchFindsHeadingsAndNamesInCode) {
    second("Call `cudaFree(p)`; `n`.\n## The cost of `x`\n`cudaFree` and `cudaFree`\n");
    std::vector<std::string> terms;
    for (const docs::SearchTerm& term : site.search_terms(site.pages.at(1))) terms.push_back(term.text + "|" + term.shown + "|" + term.where + "|" + term.url);
    EXPECT_THAT(terms, ElementsAre("2. Second|2. Second||chapter_02.html", "Second|2. Second||chapter_02.html", "cudaFree|cudaFree|2. Second|chapter_02.html",
                                   "cost of x|The cost of x|2. Second|chapter_02.html#chapter_02_the-cost-of-x",
                                   "x|The cost of x|2. Second|chapter_02.html#chapter_02_the-cost-of-x",
                                   "cudaFree|cudaFree|The cost of x, 2. Second|chapter_02.html#chapter_02_the-cost-of-x"));
}

TEST_F(DocsSite, PagesWithoutATitleOrWithTwins) {
    write("chapters/02_second/page.md", "Text\n");
    page("");
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("chapters/02_second/page.md:1: the page has no title")));
    second("## A\n\n# Another\n\n## a\n");
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("page.md:4: a page has one heading with a single #"), HasSubstr("page.md:6: two headings are called 'a'")));
}

}  // namespace
}  // namespace lanescope
