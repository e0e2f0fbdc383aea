#include "html_site.h"

#include <fstream>
#include <iterator>
#include <string_view>

namespace lanescope::test {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

// The value of an attribute of a tag such as `a class="el" href="x.html"`; empty if it has none.
std::string attribute(std::string_view tag, const std::string& name) {
    const std::string key = " " + name + "=\"";
    const size_t at = tag.find(key);
    if (at == std::string_view::npos) return "";
    const size_t begin = at + key.size();
    return std::string(tag.substr(begin, tag.find('"', begin) - begin));
}

HtmlPage read_page(const fs::path& file) {
    HtmlPage page;
    page.html = contents(file);
    const std::string_view html = page.html;
    for (size_t at = html.find('<'); at != std::string_view::npos; at = html.find('<', at + 1)) {
        const std::string_view tag = html.substr(at + 1, html.find('>', at) - at - 1);
        const std::string_view element = tag.substr(0, tag.find_first_of(" \n\t"));
        const std::string href = attribute(tag, "href"), src = attribute(tag, "src"), id = attribute(tag, "id");
        if (!href.empty()) (element == "link" ? page.resources : page.links).push_back(href);
        if (!src.empty()) page.resources.push_back(src);
        if (!id.empty()) page.anchors.insert(id);
        if (element == "a") page.anchors.insert(attribute(tag, "name"));
        if (element == "script") at = std::min(html.find("</script>", at), html.size() - 1);   // < means less there
    }
    return page;
}

bool is_elsewhere(const std::string& target) {
    return target.starts_with("http:") || target.starts_with("https:") || target.starts_with("//");
}
bool has_other_scheme(const std::string& target) {   // nothing that lies in a file
    return target.starts_with("javascript:") || target.starts_with("mailto:") || target.starts_with("data:");
}

}  // namespace

HtmlSite read_html_site(const fs::path& folder) {
    HtmlSite site{folder, {}};
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".html") site.pages[entry.path().filename()] = read_page(entry.path());
    }
    return site;
}

std::vector<std::string> HtmlSite::broken_links() const {
    std::vector<std::string> broken;
    for (const auto& [name, page] : pages) {
        const auto check = [&, &name = name](const std::string& target) {
            if (is_elsewhere(target) || has_other_scheme(target)) return;
            const size_t hash = target.find('#');
            const std::string file = hash == 0 ? name : target.substr(0, hash);
            const std::string anchor = hash == std::string::npos ? "" : target.substr(hash + 1);
            // Doxygen 1.9 lists private nested classes in the line above a class, but leaves their section out.
            if (anchor == "nested-classes") return;
            if (const auto linked = pages.find(file); linked != pages.end()) {
                if (!anchor.empty() && !linked->second.anchors.contains(anchor)) broken.push_back(name + ": " + target);
            } else if (!fs::is_regular_file(folder / file)) {
                broken.push_back(name + ": " + target);
            }
        };
        for (const std::string& link : page.links) check(link);
        for (const std::string& resource : page.resources) check(resource);
    }
    return broken;
}

std::set<std::string> HtmlSite::reachable_from(const std::string& start) const {
    std::set<std::string> reached{start};
    std::vector<std::string> todo{start};
    while (!todo.empty()) {
        const auto page = pages.find(todo.back());
        todo.pop_back();
        if (page == pages.end()) continue;
        for (const std::string& link : page->second.links) {
            const std::string file = link.substr(0, link.find('#'));
            if (pages.contains(file) && reached.insert(file).second) todo.push_back(file);
        }
    }
    return reached;
}

std::vector<std::string> HtmlSite::fetched_from_elsewhere() const {
    std::vector<std::string> found;
    for (const auto& [name, page] : pages) {
        for (const std::string& resource : page.resources) {
            if (is_elsewhere(resource)) found.push_back(name + ": " + resource);
        }
    }
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".css") continue;
        const std::string style = contents(entry.path());
        for (const char* start : {"url(", "@import"}) {
            for (size_t at = style.find(start); at != std::string::npos; at = style.find(start, at + 1)) {
                const std::string target = style.substr(at, style.find_first_of(");", at) - at);
                if (target.find("//") != std::string::npos) found.push_back(entry.path().filename().string() + ": " + target);
            }
        }
    }
    return found;
}

std::string text_of(const std::string& html, bool with_code) {
    std::string text;
    size_t at = html.find("<div class=\"contents\">");
    while (at < html.size()) {
        if (html[at] != '<') {
            static const std::map<std::string, std::string> entities{
                {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&#160;", " "}};
            const auto entity = html[at] == '&' ? entities.find(html.substr(at, html.find(';', at) - at + 1)) : entities.end();
            text += entity == entities.end() ? html.substr(at, 1) : entity->second;
            at += entity == entities.end() ? 1 : entity->first.size();
            continue;
        }
        if (html.compare(at, 4, "<!--") == 0) {
            at = html.find("-->", at) + 3;
            continue;
        }
        if (!with_code && html.compare(at, 5, "<code") == 0) at = html.find("</code>", at);
        if (!with_code && html.compare(at, 4, "<pre") == 0) at = html.find("</pre>", at);
        if (!with_code && html.compare(at, 22, "<div class=\"fragment\">") == 0) at = html.find("<!-- fragment -->", at);
        if (html.compare(at, 6, "</div>") == 0) text += '\n';
        at = html.find('>', at);
        if (at != std::string::npos) ++at;
    }
    return text;
}

}  // namespace lanescope::test
