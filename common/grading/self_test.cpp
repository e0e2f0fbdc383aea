#include "grading/self_test.h"

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "grading/report.h"
#include "support/process.h"

namespace lanescope::grading {
namespace {

namespace fs = std::filesystem;

class SelfTest {
public:
    SelfTest(const Exercise& exercise, const Places& places, const Environment& environment)
        : exercise_(exercise), places_(places), environment_(environment) {}

    std::vector<std::string> run(std::string& note) {
        check_files();
        check_readme();
        check_hints();
        check_lessons();
        const std::vector<std::string> wrong = wrong_variants(exercise_);
        std::vector<std::string> variants = wrong;
        variants.push_back("solution");
        up_to_date_ = are_up_to_date(exercise_, variants, places_);
        check_solution();
        for (const std::string& variant : wrong) check_wrong(variant);
        if (starter_is_as_shipped(note)) check_starter();
        return findings_;
    }

private:
    fs::path path(const std::string& file) const { return exercise_.folder / file; }

    void find(const std::string& file, const std::string& what) {
        findings_.push_back(fmt::format("{}: {}", (path(file).lexically_relative(places_.source)).string(), what));
    }

    void check_files() {
        constexpr std::array needed{"CMakeLists.txt", "README.md", "hints.md", "starter.cu", "solution.cu", "tests.cu"};
        for (const char* file : needed) {
            if (read_text(path(file)).empty()) find(file, "is missing or empty");
        }
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(exercise_.folder)) {
            const std::string name = entry.path().lexically_relative(exercise_.folder).string();
            const std::string extension = entry.path().extension().string();
            const bool expected = std::ranges::find(needed, name) != needed.end() || name == "wrong" ||
                                  (entry.path().parent_path() == exercise_.folder && (extension == ".h" || extension == ".svg")) ||
                                  (entry.path().parent_path() == exercise_.folder / "wrong" && extension == ".cu");
            if (!expected) find(name, "is a stray file; an exercise has none but those that CONTRIBUTING.md names");
        }
        if (const size_t count = wrong_variants(exercise_).size(); count < 3) {
            find("wrong", fmt::format("has {} variants; at least 3 show that the tests can fail", count));
        }
    }

    void check_readme() {
        const std::string readme = read_text(path("README.md"));
        for (const char* heading : {"# ", "## Question", "## Background", "## What is graded", "## What you see first"}) {
            if (!std::regex_search(readme, std::regex(fmt::format("(^|\n){}", heading)))) find("README.md", fmt::format("has no heading \"{}\"", heading));
        }
        for (const GradedTest& test : exercise_.tests) {
            if (!std::regex_search(readme, std::regex(fmt::format(R"(\n\| *`?{}`? *\| *{} *\|)", test.name, test.points)))) {
                find("README.md", fmt::format("has no table row \"| {} | {} | ...\" for this graded test and its points", test.name, test.points));
            }
        }
    }

    void check_hints() {
        const std::string hints = read_text(path("hints.md"));
        for (int hint = 1; hint <= 3; ++hint) {
            const std::regex pattern(fmt::format(R"(\n## Hint {}\n\s*[^#\s])", hint));
            if (!std::regex_search(hints, pattern)) find("hints.md", fmt::format("has no text below a heading \"## Hint {}\"", hint));
        }
    }

    void check_lessons() {
        const fs::path page = places_.source / "chapters" / exercise_.topic / "page.md";
        const std::string text = "\n" + read_text(page);
        for (const GradedTest& test : exercise_.tests) {
            bool found = false;
            std::istringstream stream(text);
            for (std::string line; std::getline(stream, line);) {
                std::smatch heading;
                if (std::regex_match(line, heading, std::regex(R"(#+ (.*?)( *\{#.*\})? *)"))) found |= heading[1] == test.lesson;
            }
            if (!found) find("tests.cu", fmt::format("{}: its lesson \"{}\" is no heading of chapters/{}/page.md", test.name, test.lesson, exercise_.topic));
        }
    }

