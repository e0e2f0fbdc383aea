// Runs the scripts that draw a chapter's plots, and reads what they drew.
//
//   const Drawn drawn = draw(script, {"run.csv", "recorded.csv"});
//   EXPECT_THAT(curves_in(drawn.svg), HasSubstr("NVIDIA H200, add, measured: 4096:0.006"));
//
// A script writes the numbers behind an SVG's curves into its description: size in bytes, colon, value. Header-only and C++17.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace lanescope::test {

inline bool can_draw() {
    static const bool can = run_program({"/usr/bin/python3", "-c", "import matplotlib"}).exit_status == 0;   // its start takes long
    return can;
}

inline std::string text_of_file(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// The numbers behind the curves of an SVG; empty if it has none.
inline std::string curves_in(const std::string& svg) {
    const std::string open = "<dc:description>", close = "</dc:description>";
    const auto first = svg.find(open), last = svg.find(close);
    if (first == std::string::npos || last == std::string::npos) return "";
    return svg.substr(first + open.size(), last - first - open.size());
}

// What is written in an SVG: matplotlib writes it as a comment beside its outlines.
inline std::vector<std::string> texts_in(const std::string& svg) {
    std::vector<std::string> texts;
    for (std::size_t at = 0; (at = svg.find("<!-- ", at)) != std::string::npos;) {
        at += 5;
        texts.push_back(svg.substr(at, svg.find(" -->", at) - at));
    }
    return texts;
}

struct Drawn {
    Finished run;
    std::string svg;   // empty: nothing was drawn
};

inline Drawn draw(const std::string& script, std::vector<std::string> arguments) {
    const TemporaryFolder folder("draw");
    const std::string picture = folder.path() / "picture.svg";
    arguments.insert(arguments.begin(), {script, picture});
    Drawn drawn{run_program(arguments), ""};
    if (std::filesystem::exists(picture)) drawn.svg = text_of_file(picture);
    return drawn;
}

}  // namespace lanescope::test
