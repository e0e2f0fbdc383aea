#include "grading/report.h"

#include <gmock/gmock.h>

#include <pugixml.hpp>

namespace {

using namespace lanescope::grading;
using testing::HasSubstr;

const Exercise exercise{"lost_updates", "01_global_symbols", "", {}};
const GradedTest first{"CountsWithinOneBlock", 3, "Six threads, one variable"};
const GradedTest second{"NoAtomicWithoutNeed", 12, "The fix and what it costs"};

Grade half_right() {
    Grade grade{.exercise = exercise, .source = "exercises/x/starter.cu", .compile_error = "", .warnings = "", .tests = {}};
    grade.tests.push_back({.test = first, .verdict = Verdict::passed, .message = "", .seconds = 0.25});
    grade.tests.push_back({.test = second, .verdict = Verdict::failed, .message = "requests: expected at most 2, counted 3\nfor n < 4 & \"more\"\n", .seconds = 0});
    return grade;
}

TEST(Text, PointsMessagesLessonsAndTheSum) {
    EXPECT_EQ(text_of(half_right()),
              "lost_updates  (exercises/x/starter.cu)\n"
              "\n"
              "   3 of  3    CountsWithinOneBlock\n"
              "   0 of 12    NoAtomicWithoutNeed\n"
              "              requests: expected at most 2, counted 3\n"
              "              for n < 4 & \"more\"\n"
              "              lesson: chapters/01_global_symbols/page.md, \"The fix and what it costs\"\n"
              "\n"
              "  3 of 15 points\n");
}

TEST(Text, WhatIsNotGradedSaysWhy) {
    Grade grade = half_right();
    grade.tests[1].verdict = Verdict::not_graded;
    grade.tests[1].message = "needs counters\n";
    EXPECT_THAT(text_of(grade), HasSubstr("  not graded  NoAtomicWithoutNeed\n              needs counters\n  3 of 3 points\n"));
}

TEST(Text, ACompileErrorAndNothingElse) {
    Grade grade = grade_without_program({"e", "t", "", {first, second}}, "starter.cu: does not compile\nstarter.cu(3): error: no");
    grade.source = "starter.cu";
    EXPECT_EQ(text_of(grade),
              "e  (starter.cu)\n"
              "\n"
              "  starter.cu: does not compile\n"
              "  starter.cu(3): error: no\n"
              "\n"
              "  0 of 15 points\n");
}

TEST(Text, WarningsOfTheCompilerComeFirst) {
    Grade grade = half_right();
    grade.warnings = "starter.cu(3): warning: no\n";
    EXPECT_THAT(text_of(grade), HasSubstr("(exercises/x/starter.cu)\n\n  The compiler warns:\n    starter.cu(3): warning: no\n\n   3 of  3"));
}

TEST(Text, Total) { EXPECT_EQ(total_of({half_right(), half_right()}), "Total: 6 of 30 points\n"); }

TEST(Junit, ATestCaseForEachGradedTest) {
    pugi::xml_document document;
    ASSERT_TRUE(document.load_string(junit_of({half_right()}).c_str()));
    const pugi::xml_node suite = document.select_node("/testsuites/testsuite[@name='lost_updates']").node();
    EXPECT_EQ(suite.attribute("tests").as_int(), 2);
    EXPECT_EQ(suite.attribute("failures").as_int(), 1);
    EXPECT_EQ(suite.select_node("properties/property[@name='points']").node().attribute("value").as_int(), 3);
    EXPECT_EQ(suite.select_node("properties/property[@name='points_possible']").node().attribute("value").as_int(), 15);
    const pugi::xml_node passed = suite.select_node("testcase[@name='CountsWithinOneBlock']").node();
    EXPECT_STREQ(passed.attribute("time").value(), "0.250");
    EXPECT_FALSE(passed.child("failure"));
    const pugi::xml_node failed = suite.select_node("testcase[@name='NoAtomicWithoutNeed']").node();
    EXPECT_STREQ(failed.child("failure").attribute("message").value(), "requests: expected at most 2, counted 3");
    EXPECT_THAT(failed.child("failure").text().get(), HasSubstr("for n < 4 & \"more\""));
}

TEST(Junit, ACompileErrorIsOneFailure) {
    pugi::xml_document document;
    ASSERT_TRUE(document.load_string(junit_of({grade_without_program({"e", "t", "", {first, second}}, "starter.cu: does not compile")}).c_str()));
    EXPECT_EQ(document.select_nodes("//failure").size(), 1u);
    EXPECT_STREQ(document.select_node("//testcase[failure]").node().attribute("name").value(), "compiles");
    EXPECT_EQ(document.select_nodes("//skipped").size(), 2u);
    EXPECT_EQ(document.select_node("//testsuite").node().attribute("tests").as_int(), 3);
}

TEST(Junit, ControlCharactersOfALearnersOutputDoNotBreakIt) {
    Grade grade = half_right();
    grade.tests[1].message = "it printed:\n  \x1b[31mred\x01\n";
    pugi::xml_document document;
    ASSERT_TRUE(document.load_string(junit_of({grade}).c_str()));
    EXPECT_THAT(document.select_node("//failure").node().text().get(), HasSubstr("?[31mred?"));
}

}  // namespace