    // The grade of a variant; one without tests if it does not compile, which is a finding. With `message` grading ends at the
    // first test that fails with it.
    Grade grade(const std::string& variant, const std::string& message = {}) {
        const std::string file = source_of(exercise_, variant).lexically_relative(exercise_.folder).string();
        const Result<Built> built = build_variant(exercise_, variant, places_, up_to_date_ && variant != "starter");
        if (!built) {
            find(file, "cannot be graded: " + built.error().text());
            return Grade{.exercise = exercise_, .source = file, .compile_error = built.error().text(), .warnings = {}, .tests = {}};
        }
        Grade grade;
        if (!message.empty()) {
            // Most messages come with the first schedule, and in few tests. Where a test fails there, it says the same when all are run.
            Environment first = environment_;
            first.schedules.resize(1);
            grade = grade_program(exercise_, built->program, first, {}, [&](const TestGrade& test) { return says(test, message); });
        }
        if (grade.tests.empty() || !says(grade.tests.back(), message)) grade = grade_program(exercise_, built->program, environment_);
        grade.source = file;
        return grade;
    }

    bool says(const TestGrade& test, const std::string& message) const {
        return !message.empty() && test.verdict == Verdict::failed && text_of(exercise_, test).find(message) != std::string::npos;
    }

    void check_solution() {
        const Grade solution = grade("solution");
        if (!solution.full()) find("solution.cu", "does not get all points\n" + text_of(solution));
        for (const TestGrade& test : solution.tests) {
            if (test.verdict == Verdict::not_graded) find("solution.cu", test.test.name + " was not graded: " + test.message);
        }
    }

    void check_wrong(const std::string& variant) {
        const fs::path source = source_of(exercise_, variant);
        const std::string file = source.lexically_relative(exercise_.folder).string();
        const std::string text = read_text(source);
        std::smatch expect;
        if (!std::regex_search(text, expect, std::regex(R"(^// expect: *([^\n]*[^\n ]))"))) {
            find(file, "its first line is not \"// expect: \" and a part of the message that it must get");
            return;
        }
        const Grade wrong = grade(variant, expect[1]);
        if (!wrong.compile_error.empty()) return;
        if (wrong.full()) find(file, "gets all points");
        const std::string report = text_of(wrong);
        if (report.find(expect[1].str()) == std::string::npos) find(file, fmt::format("its message is not \"{}\" but\n{}", expect[1].str(), report));
    }

    // The checksum of the starter that the repository ships is a line of exercises/starters.sha256.
    bool starter_is_as_shipped(std::string& note) {
        const fs::path list = places_.source / "exercises" / "starters.sha256";
        const std::string name = path("starter.cu").lexically_relative(places_.source).string();
        std::smatch recorded;
        const std::string text = read_text(list);
        if (!std::regex_search(text, recorded, std::regex(fmt::format(R"(([0-9a-f]{{64}})  {}(\n|$))", name)))) {
            find("starter.cu", "its checksum is not recorded; next: sha256sum exercises/*/*/starter.cu > exercises/starters.sha256");
            return false;
        }
        const Captured sum = run_and_capture({"sha256sum", path("starter.cu").string()});
        if (sum.output.starts_with(recorded[1].str())) return true;
        note = fmt::format("{} is not the starter that was shipped (somebody worked on it), so it was not checked", name);
        return false;
    }

    void check_starter() {
        if (read_text(path("starter.cu")).find("YOUR TASK") == std::string::npos) find("starter.cu", "has no comment \"YOUR TASK\" where to work");
        const Grade starter = grade("starter");
        if (!starter.compile_error.empty()) return;
        if (starter.earned() == starter.possible()) find("starter.cu", "gets all points as it is");
        // README.md shows a part of what the learner sees first: every line of its block must be in the report.
        const std::string readme = read_text(path("README.md"));
        std::smatch block;
        if (!std::regex_search(readme, block, std::regex(R"(## What you see first\n[^`]*```[a-z]*\n([^`]*)```)"))) {
            find("README.md", "has no ``` block below \"What you see first\"");
            return;
        }
        const std::string report = text_of(starter);
        std::istringstream lines(block[1].str());
        for (std::string line; std::getline(lines, line);) {
            const size_t begin = line.find_first_not_of(' ');
            if (begin == std::string::npos || line.starts_with("$")) continue;
            if (report.find(line.substr(begin)) == std::string::npos) {
                find("README.md", fmt::format("\"What you see first\" has a line that is not in the starter's report: {}\n{}", line, report));
            }
        }
    }

    const Exercise& exercise_;
    const Places& places_;
    const Environment& environment_;
    bool up_to_date_ = false;   // the solution and the wrong variants
    std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> self_test(const Exercise& exercise, const Places& places, const Environment& environment, std::string& note) {
    return SelfTest(exercise, places, environment).run(note);
}

}  // namespace lanescope::grading
