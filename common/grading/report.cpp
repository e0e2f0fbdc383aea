#include "grading/report.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <pugixml.hpp>

namespace lanescope::grading {
namespace {

std::string indented(const std::string& text, size_t columns) {
    std::istringstream stream(text);
    std::string result;
    for (std::string line; std::getline(stream, line);) result += std::string(columns, ' ') + line + "\n";
    return result;
}

std::string lesson_of(const Exercise& exercise, const GradedTest& test) {
    return fmt::format("lesson: chapters/{}/page.md, \"{}\"\n", exercise.topic, test.lesson);
}

// XML has no place for most control characters.
std::string printable(std::string text) {
    std::ranges::replace_if(text, [](unsigned char c) { return c < 0x20 && c != '\n' && c != '\t'; }, '?');
    return text;
}

void add_property(pugi::xml_node properties, const char* name, const std::string& value) {
    pugi::xml_node property = properties.append_child("property");
    property.append_attribute("name") = name;
    property.append_attribute("value") = value.c_str();
}

void add_failure(pugi::xml_node test_case, const std::string& text) {
    pugi::xml_node failure = test_case.append_child("failure");
    failure.append_attribute("message") = printable(text.substr(0, text.find('\n'))).c_str();
    failure.append_child(pugi::node_pcdata).set_value(printable(text).c_str());
}

pugi::xml_node add_case(pugi::xml_node suite, const Grade& grade, const std::string& name, double seconds) {
    pugi::xml_node test_case = suite.append_child("testcase");
    test_case.append_attribute("classname") = grade.exercise.name.c_str();
    test_case.append_attribute("name") = name.c_str();
    test_case.append_attribute("time") = fmt::format("{:.3f}", seconds).c_str();
    return test_case;
}

}  // namespace

std::string head_of(const Grade& grade) {
    std::string text = fmt::format("{}  ({})\n\n", grade.exercise.name, grade.source);
    if (!grade.compile_error.empty()) text += indented(grade.compile_error, 2) + "\n";
    if (!grade.warnings.empty()) text += "  The compiler warns:\n" + indented(grade.warnings, 4) + "\n";
    return text;
}

std::string text_of(const Exercise& exercise, const TestGrade& test) {
    if (test.verdict == Verdict::not_graded) return fmt::format("  not graded  {}\n{}", test.test.name, indented(test.message, 14));
    std::string text = fmt::format("  {:>2} of {:>2}    {}\n", test.earned(), test.possible(), test.test.name);
    if (test.verdict == Verdict::failed) text += indented(test.message + lesson_of(exercise, test.test), 14) + "\n";
    return text;
}

std::string sum_of(const Grade& grade) { return fmt::format("  {} of {} points\n", grade.earned(), grade.possible()); }

std::string text_of(const Grade& grade) {
    std::string text = head_of(grade);
    if (grade.compile_error.empty()) {
        for (const TestGrade& test : grade.tests) text += text_of(grade.exercise, test);
    }
    return text + sum_of(grade);
}

std::string total_of(const std::vector<Grade>& grades) {
    int earned = 0, possible = 0;
    for (const Grade& grade : grades) {
        earned += grade.earned();
        possible += grade.possible();
    }
    return fmt::format("Total: {} of {} points\n", earned, possible);
}

std::string junit_of(const std::vector<Grade>& grades) {
    pugi::xml_document document;
    pugi::xml_node declaration = document.prepend_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    pugi::xml_node suites = document.append_child("testsuites");
    for (const Grade& grade : grades) {
        const bool compiles = grade.compile_error.empty();
        pugi::xml_node suite = suites.append_child("testsuite");
        suite.append_attribute("name") = grade.exercise.name.c_str();
        const auto failures = compiles ? std::ranges::count(grade.tests, Verdict::failed, &TestGrade::verdict) : 1;
        const auto skipped = compiles ? std::ranges::count(grade.tests, Verdict::not_graded, &TestGrade::verdict) : std::ssize(grade.tests);
        suite.append_attribute("tests") = grade.tests.size() + (compiles ? 0 : 1);
        suite.append_attribute("failures") = static_cast<long long>(failures);
        suite.append_attribute("skipped") = static_cast<long long>(skipped);
        pugi::xml_node properties = suite.append_child("properties");
        add_property(properties, "source", grade.source);
        add_property(properties, "points", std::to_string(grade.earned()));
        add_property(properties, "points_possible", std::to_string(grade.possible()));
        if (!compiles) add_failure(add_case(suite, grade, "compiles", 0), grade.compile_error);
        for (const TestGrade& test : grade.tests) {
            pugi::xml_node test_case = add_case(suite, grade, test.test.name, test.seconds);
            pugi::xml_node points = test_case.append_child("properties");
            add_property(points, "points", std::to_string(test.earned()));
            add_property(points, "points_possible", std::to_string(test.possible()));
            if (!compiles || test.verdict == Verdict::not_graded) {
                test_case.append_child("skipped").append_attribute("message") = compiles ? printable(test.message).c_str() : "does not compile";
            } else if (test.verdict == Verdict::failed) {
                add_failure(test_case, test.message + lesson_of(grade.exercise, test.test));
            }
        }
    }
    std::ostringstream out;
    document.save(out, "  ");
    return out.str();
}

}  // namespace lanescope::grading
