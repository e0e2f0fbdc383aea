/// \file
/// Grading one program: every graded test in a process of its own, whatever the program does.
///
///     Grade grade = grade_program(exercise, program, {.drop_in = folder});
///     print(grade.earned(), grade.possible());
///
/// On the simulated GPU each test runs under several schedules and the first that fails counts. A test that
/// crashes, ends early, does not end or floods its output fails with those words. Host side only.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grading/exercise.h"

namespace lanescope::grading {

enum class Verdict { passed, failed, not_graded };   ///< not_graded: only the simulated GPU can tell

struct TestGrade {
    GradedTest test;
    Verdict verdict = Verdict::failed;
    std::string message;   ///< lines: what was expected, what came, for which input; why not graded
    double seconds = 0;
    bool timed_out = false;
    int earned() const { return verdict == Verdict::passed ? test.points : 0; }
    int possible() const { return verdict == Verdict::not_graded ? 0 : test.points; }
};

struct Grade {
    Exercise exercise;
    std::string source;          ///< what was graded, relative to the repository
    std::string compile_error;   ///< not empty: nothing could be run
    std::string warnings;        ///< of the compiler, about the graded file
    std::vector<TestGrade> tests;
    int earned() const;
    int possible() const;        ///< without tests that were not graded
    bool full() const { return compile_error.empty() && earned() == possible(); }
};

struct Environment {
    std::filesystem::path library;   ///< folder of the libcudart to run on
    bool simulated = true;
    std::filesystem::path source = {};   ///< messages name files relative to this folder
    int processor_seconds = 10;      ///< for each test; a correct solution takes milliseconds
    std::vector<std::string> schedules = {"0", "1", "2"};   ///< orders of the warps in which a wrong program has a chance to show it
};

/// Runs all tests, in order; `show` is told each result as it comes. After a test that did not end the others are not run.
/// Where `enough` says so of a result, the rest is left out: such a grade is only good for asking what its tests say.
Grade grade_program(const Exercise& exercise, const std::filesystem::path& program, const Environment& environment,
                    const std::function<void(const TestGrade&)>& show = {}, const std::function<bool(const TestGrade&)>& enough = {});

/// The grade of what does not compile: no points.
Grade grade_without_program(const Exercise& exercise, const std::string& compile_error);

}  // namespace lanescope::grading
