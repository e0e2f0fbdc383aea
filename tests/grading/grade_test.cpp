// Whatever the program does, its grade says in words what happened.
#include "grading/grade.h"

#include <gmock/gmock.h>

namespace {

using namespace lanescope::grading;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TestGrade grade_of(const std::string& test, bool simulated = true) {
    const Exercise exercise{"e", "00_topic", "", {{test, 5, "A lesson"}}};
    const Environment environment{.library = "/some/library", .simulated = simulated, .processor_seconds = 1};
    return grade_program(exercise, MISBEHAVING, environment).tests.at(0);
}

TEST(Grade, APassedTestEarnsItsPoints) {
    const TestGrade grade = grade_of("Passes");
    EXPECT_EQ(grade.verdict, Verdict::passed);
    EXPECT_EQ(grade.earned(), 5);
}

TEST(Grade, AFailedTestEarnsNothingAndShowsItsFirstFailure) {
    const TestGrade grade = grade_of("Fails");
    EXPECT_EQ(grade.verdict, Verdict::failed);
    EXPECT_EQ(grade.earned(), 0);
    EXPECT_EQ(grade.possible(), 5);
    EXPECT_EQ(grade.message, "sums[3]: expected 7, got 6\nfor n = 4\n");
}

TEST(Grade, PlainAssertionsWorkToo) {
    EXPECT_THAT(grade_of("FailsAnAssertionOfGoogleTest").message, StartsWith("Expected equality of these values:\n  1 + 1\n"));
}

TEST(Grade, OutputIsShownAndCut) {
    const std::string message = grade_of("PrintsAndFails").message;
    EXPECT_THAT(message, StartsWith("wrong\non stderr:\n  lanescope: a report\nit printed:\n  line 0\n"));
    EXPECT_THAT(message, HasSubstr("  line 9\n  ...\n"));
    EXPECT_THAT(message, Not(HasSubstr("line 10")));
}

TEST(Grade, ACrash) { EXPECT_THAT(grade_of("Crashes").message, StartsWith("the program crashed in host code: signal 11 (Segmentation fault)\n")); }

TEST(Grade, AnException) {
    EXPECT_EQ(grade_of("Throws").verdict, Verdict::failed);
    EXPECT_THAT(grade_of("Throws").message, HasSubstr("exception"));
}

TEST(Grade, ExitWithStatus0IsNoPass) {
    const TestGrade grade = grade_of("EndsEarly");
    EXPECT_EQ(grade.verdict, Verdict::failed);
    EXPECT_THAT(grade.message, StartsWith("the program ended with exit status 0 before the test was over"));
}

TEST(Grade, AnEndlessLoop) {
    EXPECT_THAT(grade_of("NeverEnds").message, StartsWith("the program did not end within 1 seconds of processor time"));
}

TEST(Grade, MemoryWithoutBounds) { EXPECT_THAT(grade_of("EatsMemory").message, HasSubstr("bad_alloc")); }

TEST(Grade, AfterATestThatDoesNotEndTheOthersAreNotRun) {
    const Exercise exercise{"e", "00_topic", "", {{"Passes", 1, "l"}, {"NeverEnds", 2, "l"}, {"Passes", 3, "l"}}};
    std::vector<std::string> shown;
    const Grade grade = grade_program(exercise, MISBEHAVING, {.library = "/some/library", .simulated = true, .processor_seconds = 1},
                                      [&](const TestGrade& test) { shown.push_back(test.test.name); });
    EXPECT_EQ(grade.earned(), 1);
    EXPECT_EQ(grade.tests.at(2).message, "not run, because NeverEnds did not end\n");
    EXPECT_THAT(shown, testing::ElementsAre("Passes", "NeverEnds", "Passes"));
}

TEST(Grade, AFloodOfOutput) {
    const std::string message = grade_of("Floods").message;
    EXPECT_THAT(message, StartsWith("the program wrote more than 16777216 bytes and was stopped\n"));
    EXPECT_LT(message.size(), 5000u);
}

TEST(Grade, ATestThatIsSkippedIsNotGradedAndItsPointsDoNotCount) {
    const TestGrade grade = grade_of("IsSkipped");
    EXPECT_EQ(grade.verdict, Verdict::not_graded);
    EXPECT_EQ(grade.possible(), 0);
    EXPECT_THAT(grade.message, HasSubstr("needs counters"));
}

TEST(Grade, ATestThatTheProgramLacksFails) {
    EXPECT_EQ(grade_of("IsNotThere").verdict, Verdict::failed);
}

TEST(Grade, EverySimulatedTestRunsUnderSeveralSchedules) {
    EXPECT_THAT(grade_of("FailsUnderAnotherSchedule").message, HasSubstr("with the threads in another order (--schedule 1)\n"));
}

TEST(Grade, OnlyTheSchedulesThatAreAskedFor) {
    const Exercise exercise{"e", "00_topic", "", {{"FailsUnderAnotherSchedule", 5, "l"}}};
    const Environment environment{.library = "/some/library", .simulated = true, .processor_seconds = 1, .schedules = {"0"}};
    EXPECT_EQ(grade_program(exercise, MISBEHAVING, environment).tests.at(0).verdict, Verdict::passed);
}

TEST(Grade, WhereAResultIsEnoughTheRestIsLeftOut) {
    const Exercise exercise{"e", "00_topic", "", {{"Passes", 1, "l"}, {"Fails", 2, "l"}, {"Crashes", 3, "l"}}};
    const Grade grade = grade_program(exercise, MISBEHAVING, {.library = "/some/library", .simulated = true, .processor_seconds = 1}, {},
                                      [](const TestGrade& test) { return test.verdict == Verdict::failed; });
    ASSERT_EQ(grade.tests.size(), 2u);
    EXPECT_EQ(grade.tests.at(1).test.name, "Fails");
    EXPECT_FALSE(grade.full());
}

TEST(Grade, TheGpuAndTheLibraryAreTheGradersChoice) { EXPECT_EQ(grade_of("RunsOnTheH200WithTheGivenLibrary").verdict, Verdict::passed); }

TEST(Grade, OnARealGpuNothingIsSetForTheSimulation) { EXPECT_EQ(grade_of("RunsOnTheH200WithTheGivenLibrary", false).verdict, Verdict::failed); }

TEST(Grade, SumsLeaveOutWhatIsNotGraded) {
    Grade grade{.exercise = {}, .source = "", .compile_error = "", .warnings = "", .tests = {}};
    grade.tests.push_back({.test = {"a", 3, ""}, .verdict = Verdict::passed, .message = "", .seconds = 0});
    grade.tests.push_back({.test = {"b", 4, ""}, .verdict = Verdict::failed, .message = "", .seconds = 0});
    grade.tests.push_back({.test = {"c", 5, ""}, .verdict = Verdict::not_graded, .message = "", .seconds = 0});
    EXPECT_EQ(grade.earned(), 3);
    EXPECT_EQ(grade.possible(), 7);
    EXPECT_FALSE(grade.full());
}

TEST(Grade, NothingIsEarnedWithoutAProgram) {
    const Grade grade = grade_without_program({"e", "t", "", {{"a", 3, ""}}}, "does not compile");
    EXPECT_EQ(grade.earned(), 0);
    EXPECT_EQ(grade.possible(), 3);
    EXPECT_FALSE(grade.full());
}

}  // namespace
