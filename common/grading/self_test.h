/// \file
/// Does an exercise keep its promises? What CONTRIBUTING.md asks of an author, checked.
///
/// Host side only.
#pragma once

#include <string>
#include <vector>

#include "grading/compile.h"
#include "grading/grade.h"

namespace lanescope::grading {

/// What is wrong with the exercise, one entry for each finding; empty: nothing. Checks that
/// - README.md, hints.md, starter.cu, solution.cu, tests.cu and at least three wrong variants are there, and nothing else;
/// - README.md has its sections and names every graded test with its points; every lesson is a heading of the chapter's page;
/// - the solution gets all points; the starter compiles, fails, and says what README.md shows;
/// - each wrong variant compiles, fails, and says what its first line, "// expect: ...", names.
/// A starter that somebody worked on (it differs from starters.sha256) is left out, and `note` says so.
std::vector<std::string> self_test(const Exercise& exercise, const Places& places, const Environment& environment, std::string& note);

}  // namespace lanescope::grading
