#include "finish.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <utility>

namespace lanescope::docs {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Entries of one kind, key and the rest of the line, by the first character of what is typed. The position of a character
// in `characters` is the number in the name of its file.
struct List {
    std::string name;                      // "all"
    std::vector<std::string> characters;   // UTF-8
    std::map<std::string, std::multimap<std::string, std::string>> entries;
};

std::vector<std::string> characters_of(const std::string& utf_8) {
    std::vector<std::string> characters;
    for (const char c : utf_8) {
        if ((c & 0xC0) == 0x80 && !characters.empty()) characters.back() += c;
        else characters.emplace_back(1, c);
    }
    return characters;
}

// As search.js encodes what was typed: "a b" is a_20b.
std::string key_of(const std::string& text) {
    std::string key;
    for (const unsigned char c : text) {
        if (c >= 0x80) continue;
        if (std::isalnum(c)) key += static_cast<char>(std::tolower(c));
        else key += fmt::format("_{:02x}", c);
    }
    return key;
}

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            case '\'': result += "&#39;"; break;
            case '\\': result += "\\\\"; break;
            default: result += c;
        }
    }
    return result;
}

bool read_list(const fs::path& folder, List& list) {
    static const std::regex entry(R"(^  \['(.*?)_\d+',(\[.*\])\],?$)");
    for (size_t i = 0; i < list.characters.size(); ++i) {
        std::ifstream file(folder / fmt::format("{}_{:x}.js", list.name, i));
        bool found = false;
        for (std::string line; std::getline(file, line);) {
            std::smatch match;
            if (!std::regex_match(line, match, entry)) continue;
            list.entries[list.characters[i]].emplace(match[1], match[2]);
            found = true;
        }
        if (!found) return false;
    }
    return true;
}

void write_list(const fs::path& folder, const List& list) {
    for (size_t i = 0; i < list.characters.size(); ++i) {
        const fs::path file = folder / fmt::format("{}_{:x}.js", list.name, i);
        std::string text = "var searchData=\n[\n";
        int number = 0;   // makes keys unique
        for (const auto& [key, rest] : list.entries.at(list.characters[i])) text += fmt::format("{}  ['{}_{}',{}]", number > 0 ? ",\n" : "", key, number, rest), ++number;
        std::ofstream(file) << text << "\n];\n";
        // Doxygen 1.9.4 shows each file of entries through a page of its own.
        const std::string first_page = contents(folder / (list.name + "_0.html")), first_script = list.name + "_0.js";
        if (const size_t at = first_page.find(first_script); at != std::string::npos) {
            std::ofstream(fs::path(file).replace_extension(".html")) << std::string(first_page).replace(at, first_script.size(), file.filename());
        }
    }
}

}  // namespace

Result<void> add_to_search(const fs::path& html, const std::vector<SearchTerm>& terms) {
    const fs::path folder = html / "search";
    const Diagnostic unknown{"the search data is not in the form of Doxygen 1.9", (folder / "searchdata.js").string(),
                             "see docs/input/finish.h and what this version of Doxygen writes"};
    std::string index = contents(folder / "searchdata.js");
    for (const char* name : {"all", "pages"}) {
        // Two tables of the index: from a number to the characters of a list, and from the same number to its name.
        std::smatch number, characters;
        if (!std::regex_search(index, number, std::regex(fmt::format(R"(\n  (\d+): "{}")", name)))) return unknown;
        const std::regex row(fmt::format(R"(\n  {}: "([^"]*)\")", number[1].str()));
        if (!std::regex_search(index, characters, row)) return unknown;
        List list{name, characters_of(characters[1]), {}};
        if (!read_list(folder, list)) return unknown;
        for (const SearchTerm& term : terms) {
            const std::string key = key_of(term.text);
            if (key.empty()) continue;
            const std::string first(1, static_cast<char>(std::tolower(term.text[0])));
            if (std::find(list.characters.begin(), list.characters.end(), first) == list.characters.end()) list.characters.push_back(first);
            list.entries[first].emplace(key, fmt::format("['{}',['../{}',1,'{}']]", escaped(term.shown), term.url, escaped(term.where)));
        }
        index.replace(characters.position(1), characters.length(1), fmt::format("{}", fmt::join(list.characters, "")));
        write_list(folder, list);
    }
    std::ofstream(folder / "searchdata.js") << index;
    return {};
}

namespace {

std::string script_of(const std::vector<MenuEntry>& entries) {
    std::string script;
    for (const MenuEntry& entry : entries) {
        script += fmt::format("{}{{text:\"{}\",url:\"{}\"", script.empty() ? "" : ",\n", escaped(entry.text), entry.url);
        if (!entry.below.empty()) script += ",children:[\n" + script_of(entry.below) + "]";
        script += "}";
    }
    return script;
}

}  // namespace

Result<void> add_to_menu(const fs::path& html, const std::vector<MenuEntry>& entries) {
    static const std::regex start(R"re(\{text:"[^"]*",url:"index\.html"\})re"), own_list(R"re(,\s*\{text:"[^"]*",url:"pages\.html"\})re");
    std::string menu = std::regex_replace(contents(html / "menudata.js"), own_list, "");
    std::smatch match;
    if (!std::regex_search(menu, match, start)) {
        return Diagnostic{"the menu is not in the form of Doxygen 1.9", (html / "menudata.js").string(), "see docs/input/finish.h and what this version writes"};
    }
    if (!entries.empty()) menu.insert(match.position() + match.length(), ",\n" + script_of(entries));
    std::ofstream(html / "menudata.js") << menu;
    return {};
}

}  // namespace lanescope::docs
