/// \file
/// Pictures on pages of what a program's kernels did to memory: drawn when the site is built, by `lanescope profile --picture`.
///
/// Beside a page may lie a file `pictures.txt` with one picture a line (`#` starts a comment line):
///
///     offset_1 | read_offset --offset 1
///     NAME     | [OPTIONS OF lanescope profile] PROGRAM OF THE CHAPTER [ARGUMENTS]
///
/// The page writes `\picture{offset_1}` on a line by itself.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "support/result.h"

namespace lanescope::docs {

struct Picture {
    std::vector<std::string> words;     ///< options, program and arguments
    std::filesystem::path defined_in;   ///< its pictures.txt
    int line = 0;                       ///< in that file
};

using Pictures = std::map<std::string, Picture>;   ///< by name

/// Adds the pictures of one file. A wrong line is a Diagnostic in `problems`.
void read_pictures(const std::filesystem::path& pictures_txt, Pictures& pictures, std::vector<Diagnostic>& problems);

/// Draws FOLDER/NAME.svg for each. `build` is the build folder, with bin/lanescope and the chapters' programs. A picture that cannot be
/// drawn is a Diagnostic in `problems`, with what the program said.
void draw_pictures(const Pictures& pictures, const std::filesystem::path& build, const std::filesystem::path& folder, std::vector<Diagnostic>& problems);

}  // namespace lanescope::docs
