// A built site as a browser sees it: what is linked, what can be jumped to, what is loaded.
//
//   const HtmlSite site = read_html_site("build/docs/html");
//   EXPECT_THAT(site.broken_links(), IsEmpty());
//
// Reads the regular HTML that Doxygen writes: attributes in double quotes. What JavaScript builds (the navigation
// beside the page) is not seen, so that a page counts as reachable only if a page or a list leads to it.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace lanescope::test {

struct HtmlPage {
    std::string html;
    std::vector<std::string> links;      // href of <a>
    std::vector<std::string> resources;  // src of anything, href of <link>
    std::set<std::string> anchors;       // id of anything, name of <a>
};

struct HtmlSite {
    std::filesystem::path folder;
    std::map<std::string, HtmlPage> pages;   // by file name

    // "page.html: other.html#part", for links and resources without a file and links without an anchor.
    std::vector<std::string> broken_links() const;
    // The pages that links lead to, from this page on.
    std::set<std::string> reachable_from(const std::string& start) const;
    // "page.html: https://...", for what a browser would fetch from elsewhere. Links to follow are no such thing.
    std::vector<std::string> fetched_from_elsewhere() const;
};

HtmlSite read_html_site(const std::filesystem::path& folder);

// The text of a page as a reader sees it. `with_code` false: without what stands in <code> and in blocks of code.
std::string text_of(const std::string& html, bool with_code);

}  // namespace lanescope::test
