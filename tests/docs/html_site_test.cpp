// The checks of built_site_test.cpp find what they look for: on a small site with one error of each kind.
#include "html_site.h"

#include <gmock/gmock.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace lanescope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class Html : public testing::Test {
protected:
    void write(const std::string& file, const std::string& text) { std::ofstream(folder.path() / file) << text; }
    test::HtmlSite site() { return test::read_html_site(folder.path()); }
    const test::TemporaryFolder folder{"html"};
};

TEST_F(Html, AnIntactSiteHasNoErrors) {
    write("index.html", R"(<link href="a.css"/><a class="el" href="other.html#part">x</a> <a href="https://example.org">y</a> <a href="#top">z</a>
                           <h1 id="top">t</h1><script>if (a<b) document.write("<img src=\"none.png\"/>");</script>)");
    write("other.html", R"(<a id="part"></a><a name="old"></a><a href="other.html#old">x</a><img src="p.png" alt=""/>)");
    write("p.png", "");
    write("a.css", "h1 { background: url('p.png'); }");
    EXPECT_THAT(site().broken_links(), IsEmpty());
    EXPECT_THAT(site().fetched_from_elsewhere(), IsEmpty());
    EXPECT_THAT(site().reachable_from("index.html"), ElementsAre("index.html", "other.html"));
}

TEST_F(Html, LinksToNothing) {
    write("index.html", R"(<a href="gone.html">x</a> <a href="index.html#gone">x</a> <a href="#gone">x</a> <a href="../../code.cu">x</a>
                           <img src="gone.png"/> <script src="gone.js"></script> <link href="gone.css"/>)");
    EXPECT_THAT(site().broken_links(), UnorderedElementsAre("index.html: gone.html", "index.html: index.html#gone", "index.html: #gone",
                                                            "index.html: ../../code.cu", "index.html: gone.png", "index.html: gone.js",
                                                            "index.html: gone.css"));
}

TEST_F(Html, FetchedFromElsewhere) {
    write("index.html", R"(<script src="https://cdn.example.org/a.js"></script><link href="//example.org/a.css"/><img src="http://example.org/a.png"/>)");
    write("a.css", "@import \"https://example.org/b.css\"; @font-face { src: url(https://example.org/f.woff); }");
    EXPECT_THAT(site().fetched_from_elsewhere(), testing::SizeIs(5));
}

TEST_F(Html, APageThatNobodyLinksTo) {
    write("index.html", "<p>nothing</p>");
    write("other.html", R"(<a href="index.html">x</a>)");
    EXPECT_THAT(site().reachable_from("index.html"), ElementsAre("index.html"));
}

TEST_F(Html, Text) {
    const std::string html = R"(<head>no</head><div class="contents"><p>a &lt; b <code>\fig{x}</code></p><div class="fragment"><div class="line">c</div></div><!-- fragment -->d</div>)";
    EXPECT_EQ(test::text_of(html, true), "a < b \\fig{x}c\n\nd\n");
    EXPECT_EQ(test::text_of(html, false), "a < b d\n");
}

}  // namespace
}  // namespace lanescope
