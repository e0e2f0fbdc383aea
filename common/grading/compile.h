/// \file
/// Building what a learner wrote.
///
///     Result<Built> built = build_variant(exercise, "starter", places);
///     if (!built) print(built.error().text());      // the compiler's first error and no other
///
/// Host side only.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grading/exercise.h"
#include "support/result.h"

namespace lanescope::grading {

/// Folders of the repository and of its build.
struct Places {
    std::filesystem::path source, build;
};

struct Built {
    std::filesystem::path program;
    std::string warnings;   ///< of the compiler, about the variant's source; also when it was compiled before
};

/// Builds the target exercise.NAME.VARIANT, one at a time on this machine; not where it is known to be up to date.
/// Errors: the source is gone, or does not compile or link.
Result<Built> build_variant(const Exercise& exercise, const std::string& variant, const Places& places, bool up_to_date = false);

/// True: there was nothing to build for these variants. To ask once costs less than to build each.
bool are_up_to_date(const Exercise& exercise, const std::vector<std::string>& variants, const Places& places);

/// The warnings about a file (relative to `source`) in what nvcc printed, with the lines that belong to them.
std::string warnings_about(const std::string& file, const std::string& output, const std::filesystem::path& source);

/// The first error in what nvcc, the host compiler or the linker printed, with the lines that belong to it.
/// Paths below `source` are printed relative to it.
std::string first_error(const std::string& output, const std::filesystem::path& source);

}  // namespace lanescope::grading
