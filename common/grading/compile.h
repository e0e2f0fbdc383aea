/// \file
/// Building what a learner wrote.
///
///     Result<std::filesystem::path> program = build_variant(exercise, "starter", places);
///     if (!program) print(program.error().text());      // the compiler's first error and no other
///
/// Host side only.
#pragma once

#include <filesystem>
#include <string>

#include "grading/exercise.h"
#include "support/result.h"

namespace lanescope::grading {

/// Folders of the repository and of its build.
struct Places {
    std::filesystem::path source, build;
};

/// Builds the target exercise.NAME.VARIANT, one at a time on this machine, and returns its program.
/// Errors: the source is gone, or does not compile or link.
Result<std::filesystem::path> build_variant(const Exercise& exercise, const std::string& variant, const Places& places);

/// The first error in what nvcc, the host compiler or the linker printed, with the lines that belong to it.
/// Paths below `source` are printed relative to it.
std::string first_error(const std::string& output, const std::filesystem::path& source);

}  // namespace lanescope::grading
