// The site as built: links, images, code, and nothing from elsewhere. html_site_test.cpp proves that these checks can fail.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "html_site.h"
#include "site.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class BuiltSite : public testing::Test {
protected:
    static void SetUpTestSuite() {
        if (!fs::exists(fs::path(HTML) / "index.html")) return;
        html = test::read_html_site(HTML);
        std::vector<Diagnostic> problems;
        input = docs::find_site(SOURCE, problems);
        for (const docs::Page& page : input.pages) input.for_doxygen(page, problems);
        ASSERT_THAT(problems, IsEmpty());
    }
    void SetUp() override {
        if (html.pages.empty()) GTEST_SKIP() << "the site was not built: ./lab docs installs what it needs";
    }
    static std::string text(const std::string& id, bool with_code) { return test::text_of(html.pages[id + ".html"].html, with_code); }

    static inline test::HtmlSite html;
    static inline docs::Site input;
};

TEST_F(BuiltSite, EveryLinkAndImageLeadsSomewhere) { EXPECT_THAT(html.broken_links(), IsEmpty()); }

TEST_F(BuiltSite, NothingIsFetchedFromElsewhere) { EXPECT_THAT(html.fetched_from_elsewhere(), IsEmpty()); }

TEST_F(BuiltSite, EveryPageCanBeReachedFromTheStart) {
    const std::set<std::string> reached = html.reachable_from("index.html");
    for (const docs::Page& page : input.pages) EXPECT_THAT(reached, Contains(page.id + ".html")) << page.file;
    for (const auto& [file, listing] : input.listings) EXPECT_THAT(reached, Contains(listing.id + ".html")) << file;
}

TEST_F(BuiltSite, HeadersArePages) {
    const std::string headers = html.pages["files.html"].html;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SOURCE) / "common")) {
        if (entry.path().extension() == ".h" || entry.path().extension() == ".cuh") {
            EXPECT_THAT(headers, HasSubstr(">" + entry.path().filename().string() + "</a>"));
        }
    }
}

TEST_F(BuiltSite, NoCommandIsLeftOver) {
    for (const docs::Page& page : input.pages) {
        for (const char* command : {"\\fig", "\\snippet", "\\include", "\\htmlinclude", "\\ref", "@ref", "\\subpage", "\\chapters", "[TOC]", "]("}) {
            EXPECT_THAT(text(page.id, false), Not(HasSubstr(command))) << page.file;
        }
    }
}

// What search.js would find: the file of a first letter, and in it the entries that begin with what was typed.
std::string found_by_search(const std::string& typed) {
    const auto contents = [](const std::string& file) {
        std::ifstream in(fs::path(HTML) / "search" / file);
        return std::string{std::istreambuf_iterator<char>(in), {}};
    };
    const std::string index = contents("searchdata.js");
    const size_t first = index.find("0: \"") + 4;
    const size_t number = index.substr(first, index.find('"', first) - first).find(typed[0]);
    std::ostringstream file;
    file << "all_" << std::hex << number << ".js";
    std::istringstream lines(contents(file.str()));
    std::string found;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("  ['" + typed)) found += line + "\n";
    }
    return found;
}

TEST_F(BuiltSite, SearchFindsPagesHeadingsAndNames) {
    EXPECT_THAT(found_by_search("global"), HasSubstr("../chapter_01.html'"));
    EXPECT_THAT(found_by_search("stricter"), HasSubstr("../simulated_gpu.html#simulated_gpu_stricter-than-hardware"));
    EXPECT_THAT(found_by_search("cudamemcpytosymbol"), HasSubstr("../chapter_01.html#"));
    EXPECT_THAT(found_by_search("blocks_5ftouched"), HasSubstr("lanescope::access"));   // _ as search.js writes it
    EXPECT_THAT(found_by_search("nowhere"), IsEmpty());
}

// Every line of code that a page quotes is on it.
TEST_F(BuiltSite, SnippetsAreShown) {
    static const std::regex quotation(R"(^\\snippet(?:\{[a-z]+\})? (\S+) (.+)$)");
    for (const docs::Page& page : input.pages) {
        std::ifstream markdown(fs::path(SOURCE) / page.file);
        for (std::string line; std::getline(markdown, line);) {
            std::smatch match;
            if (!std::regex_match(line, match, quotation)) continue;
            std::ifstream source(fs::path(SOURCE) / match[1].str());
            const std::string marker = "// [" + match[2].str() + "]";
            bool inside = false;
            int quoted = 0;
            for (std::string code; std::getline(source, code);) {
                if (code.find(marker) != std::string::npos) {
                    inside = !inside;
                } else if (inside && code.find_first_not_of(' ') != std::string::npos) {
                    EXPECT_THAT(text(page.id, true), HasSubstr(code.substr(code.find_first_not_of(' ')))) << line;
                    ++quoted;
                }
            }
            EXPECT_GT(quoted, 0) << page.file << ": " << line;
        }
    }
}

}  // namespace
}  // namespace lanescope
