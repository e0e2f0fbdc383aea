#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "cli/build_info.h"
#include "cli/commands.h"
#include "grading/compile.h"
#include "grading/report.h"
#include "grading/self_test.h"
#include "support/process.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using namespace lanescope::grading;

int fail(int exit_status, const Diagnostic& diagnostic) {
    fmt::print(stderr, "lanescope: {}\n", diagnostic.text());
    return exit_status;
}

// The build folder is the one that this command is in: BUILD/bin/lanescope.
Places places() { return {build_info::source_folder, drop_in_folder().parent_path().parent_path()}; }

// Prints each result as soon as it is known.
Grade grade_in_view(const Exercise& exercise, const std::string& variant, const Environment& environment) {
    const Result<Built> built = build_variant(exercise, variant, places());
    Grade grade = built ? Grade{.exercise = exercise, .source = {}, .compile_error = {}, .warnings = built->warnings, .tests = {}}
                        : grade_without_program(exercise, built.error().text());
    grade.source = source_of(exercise, variant).lexically_relative(places().source).string();
    fmt::print("{}", head_of(grade));
    if (built) {
        grade.tests = grade_program(exercise, built->program, environment, [&](const TestGrade& test) {
                          fmt::print("{}", text_of(exercise, test));
                          std::fflush(stdout);
                      }).tests;
    }
    fmt::print("{}", sum_of(grade));
    std::fflush(stdout);
    return grade;
}

int run_self_tests(const std::vector<Exercise>& exercises, const Environment& environment) {
    int status = 0;
    for (const Exercise& exercise : exercises) {
        std::string note;
        const std::vector<std::string> findings = self_test(exercise, places(), environment, note);
        for (const std::string& finding : findings) fmt::print("{}\n", finding);
        if (!note.empty()) fmt::print("note: {}\n", note);
        if (!findings.empty()) status = 1;
        fmt::print("{}: {}\n", exercise.name, findings.empty() ? "ready" : fmt::format("{} finding(s)", findings.size()));
    }
    return status;
}

}  // namespace

int grade(const GradeOptions& options) {
    const Result<std::vector<Exercise>> all = find_exercises(places().source / "exercises");
    if (!all) return fail(1, all.error());
    const Result<std::vector<Exercise>> selected = select(*all, options.names);
    if (!selected) return fail(exit_usage, selected.error());

    if (options.on_gpu && options.self_test) {
        return fail(exit_usage, {"the self-test needs counters, which only the simulated GPU gives", "--self-test --gpu", "leave out --gpu"});
    }
    Environment environment{.library = drop_in_folder(), .simulated = !options.on_gpu, .source = places().source};
    if (options.on_gpu) {
        if (run_and_capture({"nvidia-smi", "-L"}).exit_status != 0) {
            return fail(exit_skipped, {"this machine has no NVIDIA GPU with a driver (nvidia-smi -L fails)", "",
                                       "leave out --gpu: the simulated GPU grades the same"});
        }
        environment.library = build_info::toolkit_library_folder;
    } else if (const Result<void> there = drop_in_is_there(); !there) {
        return fail(exit_refused, there.error());
    }
    if (options.self_test) return run_self_tests(*selected, environment);

    std::ofstream junit;
    if (!options.junit.empty()) {
        junit.open(options.junit);
        if (!junit) return fail(1, {std::string("cannot be written: ") + std::strerror(errno), options.junit, "name a file in a folder that exists"});
    }
    std::vector<Grade> grades;
    bool full = true;
    for (const Exercise& exercise : *selected) {
        if (!grades.empty()) fmt::print("\n");
        grades.push_back(grade_in_view(exercise, options.solution ? "solution" : "starter", environment));
        full = full && grades.back().full();
    }
    if (grades.size() > 1) fmt::print("\n{}", total_of(grades));
    if (junit.is_open() && !(junit << junit_of(grades)).flush()) {
        return fail(1, {std::string("cannot be written: ") + std::strerror(errno), options.junit, "see that the disk is not full"});
    }
    return full ? 0 : 1;
}

}  // namespace lanescope::cli
