#include "pictures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "support/process.h"

namespace lanescope::docs {
namespace {

namespace fs = std::filesystem;

std::string place_of(const Picture& picture) { return fmt::format("{}:{}", picture.defined_in.string(), picture.line); }

}  // namespace

void read_pictures(const fs::path& pictures_txt, Pictures& pictures, std::vector<Diagnostic>& problems) {
    static const std::regex syntax(R"(\s*([^|]*[^|\s])\s*\|\s*(\S.*))"), name_syntax("[a-z][a-z0-9_]*"), nothing(R"(\s*(#.*)?)");
    std::ifstream file(pictures_txt);
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (std::regex_match(line, nothing)) continue;
        Picture picture{{}, pictures_txt, number};
        std::smatch match;
        if (!std::regex_match(line, match, syntax)) {
            problems.push_back({"a picture is written NAME | [OPTIONS] PROGRAM [ARGUMENTS]", place_of(picture), "write both"});
            continue;
        }
        const std::string name = match[1];
        if (!std::regex_match(name, name_syntax)) {
            problems.push_back({fmt::format("'{}' cannot be a picture's name", name), place_of(picture), "use a-z, 0-9 and _"});
            continue;
        }
        if (const auto taken = pictures.find(name); taken != pictures.end()) {
            problems.push_back({fmt::format("picture {}: the name is taken by {}", name, place_of(taken->second)), place_of(picture),
                                "take another name: they are unique over all pages"});
            continue;
        }
        std::istringstream words(match[2]);
        for (std::string word; words >> word;) picture.words.push_back(word);
        pictures[name] = picture;
    }
}

void draw_pictures(const Pictures& pictures, const fs::path& build, const fs::path& folder, std::vector<Diagnostic>& problems) {
    fs::create_directories(folder);
    for (const auto& [name, picture] : pictures) {
        const fs::path svg = folder / (name + ".svg");
        // The program is the first word that is the name of one.
        const fs::path programs = build / "chapters" / picture.defined_in.parent_path().filename();
        std::vector<std::string> command{build / "bin/lanescope", "profile", "--picture", "--log-file", svg};
        bool has_program = false;
        for (const std::string& word : picture.words) {
            const bool is_program = !has_program && fs::is_regular_file(programs / word);
            has_program = has_program || is_program;
            command.push_back(is_program ? (programs / word).string() : word);
        }
        if (!has_program) {
            problems.push_back({fmt::format("picture {}: no program of the chapter is named", name), place_of(picture),
                                fmt::format("name one of those in {}; ./lab build builds them", programs.string())});
            continue;
        }
        const Captured run = run_and_capture(command);
        if (run.exit_status == 0 && fs::is_regular_file(svg)) continue;
        problems.push_back({fmt::format("picture {} was not drawn: {}", name, run.output.substr(0, run.output.find_last_not_of('\n') + 1)), place_of(picture),
                            fmt::format("./lab profile --picture {}", fmt::join(picture.words, " "))});
    }
}

}  // namespace lanescope::docs
