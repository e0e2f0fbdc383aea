#include "finish.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "support/temporary_folder.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A search folder as Doxygen 1.9.4 writes it: lists of a and x.
class Search : public testing::Test {
protected:
    void SetUp() override {
        fs::create_directories(folder.path() / "search");
        write("searchdata.js",
              "var indexSectionsWithContent =\n{\n  0: \"ax\",\n  1: \"x\"\n};\n\nvar indexSectionNames =\n{\n  0: \"all\",\n  1: \"pages\"\n};\n\n"
              "var indexSectionLabels =\n{\n  0: \"All\",\n  1: \"Pages\"\n};\n");
        write("all_0.js", "var searchData=\n[\n  ['add_0',['add',['../a.html',1,'a']]],\n  ['axis_1',['Axis',['../b.html',1,'b'],['../c.html',1,'c']]]\n];\n");
        write("all_1.js", "var searchData=\n[\n  ['x_0',['x',['../x.html',1,'']]]\n];\n");
        write("pages_0.js", "var searchData=\n[\n  ['x_0',['x',['../x.html',1,'']]]\n];\n");
        for (const char* list : {"all", "pages"}) write(std::string(list) + "_0.html", "<script src=\"" + std::string(list) + "_0.js\"></script>");
    }
    void write(const std::string& file, const std::string& text) { std::ofstream(folder.path() / "search" / file) << text; }
    std::string read(const std::string& file) {
        std::ifstream in(folder.path() / "search" / file);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    const test::TemporaryFolder folder{"search"};
};

TEST_F(Search, TermsAreAdded) {
    const Result<void> added = docs::add_to_search(folder.path(), {{"Atomic <add>", "Atomic <add>", "1. It's", "p.html#q"}, {"race", "The race", "", "p.html"}});
    ASSERT_TRUE(added) << added.error().text();
    EXPECT_EQ(read("all_0.js"), "var searchData=\n[\n  ['add_0',['add',['../a.html',1,'a']]],\n"
                                "  ['atomic_20_3cadd_3e_1',['Atomic &lt;add&gt;',['../p.html#q',1,'1. It&#39;s']]],\n"
                                "  ['axis_2',['Axis',['../b.html',1,'b'],['../c.html',1,'c']]]\n];\n");
    // A letter that was not there gets the next number, in the index, in the script, and in the page that shows it.
    EXPECT_THAT(read("searchdata.js"), HasSubstr("  0: \"axr\",\n  1: \"xar\"\n"));
    EXPECT_THAT(read("all_2.js"), HasSubstr("['race_0',['The race',['../p.html',1,'']]]"));
    EXPECT_THAT(read("pages_2.js"), HasSubstr("race_0"));
    EXPECT_THAT(read("all_2.html"), HasSubstr("src=\"all_2.js\""));
    EXPECT_THAT(read("all_1.js"), HasSubstr("  ['x_0',['x',['../x.html',1,'']]]\n"));
}

// Doxygen 1.9.8 makes an entry for the space that does not break in "1. Title".
TEST_F(Search, CharactersOfSeveralBytesCountAsOne) {
    write("searchdata.js", "var i =\n{\n  0: \"\u00a0x\",\n  1: \"x\"\n};\nvar n =\n{\n  0: \"all\",\n  1: \"pages\"\n};\n");
    ASSERT_TRUE(docs::add_to_search(folder.path(), {{"race", "The race", "", "p.html"}}));
    EXPECT_THAT(read("searchdata.js"), HasSubstr("  0: \"\u00a0xr\",\n  1: \"xr\"\n"));
    EXPECT_THAT(read("all_2.js"), HasSubstr("race_0"));
}

TEST_F(Search, AnotherFormatIsAnError) {
    write("all_1.js", "var searchData = {x: 1};\n");
    const Result<void> added = docs::add_to_search(folder.path(), {});
    ASSERT_FALSE(added);
    EXPECT_THAT(added.error().text(), HasSubstr("not in the form of Doxygen 1.9"));
}

TEST_F(Search, TheMenuListsPages) {
    std::ofstream(folder.path() / "menudata.js") << "var menudata={children:[\n{text:\"Start\",url:\"index.html\"},\n{text:\"All pages\",url:\"pages.html\"}]}\n";
    ASSERT_TRUE(docs::add_to_menu(folder.path(), {{"1. \"One\"", "chapter_01.html", {{"Exercise", "e.html", {}}}}, {"Other", "other.html", {}}}));
    std::ifstream in(folder.path() / "menudata.js");
    EXPECT_EQ((std::string{std::istreambuf_iterator<char>(in), {}}),
              "var menudata={children:[\n{text:\"Start\",url:\"index.html\"},\n{text:\"1. &quot;One&quot;\",url:\"chapter_01.html\",children:[\n"
              "{text:\"Exercise\",url:\"e.html\"}]},\n{text:\"Other\",url:\"other.html\"}]}\n");
    std::ofstream(folder.path() / "menudata.js") << "var menu = 1;\n";
    EXPECT_FALSE(docs::add_to_menu(folder.path(), {}));
}

}  // namespace
}  // namespace lanescope
