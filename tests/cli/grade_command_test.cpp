// `lanescope grade` as a learner and an instructor meet it, on the repository's own exercises.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace lanescope::cli {
namespace {

using test::Finished;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

Finished grade(std::vector<std::string> arguments, const std::map<std::string, std::string>& environment = {}) {
    arguments.insert(arguments.begin(), {LANESCOPE_COMMAND, "grade"});
    return test::run_program(arguments, environment);
}

TEST(GradeCommand, ASolutionGetsAllPoints) {
    const Finished run = grade({"--solution", "lost_updates"});
    EXPECT_EQ(run.exit_status, 0) << run.out << run.err;
    EXPECT_THAT(run.out, AllOf(HasSubstr("lost_updates/solution.cu"), HasSubstr("5 of  5    CountsOnEveryGrid"), EndsWith("12 of 12 points\n")));
}

// It does not matter which GPU and schedule the learner works with.
TEST(GradeCommand, TheLearnersEnvironmentDoesNotChangeTheGrade) {
    EXPECT_EQ(grade({"--solution", "lost_updates"}, {{"LANESCOPE_GPU", "no_such_gpu"}, {"LANESCOPE_SCHEDULE", "x"}}).exit_status, 0);
}

TEST(GradeCommand, SeveralExercisesEndWithTheTotalAndCanBeWrittenAsJunit) {
    const test::TemporaryFolder folder("junit");
    const std::string file = folder.path() / "grades.xml";
    const Finished run = grade({"--solution", "--output-junit", file, "lost_updates", "symbol_address"});
    EXPECT_EQ(run.exit_status, 0) << run.out << run.err;
    EXPECT_THAT(run.out, testing::ContainsRegex("\nTotal: ([0-9]+) of ([0-9]+) points\n$"));
    std::ifstream stream(file);
    const std::string xml(std::istreambuf_iterator<char>(stream), {});
    EXPECT_THAT(xml, AllOf(HasSubstr("<testsuite name=\"lost_updates\""), HasSubstr("<testsuite name=\"symbol_address\""),
                           HasSubstr("failures=\"0\"")));
}

TEST(GradeCommand, WrongUse) {
    const Finished unknown = grade({"lost_update"});
    EXPECT_EQ(unknown.exit_status, 2);
    EXPECT_THAT(unknown.err, HasSubstr("there is no exercise lost_update; did you mean lost_updates?\n  next: name one of: "));
    EXPECT_EQ(unknown.out, "");
    const Finished junit = grade({"--solution", "lost_updates", "--output-junit", "/nowhere/grades.xml"});
    EXPECT_EQ(junit.exit_status, 1);
    EXPECT_THAT(junit.err, HasSubstr("/nowhere/grades.xml: cannot be written"));
    EXPECT_EQ(grade({"--no-such-option"}).exit_status, 2);
    EXPECT_EQ(grade({"--self-test", "--gpu"}).exit_status, 2);
}

TEST(GradeCommand, WithoutAGpuNothingIsGradedOnOne) {
    const Finished run = grade({"--gpu", "lost_updates"}, {{"PATH", "/nowhere"}});
    EXPECT_EQ(run.exit_status, 77);
    EXPECT_THAT(run.err, HasSubstr("this machine has no NVIDIA GPU with a driver"));
    EXPECT_EQ(run.out, "");
}

}  // namespace
}  // namespace lanescope::cli
