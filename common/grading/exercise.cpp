#include "grading/exercise.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::grading {

namespace fs = std::filesystem;

namespace {

// How many letters must change to turn one word into the other (Levenshtein).
size_t distance(const std::string& a, const std::string& b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = std::exchange(row[0], i);
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t changed = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
        }
    }
    return row[b.size()];
}

// "exercises/01_global_symbols/lost_updates/starter.cu" and "lost_updates/" name lost_updates; so does "starter.cu" in its folder.
std::string name_in(const std::string& argument) {
    std::error_code ignored;
    fs::path path = fs::exists(argument, ignored) ? fs::absolute(argument, ignored).lexically_normal() : fs::path(argument);
    if (path.has_extension()) path = path.parent_path();
    if (!path.has_filename()) path = path.parent_path();
    return path.filename().string();
}

}  // namespace

int Exercise::points() const {
    return std::accumulate(tests.begin(), tests.end(), 0, [](int sum, const GradedTest& test) { return sum + test.points; });
}

fs::path source_of(const Exercise& exercise, const std::string& variant) {
    std::string path = variant;
    std::ranges::replace(path, '.', '/');
    return exercise.folder / (path + ".cu");
}

std::vector<std::string> wrong_variants(const Exercise& exercise) {
    std::vector<std::string> variants;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(exercise.folder / "wrong", ignored)) {
        if (entry.path().extension() == ".cu") variants.push_back("wrong." + entry.path().stem().string());
    }
    std::ranges::sort(variants);
    return variants;
}

std::string read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<GradedTest> parse_graded_tests(const std::string& text) {
    static const std::regex pattern(R"re((^|\n)GRADED_TEST\(\s*(\w+)\s*,\s*(\d{1,4})\s*,\s*"([^"\n]*)"\s*\))re");
    std::vector<GradedTest> tests;
    for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i) {
        tests.push_back({(*i)[2], std::stoi((*i)[3]), (*i)[4]});
    }
    return tests;
}

Result<std::vector<Exercise>> find_exercises(const fs::path& folder) {
    std::vector<Exercise> exercises;
    std::error_code error;
    for (const fs::directory_entry& topic : fs::directory_iterator(folder, error)) {
        std::error_code ignored;
        for (const fs::directory_entry& entry : fs::directory_iterator(topic.path(), ignored)) {
            if (!fs::exists(entry.path() / "CMakeLists.txt")) continue;
            Exercise exercise{entry.path().filename().string(), topic.path().filename().string(), entry.path(), {}};
            exercise.tests = parse_graded_tests(read_text(entry.path() / "tests.cu"));
            if (exercise.tests.empty()) {
                return Diagnostic{"has no graded test", (entry.path() / "tests.cu").string(),
                                  "write GRADED_TEST(Name, points, \"heading of the chapter's page\") { ... }, each at the start of a line"};
            }
            exercises.push_back(std::move(exercise));
        }
    }
    if (error) return Diagnostic{"cannot be read: " + error.message(), folder.string(), "run the lanescope of the build folder"};
    std::ranges::sort(exercises, {}, [](const Exercise& e) { return std::pair(e.topic, e.name); });
    return exercises;
}

Result<std::vector<Exercise>> select(const std::vector<Exercise>& all, const std::vector<std::string>& names) {
    if (names.empty()) return all;
    std::vector<Exercise> selected;
    for (const std::string& argument : names) {
        const std::string name = name_in(argument);
        bool found = false;
        for (const Exercise& exercise : all) {
            if (exercise.name != name && exercise.topic != name) continue;
            found = true;
            if (std::ranges::find(selected, exercise.name, &Exercise::name) == selected.end()) selected.push_back(exercise);
        }
        if (found) continue;
        std::vector<std::string> known;
        for (const Exercise& exercise : all) known.push_back(exercise.name);
        const auto nearest = std::ranges::min_element(known, {}, [&](const std::string& other) { return distance(name, other); });
        if (nearest == known.end()) return Diagnostic{"there are no exercises", "", ""};
        const bool near = distance(name, *nearest) <= nearest->size() / 2;
        return Diagnostic{fmt::format("there is no exercise {}{}", argument, near ? fmt::format("; did you mean {}?", *nearest) : ""), "",
                          fmt::format("name one of: {}", fmt::join(known, ", "))};
    }
    return selected;
}

}  // namespace lanescope::grading
