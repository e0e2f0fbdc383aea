#include "grading/compile.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "support/process.h"

namespace lanescope::grading {
namespace {

namespace fs = std::filesystem;

// Two builds in one folder at a time would disturb each other; ctest -j starts several graders.
class BuildLock {
public:
    explicit BuildLock(const fs::path& build) : file_(open((build / "grading.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
        if (file_ >= 0) flock(file_, LOCK_EX);
    }
    ~BuildLock() {
        if (file_ >= 0) close(file_);
    }
    BuildLock(const BuildLock&) = delete;
    BuildLock& operator=(const BuildLock&) = delete;

private:
    int file_;
};

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string without(std::string text, const std::string& prefix) {
    for (size_t at; (at = text.find(prefix)) != std::string::npos;) text.erase(at, prefix.size());
    return text;
}

bool is_diagnostic(const std::string& line) {
    static const std::regex pattern(R"(^\S.*[):] *(warning|error|note|remark|catastrophic error|fatal error|internal error)( #[\w-]+)?: )");
    return std::regex_search(line, pattern);
}

bool is_error(const std::string& line) {
    static const std::regex compiler(R"((^|[): ])(catastrophic error|fatal error|internal error|error|nvcc fatal *|ptxas fatal *|fatal *)( #[\w-]+)? *: )");
    static const std::regex linker(R"(undefined reference to|multiple definition of)");
    return std::regex_search(line, compiler) || std::regex_search(line, linker);
}

// "/usr/bin/ld: a.o: in function `f': tests.cu:(.text+0x8): undefined reference to `g(int)'" in words; empty: not of the linker.
std::string in_words(const std::string& line) {
    std::smatch match;
    if (std::regex_search(line, match, std::regex(R"(undefined reference to `([^']+)')")))
        return fmt::format("error: {} is missing, or has other parameters than the exercise's header declares", match[1].str());
    if (std::regex_search(line, match, std::regex(R"(multiple definition of `([^']+)')")))
        return fmt::format("error: {} is defined twice: here and in the exercise's tests", match[1].str());
    return "";
}

}  // namespace

std::string first_error(const std::string& output, const fs::path& source) {
    constexpr size_t most_lines = 8;
    const std::vector<std::string> lines = lines_of(without(output, source.string() + "/"));
    const auto first = std::ranges::find_if(lines, is_error);
    if (first == lines.end()) {   // not a form that we know: the end says why
        std::string tail;
        const size_t count = std::min(lines.size(), most_lines);
        for (auto line = lines.end() - static_cast<std::ptrdiff_t>(count); line != lines.end(); ++line) tail += *line + "\n";
        return tail;
    }
    if (const std::string words = in_words(*first); !words.empty()) return words + "\n";
    std::string error = *first + "\n";
    size_t count = 1;
    for (auto line = first + 1; line != lines.end() && count < most_lines; ++line, ++count) {
        if (line->empty() || is_diagnostic(*line) || is_error(*line)) break;
        if (line->starts_with("compilation terminated") || line->starts_with("ninja: ")) break;
        error += *line + "\n";
    }
    return error;
}

std::string warnings_about(const std::string& file, const std::string& output, const fs::path& source) {
    std::string warnings;
    bool inside = false;
    for (const std::string& line : lines_of(without(output, source.string() + "/"))) {
        if (is_diagnostic(line)) inside = line.starts_with(file) && line.find("warning") != std::string::npos;
        else if (line.empty() || line.starts_with("[") || line.starts_with("Remark:")) inside = false;
        if (inside) warnings += line + "\n";
    }
    return warnings;
}

bool are_up_to_date(const Exercise& exercise, const std::vector<std::string>& variants, const Places& places) {
    std::vector<std::string> command{"cmake", "--build", places.build.string(), "--target"};
    for (const std::string& variant : variants) command.push_back(fmt::format("exercise.{}.{}", exercise.name, variant));
    const BuildLock lock(places.build);
    const Captured build = run_and_capture(command);
    return build.exit_status == 0 && build.output.find("ninja: no work to do.") != std::string::npos;
}

Result<Built> build_variant(const Exercise& exercise, const std::string& variant, const Places& places, bool up_to_date) {
    const fs::path source = source_of(exercise, variant);
    const fs::path shown = source.lexically_relative(places.source);
    if (!fs::exists(source)) return Diagnostic{"is gone", shown.string(), "git checkout -- " + shown.string()};

    const std::string target = fmt::format("exercise.{}.{}", exercise.name, variant);
    Captured build{.exit_status = 0, .output = {}};
    if (!up_to_date) {
        const BuildLock lock(places.build);
        build = run_and_capture({"cmake", "--build", places.build.string(), "--target", target});
    }
    if (build.exit_status != 0) {
        if (build.output.find("unknown target") != std::string::npos || build.output.find("No rule to make target") != std::string::npos) {
            return Diagnostic{"the build does not know it yet", target, "./lab build"};
        }
        return Diagnostic{"does not compile or link\n" + first_error(build.output, places.source), shown.string(), ""};
    }
    std::string name = variant;
    std::ranges::replace(name, '.', '/');
    const fs::path program = places.build / "exercises" / exercise.topic / exercise.name / name;
    // nvcc warns only when it compiles; what it said is kept beside the program for the next time.
    const fs::path kept = program.string() + ".warnings";
    if (build.output.find("Building CUDA object") != std::string::npos) {
        std::ofstream(kept) << warnings_about(shown.string(), build.output, places.source);
    }
    return Built{program, read_text(kept)};
}

}  // namespace lanescope::grading
