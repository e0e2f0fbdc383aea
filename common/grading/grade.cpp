#include "grading/grade.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <numeric>
#include <sstream>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "support/process.h"

namespace lanescope::grading {
namespace {

namespace fs = std::filesystem;

constexpr int seconds_per_processor_second = 6;   // by the clock: other programs want the processor too
constexpr size_t memory_bytes = size_t{4} << 30;
constexpr size_t output_bytes = 16 << 20;
constexpr char instruction_limit[] = "100000000";   // warp instructions without the end of a block: about a second
constexpr size_t lines_shown = 10;

// Where one run writes its results; removed with this object.
class ResultFile {
public:
    ResultFile() {
        std::string name = (fs::temp_directory_path() / "lanescope-grade-XXXXXX").string();
        if (const char* folder = mkdtemp(name.data())) folder_ = folder;
    }
    ~ResultFile() {
        std::error_code ignored;
        if (!folder_.empty()) fs::remove_all(folder_, ignored);
    }
    ResultFile(const ResultFile&) = delete;
    ResultFile& operator=(const ResultFile&) = delete;
    fs::path path() const { return folder_ / "result.xml"; }

private:
    fs::path folder_;
};

std::string indented_tail(const std::string& title, const std::string& output) {
    std::istringstream stream(output);
    std::string text;
    size_t count = 0;
    for (std::string line; std::getline(stream, line); ++count) {
        if (count == lines_shown) return title + "\n" + text + "  ...\n";
        text += "  " + (line.size() > 300 ? line.substr(0, 300) + " ..." : line) + "\n";
    }
    return count == 0 ? "" : title + "\n" + text;
}

void remove_all(std::string& text, const std::string& what) {
    for (size_t at; (at = text.find(what)) != std::string::npos;) text.erase(at, what.size());
}

std::string how_it_ended(const Finished& run, int processor_seconds) {
    switch (run.end) {
        case Finished::End::not_started: return "the tests could not be started\n";
        case Finished::End::exited: return fmt::format("the program ended with exit status {} before the test was over: return errors to the caller; exit() and CUDA_CHECK end everything\n", run.status);
        case Finished::End::signalled:
            return fmt::format("the program crashed in host code: signal {} ({})\n", run.status, strsignal(run.status));
        case Finished::End::out_of_time:
            return fmt::format("the program did not end within {} seconds of processor time: does a loop, or a wait, never end?\n", processor_seconds);
        case Finished::End::too_much_output: return fmt::format("the program wrote more than {} bytes and was stopped\n", output_bytes);
    }
    return "";
}

// GoogleTest's failure without the place in tests.cu: "tests.cu:12\nFailed\nmessage" -> "message".
std::string message_of(const std::string& failure) {
    std::string text = failure.substr(std::min(failure.find('\n'), failure.size() - 1) + 1);
    if (text.starts_with("Failed\n")) text.erase(0, 7);
    if (!text.ends_with('\n')) text += '\n';
    return text;
}

// Reads the verdict from GoogleTest's XML. False: the test is not in it, so it did not run to its end.
bool read_result(const fs::path& file, const std::string& name, TestGrade& grade) {
    pugi::xml_document document;
    if (!document.load_file(file.c_str())) return false;
    for (const pugi::xpath_node& found : document.select_nodes("/testsuites/testsuite/testcase[@status='run']")) {
        const pugi::xml_node test = found.node();
        if (test.attribute("name").value() != name) continue;
        const pugi::xml_node failure = test.child("failure"), skipped = test.child("skipped");
        grade.verdict = failure ? Verdict::failed : skipped ? Verdict::not_graded : Verdict::passed;
        if (failure || skipped) grade.message = message_of((failure ? failure : skipped).attribute("message").value());
        return true;
    }
    return false;
}

// Runs one test once; under `schedule` if not empty.
TestGrade run_once(const GradedTest& test, const fs::path& program, const Environment& environment, const std::string& schedule) {
    const ResultFile file;
    Limits limits{.processor_seconds = environment.processor_seconds,
                  .seconds = environment.processor_seconds * seconds_per_processor_second,
                  .output_bytes = output_bytes};
    const char* others = std::getenv("LD_LIBRARY_PATH");
    limits.environment["LD_LIBRARY_PATH"] = environment.library.string() + (others && *others ? std::string(":") + others : "");
    if (environment.simulated) {
        limits.memory_bytes = memory_bytes;   // a real GPU's driver needs more
        limits.environment["LANESCOPE_GPU"] = "h200";
        limits.environment["LANESCOPE_CLOCK"] = "on";
        limits.environment["LANESCOPE_SCHEDULE"] = schedule;
        limits.environment["LANESCOPE_INSTRUCTION_LIMIT"] = instruction_limit;
    }
    const Finished run = run_limited({program.string(), "--gtest_filter=Graded." + test.name, "--gtest_output=xml:" + file.path().string()}, limits);

    TestGrade grade{.test = test, .verdict = Verdict::failed, .message = {}, .seconds = 0};
    if (run.end != Finished::End::exited || !read_result(file.path(), test.name, grade)) {
        grade.message = how_it_ended(run, environment.processor_seconds);
    }
    grade.timed_out = run.end == Finished::End::out_of_time;
    if (grade.verdict != Verdict::failed) return grade;
    if (schedule != "" && schedule != "0") grade.message += fmt::format("with the threads in another order (--schedule {})\n", schedule);
    grade.message += indented_tail("on stderr:", run.err) + indented_tail("it printed:", run.out);
    if (!environment.source.empty()) remove_all(grade.message, environment.source.string() + "/");
    return grade;
}

}  // namespace

int Grade::earned() const {
    return std::accumulate(tests.begin(), tests.end(), 0, [](int sum, const TestGrade& t) { return sum + t.earned(); });
}

int Grade::possible() const {
    return std::accumulate(tests.begin(), tests.end(), 0, [](int sum, const TestGrade& t) { return sum + t.possible(); });
}

Grade grade_program(const Exercise& exercise, const fs::path& program, const Environment& environment,
                    const std::function<void(const TestGrade&)>& show, const std::function<bool(const TestGrade&)>& enough) {
    Grade grade{.exercise = exercise, .source = {}, .compile_error = {}, .warnings = {}, .tests = {}};
    const std::string* endless = nullptr;
    for (const GradedTest& test : exercise.tests) {
        const auto begin = std::chrono::steady_clock::now();
        TestGrade result;
        if (endless) {
            result.test = test;
            result.message = fmt::format("not run, because {} did not end\n", *endless);
        } else if (environment.simulated) {
            for (const std::string& schedule : environment.schedules) {
                result = run_once(test, program, environment, schedule);
                if (result.verdict != Verdict::passed) break;
            }
        } else {
            result = run_once(test, program, environment, "");
        }
        result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (result.timed_out) endless = &test.name;
        grade.tests.push_back(std::move(result));
        if (show) show(grade.tests.back());
        if (enough && enough(grade.tests.back())) break;
    }
    return grade;
}

Grade grade_without_program(const Exercise& exercise, const std::string& compile_error) {
    Grade grade{.exercise = exercise, .source = {}, .compile_error = compile_error, .warnings = {}, .tests = {}};
    for (const GradedTest& test : exercise.tests) grade.tests.push_back({.test = test, .verdict = Verdict::failed, .message = {}, .seconds = 0});
    return grade;
}

}  // namespace lanescope::grading
