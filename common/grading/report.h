/// \file
/// Grades as a learner reads them, and as JUnit XML for other tools.
///
/// Host side only.
#pragma once

#include <string>
#include <vector>

#include "grading/grade.h"

namespace lanescope::grading {

/// One exercise: points of each test, the message of each failure with its lesson, the sum. In three parts, so that a
/// learner sees each test as soon as it is graded: head_of, text_of each test, sum_of.
std::string text_of(const Grade& grade);
std::string head_of(const Grade& grade);   ///< with the compiler's warnings or error
std::string text_of(const Exercise& exercise, const TestGrade& test);
std::string sum_of(const Grade& grade);

/// "Total: 9 of 24 points", for several exercises.
std::string total_of(const std::vector<Grade>& grades);

/// JUnit XML: a test suite for each exercise, a test case for each graded test, points as properties. A
/// compile error is one failed test case named "compiles"; the others are skipped.
std::string junit_of(const std::vector<Grade>& grades);

}  // namespace lanescope::grading
