#include "figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <regex>
#include <set>

namespace lanescope::docs {
namespace {

std::string trimmed(const std::string& text) {
    const size_t first = text.find_first_not_of(" \t\r");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// What the group matched anywhere in the file.
std::set<std::string> matches(std::ifstream& file, const std::regex& pattern) {
    std::set<std::string> found;
    for (std::string line; std::getline(file, line);) {
        for (std::sregex_iterator match(line.begin(), line.end(), pattern), end; match != end; ++match) {
            found.insert((*match)[1].str());
        }
    }
    return found;
}

// The value that a figure's file and pattern give, or what is wrong with them.
Result<std::string> read_value(const std::filesystem::path& folder, const std::string& file, const std::string& pattern) {
    std::ifstream recorded(folder / file);
    if (!recorded) return Diagnostic{fmt::format("the file {} cannot be read", file), "", "record it, or correct its name"};
    std::set<std::string> values;
    try {
        const std::regex regex(pattern);
        if (regex.mark_count() != 1) {
            return Diagnostic{fmt::format("{} has {} groups instead of one", pattern, regex.mark_count()), "",
                              "put ( ) around the number alone; (?: ) groups without being one"};
        }
        values = matches(recorded, regex);
    } catch (const std::regex_error& error) {
        return Diagnostic{fmt::format("{} is no regular expression: {}", pattern, error.what()), "", "correct it"};
    }
    if (values.empty()) {
        return Diagnostic{fmt::format("{} matches nothing in {}", pattern, file), "",
                          "compare it with the lines of the file"};
    }
    if (values.size() > 1) {
        return Diagnostic{fmt::format("{} matches different values in {}: {}", pattern, file, fmt::join(values, ", ")), "",
                          "let it match more of the line, so that one remains"};
    }
    return *values.begin();
}

}  // namespace

void read_figures(const std::filesystem::path& figures_txt, Figures& figures, std::vector<Diagnostic>& problems) {
    static const std::regex name_syntax("[a-z][a-z0-9_]*");
    std::ifstream file(figures_txt);
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        line = trimmed(line);
        if (line.empty() || line.front() == '#') continue;
        const std::string where = fmt::format("{}:{}", figures_txt.string(), number);
        const size_t first = line.find('|'), second = line.find('|', first + 1);   // the expression may hold more of them
        if (first == std::string::npos || second == std::string::npos) {
            problems.push_back({"a figure is written NAME | FILE | REGULAR EXPRESSION", where, "write all three"});
            continue;
        }
        const std::string name = trimmed(line.substr(0, first));
        if (!std::regex_match(name, name_syntax)) {
            problems.push_back({fmt::format("'{}' cannot be a figure's name", name), where, "use a-z, 0-9 and _"});
            continue;
        }
        if (const auto taken = figures.find(name); taken != figures.end()) {
            problems.push_back({fmt::format("figure {}: the name is taken by {}:{}", name, taken->second.defined_in.string(), taken->second.line),
                                where, "take another name: they are unique over all pages"});
            continue;
        }
        Result<std::string> value = read_value(figures_txt.parent_path(), trimmed(line.substr(first + 1, second - first - 1)),
                                               trimmed(line.substr(second + 1)));
        if (!value) problems.push_back({fmt::format("figure {}: {}", name, value.error().what), where, value.error().next});
        figures[name] = {value ? *value : "?", figures_txt, number};   // also a wrong one: its uses are no further errors
    }
}

}  // namespace lanescope::docs
