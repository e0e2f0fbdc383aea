/// \file
/// The exercises of the repository, as their folders describe them.
///
///     Result<std::vector<Exercise>> all = find_exercises(repository / "exercises");
///
/// Host side only.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/result.h"

namespace lanescope::grading {

/// One GRADED_TEST of an exercise's tests.cu.
struct GradedTest {
    std::string name;
    int points = 0;
    std::string lesson;   ///< a heading in the chapter's page.md
};

struct Exercise {
    std::string name;                 ///< "lost_updates": its folder's, and unique
    std::string topic;                ///< "01_global_symbols": the chapter's folder too
    std::filesystem::path folder;
    std::vector<GradedTest> tests;    ///< in the order of tests.cu
    int points() const;               ///< of all tests
};

/// What is graded in place of the learner's starter: "starter", "solution", or "wrong.NAME" for wrong/NAME.cu.
/// A variant is also the end of its CMake target, exercise.NAME.VARIANT.
std::filesystem::path source_of(const Exercise& exercise, const std::string& variant);
std::vector<std::string> wrong_variants(const Exercise& exercise);   ///< in alphabetical order

/// All exercises below `folder`, by topic and name. Errors: a file that cannot be read, an exercise without a graded test.
Result<std::vector<Exercise>> find_exercises(const std::filesystem::path& folder);

/// Those with the given names; all without names. A name may be a topic's, which means all of its exercises, or a path to the exercise's folder or to a file in it,
/// as a shell completes it. Errors: no such exercise (names the nearest).
Result<std::vector<Exercise>> select(const std::vector<Exercise>& all, const std::vector<std::string>& names);

/// The graded tests in the text of a tests.cu.
std::vector<GradedTest> parse_graded_tests(const std::string& text);

/// The contents of a text file; empty if it cannot be read.
std::string read_text(const std::filesystem::path& path);

}  // namespace lanescope::grading
