/// \file
/// Figures on pages: numbers that are read from recorded outputs, never typed.
///
/// Beside a page may lie a file `figures.txt` with one figure a line (`#` starts a comment line):
///
///     lost_updates | recorded/global_symbol.txt | This run gave ([0-9.]+)
///     NAME         | FILE beside the page       | REGULAR EXPRESSION with one group
///
/// The page writes `\fig{lost_updates}`; the site shows what the group matched. The expression (ECMAScript's
/// syntax) is searched for in every line of the file, and all matches must agree.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "support/result.h"

namespace lanescope::docs {

struct Figure {
    std::string value;
    std::filesystem::path defined_in;   ///< its figures.txt
    int line = 0;                       ///< in that file
};

using Figures = std::map<std::string, Figure>;   ///< by name

/// Adds the figures of one file. A wrong line is a Diagnostic in `problems` that names file, line and figure:
/// a name that was taken before, a recorded file that is missing, an expression that matches nothing or several values.
void read_figures(const std::filesystem::path& figures_txt, Figures& figures, std::vector<Diagnostic>& problems);

}  // namespace lanescope::docs
