#include "site.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>

namespace lanescope::docs {
namespace {

namespace fs = std::filesystem;

const std::regex heading_syntax(R"(^(#{1,6})\s+(.*?)\s*$)");
const std::regex link_syntax(R"((!?)\[([^\]]*)\]\(([^)\s]+)\))");
const std::regex figure_syntax(R"(\\fig\{([^}]*)\})");
const std::regex picture_syntax(R"(\\picture\{([^}]*)\}\s*)");

std::vector<std::string> lines_of(const fs::path& file) {
    std::vector<std::string> lines;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// Calls visit(line, number) for the lines that are not in a fenced or indented block of code.
template <class Lines, class Visit>
void for_each_text_line(Lines& lines, Visit visit) {
    std::string fence;
    bool blank_before = true;
    for (size_t i = 0; i < lines.size(); ++i) {
        const size_t indent = std::min(lines[i].find_first_not_of(' '), lines[i].size());
        const std::string start = lines[i].substr(indent, 3);
        if (!fence.empty()) {
            if (start == fence) fence.clear();
        } else if (start == "```" || start == "~~~") {
            fence = start;
        } else if (!(blank_before && indent >= 4 && indent < lines[i].size())) {
            visit(lines[i], static_cast<int>(i + 1));
            blank_before = indent == lines[i].size();
        }
    }
}

// A heading or line by itself, or the lines of a paragraph: links and `code` may go on in the next line.
struct Block {
    std::string text;
    int first_line = 0;
    bool is_text = false;   // not code, not blank
};

// The whole file: its lines are those of the blocks.
std::vector<Block> blocks_of(const std::vector<std::string>& lines) {
    std::vector<Block> blocks;
    std::set<int> text_lines;
    for_each_text_line(lines, [&](const std::string& line, int number) {
        if (!line.empty()) text_lines.insert(number);
    });
    bool joins = false;   // the next line continues the block
    for (int number = 1; number <= static_cast<int>(lines.size()); ++number) {
        const std::string& line = lines[number - 1];
        const bool is_text = text_lines.contains(number), stands_alone = !is_text || line == "\\chapters" || std::regex_match(line, heading_syntax) ||
                                  std::regex_match(line, picture_syntax);
        if (joins && !stands_alone) blocks.back().text += "\n" + line;
        else blocks.push_back({line, number, is_text});
        joins = !stands_alone;
    }
    return blocks;
}

// What `replace` makes of the text, with the spans of `code` as they were. It sees a mark instead of each, so that a link
// with code in its text is seen as a whole.
std::string outside_code_spans(const std::string& source, const std::function<std::string(const std::string&)>& replace) {
    constexpr char mark = '\1';
    std::vector<std::string> spans;
    std::string text;
    for (size_t at = 0; at < source.size();) {
        const size_t ticks = std::min(source.find_first_not_of('`', at), source.size()) - at;
        const size_t end = ticks == 0 ? std::string::npos : source.find(std::string(ticks, '`'), at + ticks);
        if (end == std::string::npos) {
            text += source[at++];
            continue;
        }
        spans.push_back(source.substr(at, end + ticks - at));
        text += mark;
        at = end + ticks;
    }
    std::string result;
    size_t next = 0;
    for (const char c : replace(text)) {
        if (c == mark) result += spans.at(next++);
        else result += c;
    }
    return result;
}

// The text with every match replaced.
std::string replace_all(const std::string& text, const std::regex& pattern, const std::function<std::string(const std::smatch&)>& replace) {
    std::string result;
    auto from = text.cbegin();
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
        result.append(from, text.cbegin() + match->position());
        result += replace(*match);
        from = text.cbegin() + match->position() + match->length();
    }
    return result.append(from, text.cend());
}

// "1. Title" would be a list to Doxygen, were it not for a space that does not break.
std::string title_for_doxygen(const std::string& title) {
    static const std::regex numbered(R"(^(\d+)\. )");
    return std::regex_replace(title, numbered, "$1.\u00a0");
}

std::string first_sentence(const std::string& paragraph) {
    static const std::regex end(R"([.:!?](?=\s))");
    std::smatch match;
    return std::regex_search(paragraph, match, end) ? paragraph.substr(0, match.position()) + "." : paragraph;
}

// Title, summary and headings.
void read_outline(const fs::path& root, Page& page, std::vector<Diagnostic>& problems) {
    const std::vector<std::string> lines = lines_of(root / page.file);
    std::string paragraph;
    bool paragraph_done = false;
    for_each_text_line(lines, [&](const std::string& line, int number) {
        std::smatch match;
        if (std::regex_match(line, match, heading_syntax)) {
            if (match[1].length() == 1) {
                if (!page.title.empty()) {
                    problems.push_back({"a page has one heading with a single #", fmt::format("{}:{}", page.file.string(), number), "use ## for its parts"});
                }
                page.title = match[2];
                return;
            }
            const std::string name = github_name(match[2]);
            if (page.id != "index" && !page.headings.emplace(name, page.id + "_" + name).second) {
                problems.push_back({fmt::format("two headings are called '{}'", match[2].str()), fmt::format("{}:{}", page.file.string(), number),
                                    "change one: links could not tell them apart"});
            }
            paragraph_done = paragraph_done || !paragraph.empty();
        } else if (line.empty() || std::regex_match(line, picture_syntax)) {
            paragraph_done = paragraph_done || !paragraph.empty();
        } else if (!paragraph_done) {
            paragraph += (paragraph.empty() ? "" : " ") + line;
        }
    });
    if (page.title.empty()) {
        problems.push_back({"the page has no title", page.file.string() + ":1", "begin it with a line '# Title'"});
        page.title = page.id;
    }
    page.summary = first_sentence(paragraph);
}

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::vector<fs::path> sorted(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

}  // namespace

std::string github_name(const std::string& heading) {
    std::string name;
    for (const char c : heading) {
        if (c == ' ') name += '-';
        else if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_') name += static_cast<char>(std::tolower(c));
    }
    return name;
}

Site find_site(const fs::path& root, std::vector<Diagnostic>& problems) {
    Site site;
    site.root = root;
    const auto add = [&](const fs::path& file, const std::string& id, const std::string& parent) {
        if (!fs::exists(root / file)) return;
        Page page;
        page.file = file, page.id = id, page.parent = parent;
        read_outline(root, page, problems);
        site.pages.push_back(page);
        if (const fs::path figures = (root / file).parent_path() / "figures.txt"; fs::exists(figures)) read_figures(figures, site.figures, problems);
        if (const fs::path pictures = (root / file).parent_path() / "pictures.txt"; fs::exists(pictures)) read_pictures(pictures, site.pictures, problems);
    };
    add("docs/start.md", "index", "");
    for (const fs::path& chapter : sorted(root / "chapters")) {
        const std::string number = chapter.filename().string().substr(0, 2);
        add(chapter.lexically_relative(root) / "page.md", "chapter_" + number, "index");
        for (const fs::path& topic : sorted(root / "exercises")) {
            if (!topic.filename().string().starts_with(number + "_")) continue;
            for (const fs::path& exercise : sorted(topic)) {
                const fs::path at = exercise.lexically_relative(root);
                const std::string id = fmt::format("exercise_{}_{}", number, exercise.filename().string());
                add(at / "README.md", id, "chapter_" + number);
                add(at / "hints.md", id + "_hints", id);
            }
        }
    }
    add("CONTRIBUTING.md", "contributing", "index");
    for (const fs::path& file : sorted(root / "docs")) {
        if (file.extension() == ".md" && file.filename() != "start.md") add(fs::path("docs") / file.filename(), file.stem(), "index");
    }
    return site;
}

std::string Site::for_doxygen(const Page& page, std::vector<Diagnostic>& problems) {
    std::string where;   // the place at hand
    const auto problem = [&](const std::string& what, const std::string& next) { problems.push_back({what, where, next}); };

    const auto value = [&](const std::smatch& match) {
        const auto found = figures.find(match[1]);
        return found == figures.end() ? "?" : found->second.value;
    };
    const auto figure = [&](const std::smatch& match) {
        used_figures.insert(match[1]);
        if (!figures.contains(match[1])) problem(fmt::format("there is no figure {}", match[1].str()), "define it in the figures.txt beside the page");
        return value(match);
    };

    const auto link = [&](const std::smatch& match) -> std::string {
        const std::string text = match[2], target = match[3];
        static const std::regex elsewhere("^([a-z]+:|@ref|\\\\ref)");
        if (std::regex_search(target, elsewhere)) return match.str();
        const size_t hash = target.find('#');
        const std::string anchor = hash == std::string::npos ? "" : target.substr(hash + 1);
        const fs::path file = hash == 0 ? page.file : (page.file.parent_path() / target.substr(0, hash)).lexically_normal();
        if (!fs::is_regular_file(root / file) || *file.begin() == "..") {
            problem(fmt::format("the link to {} leads to no file of the repository", target), "correct the path: it starts at the page's folder");
            return text;
        }
        if (match[1].length() > 0) {
            const auto [image, added] = images.emplace(file.filename(), file);
            if (!added && image->second != file) problem(fmt::format("{} has the name of another image, {}", target, image->second.string()), "rename one");
            return fmt::format("![{}]({})", text, file.filename().string());
        }
        const auto linked = std::find_if(pages.begin(), pages.end(), [&](const Page& other) {
            return other.file == file || (file == "README.md" && other.id == "index");   // the site's README is its start page
        });
        if (linked != pages.end()) {
            if (anchor.empty()) return fmt::format("[{}](@ref {})", text, linked->id);
            const auto heading = linked->headings.find(anchor);
            if (heading != linked->headings.end()) return fmt::format("[{}](@ref {})", text, heading->second);
            problem(fmt::format("{} has no heading '{}'", file.string(), anchor), "name it as GitHub does: small letters, - for spaces, no punctuation");
            return text;
        }
        if (*file.begin() == "common" && (file.extension() == ".h" || file.extension() == ".cuh")) return fmt::format("[{}](@ref {})", text, file.string());
        static const std::regex not_in_ids("[^A-Za-z0-9]+");
        const auto listing = listings.emplace(file, Listing{"listing_" + std::regex_replace(file.string(), not_in_ids, "_"), page.id}).first;
        return fmt::format("[{}](@ref {})", text, listing->second.id);
    };

    const auto table_of_chapters = [&] {
        std::string table = "<table><tr><th>Chapter</th><th>What it shows</th><th>Exercises</th></tr>";
        for (const Page& chapter : pages) {
            if (!chapter.id.starts_with("chapter_")) continue;
            const std::string summary = outside_code_spans(chapter.summary, [&](const std::string& text) {
                return std::regex_replace(replace_all(text, figure_syntax, value), link_syntax, "$2");
            });
            std::string exercises;
            for (const Page& exercise : pages) {
                if (exercise.parent == chapter.id && exercise.id.starts_with("exercise_")) {
                    exercises += fmt::format("{}\\ref {}", exercises.empty() ? "" : ", ", exercise.id);
                }
            }
            table += fmt::format("<tr><td>\\subpage {}</td><td>{}</td><td>{}</td></tr>", chapter.id, summary, exercises);
        }
        return table + "</table>";
    };

    const auto finished = [&](const Block& block) {
        if (!block.is_text) return block.text;
        if (block.text == "\\chapters") return table_of_chapters();
        if (std::smatch picture; std::regex_match(block.text, picture, picture_syntax)) {
            where = fmt::format("{}:{}", page.file.string(), block.first_line);
            used_pictures.insert(picture[1]);
            if (!pictures.contains(picture[1])) problem(fmt::format("there is no picture {}", picture[1].str()), "define it in the pictures.txt beside the page");
            return fmt::format("\\htmlinclude[block] pictures/{}.svg", picture[1].str());
        }
        std::string text = block.text, id;
        if (std::smatch heading; std::regex_match(block.text, heading, heading_syntax)) {
            const bool is_title = heading[1].length() == 1;
            if (page.id == "index" && !is_title) {   // would stand among the chapters in the navigation
                text = fmt::format("<h2>{}</h2>", heading[2].str());
            } else {
                id = !is_title ? page.headings.at(github_name(heading[2])) : page.id == "index" ? "mainpage" : page.id;
                text = heading[1].str() + " " + title_for_doxygen(heading[2]);
            }
        }
        text = outside_code_spans(text, [&](std::string outside) {
            const auto replace_in_text = [&](const std::regex& syntax, const std::function<std::string(const std::smatch&)>& replace) {
                outside = replace_all(outside, syntax, [&](const std::smatch& match) {
                    const auto lines_before = std::count(outside.begin(), outside.begin() + match.position(), '\n');
                    where = fmt::format("{}:{}", page.file.string(), block.first_line + lines_before);
                    return replace(match);
                });
            };
            replace_in_text(figure_syntax, figure);
            replace_in_text(link_syntax, link);
            return outside;
        });
        return id.empty() ? text : text + " {#" + id + "}";
    };

    std::string result;
    for (const Block& block : blocks_of(lines_of(root / page.file))) {
        const bool is_place_for_contents = block.first_line == 2 && block.text.empty() && page.headings.size() > 2;
        result += (is_place_for_contents ? "[TOC]" : finished(block)) + "\n";
    }
    return result;
}

std::vector<SearchTerm> Site::search_terms(const Page& page) const {
    static const std::regex word("[A-Za-z0-9_]+"), name_in_code("`([A-Za-z_][A-Za-z0-9_]{3,})");
    static const std::set<std::string> too_common{"a", "an", "and", "for", "from", "in", "is", "it", "not", "of", "on", "or", "the", "to", "what"};
    const auto plain = [](std::string text) {
        text = std::regex_replace(text, link_syntax, "$2");
        std::erase_if(text, [](char c) { return c == '`' || c == '*'; });
        return text;
    };
    const std::string title = plain(page.title);
    std::string url = page.id + ".html", where = title;   // of the section at hand
    std::set<std::string> names;                          // found in it
    std::vector<SearchTerm> terms;
    const auto add_heading = [&](const std::string& heading, const std::string& of) {
        for (std::sregex_iterator match(heading.begin(), heading.end(), word), end; match != end; ++match) {
            if (!too_common.contains(lower(match->str()))) terms.push_back({heading.substr(match->position()), heading, of, url});
        }
    };
    const std::vector<std::string> lines = lines_of(root / page.file);
    for_each_text_line(lines, [&](const std::string& line, int) {
        std::smatch heading;
        const bool is_heading = std::regex_match(line, heading, heading_syntax);
        if (is_heading && heading[1].length() == 1) {
            add_heading(title, "");
        } else if (is_heading && page.id != "index") {   // the start page has no anchors
            url = page.id + ".html#" + page.headings.at(github_name(heading[2]));
            where = plain(heading[2]) + ", " + title;
            names.clear();
            add_heading(plain(heading[2]), title);
        }
        for (std::sregex_iterator match(line.begin(), line.end(), name_in_code), end; match != end; ++match) {
            const std::string name = (*match)[1];
            if (names.insert(name).second) terms.push_back({name, name, where, url});
        }
    });
    return terms;
}

std::string Site::below(const std::string& id) const {
    std::string exercises, others;
    for (const Page& page : pages) {
        if (page.parent != id || (id == "index" && page.id.starts_with("chapter_"))) continue;
        std::string& list = page.id.starts_with("exercise_") && !page.id.ends_with("_hints") ? exercises : others;
        list += fmt::format("- \\subpage {}\n", page.id);
    }
    for (const auto& [file, listing] : listings) {
        if (listing.parent == id) others += fmt::format("- \\subpage {}\n", listing.id);
    }
    if (!exercises.empty()) exercises = "\nExercises:\n\n" + exercises;
    if (!others.empty()) others = "\nSee also:\n\n" + others;
    return exercises + others;
}

}  // namespace lanescope::docs
