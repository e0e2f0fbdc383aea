// What a learner sees of a build that failed: one error, as nvcc, g++ and ld print them.
#include "grading/compile.h"

#include <gmock/gmock.h>

namespace {

using namespace lanescope::grading;
using testing::HasSubstr;
using testing::Not;

TEST(FirstError, OfNvccWithItsLines) {
    EXPECT_EQ(first_error("[1/2] Building CUDA object a.o\n"
                          "FAILED: a.o\n"
                          "/usr/local/cuda/bin/nvcc -I/repo/common -c /repo/exercises/e/starter.cu -o a.o\n"
                          "/repo/exercises/e/starter.cu(10): warning #177-D: variable \"y\" was declared but never referenced\n"
                          "      int y;\n"
                          "          ^\n"
                          "\n"
                          "/repo/exercises/e/starter.cu(13): error: identifier \"alrm\" is undefined\n"
                          "      alrm += 1;\n"
                          "      ^\n"
                          "\n"
                          "/repo/exercises/e/starter.cu(14): error: identifier \"b\" is undefined\n"
                          "      b = 1;\n"
                          "      ^\n"
                          "\n"
                          "2 errors detected in the compilation of \"/repo/exercises/e/starter.cu\".\n"
                          "ninja: build stopped: subcommand failed.\n",
                          "/repo"),
              "exercises/e/starter.cu(13): error: identifier \"alrm\" is undefined\n"
              "      alrm += 1;\n"
              "      ^\n");
}

TEST(FirstError, NumberedErrorsToo) {
    EXPECT_EQ(first_error("/repo/a.cu(3): error #20013-D: calling a constexpr __host__ function\n  f();\n\n", "/repo"),
              "a.cu(3): error #20013-D: calling a constexpr __host__ function\n  f();\n");
}

TEST(FirstError, OfTheHostCompiler) {
    EXPECT_EQ(first_error("/repo/a.cu:1:10: fatal error: nothing.h: No such file or directory\n"
                          "    1 | #include \"nothing.h\"\n"
                          "      |          ^~~~~~~~~~~\n"
                          "compilation terminated.\n"
                          "ninja: build stopped: subcommand failed.\n",
                          "/repo"),
              "a.cu:1:10: fatal error: nothing.h: No such file or directory\n"
              "    1 | #include \"nothing.h\"\n"
              "      |          ^~~~~~~~~~~\n");
}

TEST(FirstError, OfNvccItself) {
    EXPECT_EQ(first_error("nvcc fatal   : Unsupported gpu architecture 'compute_20'\n", "/repo"), "nvcc fatal   : Unsupported gpu architecture 'compute_20'\n");
}

TEST(FirstError, OfTheLinkerInWords) {
    EXPECT_EQ(first_error("/usr/bin/ld: tests.cu.o: in function `check(int)':\n"
                          "tests.cu:(.text+0x8): undefined reference to `count_alarms(float const*, int)'\n"
                          "collect2: error: ld returned 1 exit status\n",
                          "/repo"),
              "error: count_alarms(float const*, int) is missing, or has other parameters than the exercise's header declares\n");
    EXPECT_EQ(first_error("/usr/bin/ld: main.cpp.o: in function `main':\n"
                          "main.cpp:(.text.startup+0x0): multiple definition of `main'; starter.cu.o:starter.cu:(.text+0x0): first defined here\n",
                          "/repo"),
              "error: main is defined twice: here and in the exercise's tests\n");
}

TEST(FirstError, OfAFormThatNobodyKnowsIsTheEnd) {
    EXPECT_EQ(first_error("a\nb\nkilled\n", "/repo"), "a\nb\nkilled\n");
}

TEST(WarningsAbout, OnlyTheGradedFile) {
    EXPECT_EQ(warnings_about("e/starter.cu",
                             "[1/2] Building CUDA object starter.cu.o\n"
                             "/repo/e/tests.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n"
                             "      int x;\n"
                             "\n"
                             "/repo/e/starter.cu(7): warning #20091-D: a __device__ variable \"a\" cannot be directly read in a host function\n"
                             "      *alarms = a;\n"
                             "                ^\n"
                             "\n"
                             "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
                             "\n"
                             "[2/2] Linking CUDA executable starter\n",
                             "/repo"),
              "e/starter.cu(7): warning #20091-D: a __device__ variable \"a\" cannot be directly read in a host function\n"
              "      *alarms = a;\n"
              "                ^\n");
}

const Places places{SOURCE "/tests/grading", BUILD};

TEST(BuildVariant, ACompileErrorIsOneError) {
    const auto program = build_variant({"broken", "00_topic", DATA "/00_topic/broken", {}}, "starter", places);
    ASSERT_FALSE(program);
    EXPECT_THAT(program.error().text(), HasSubstr("data/00_topic/broken/starter.cu: does not compile or link\n"
                                                  "data/00_topic/broken/starter.cu(2): error: identifier \"forgotten\" is undefined"));
    EXPECT_THAT(program.error().text(), Not(HasSubstr("also_forgotten")));
}

TEST(BuildVariant, AMissingStarter) {
    const auto program = build_variant({"broken", "00_topic", DATA "/00_topic/gone", {}}, "starter", places);
    ASSERT_FALSE(program);
    EXPECT_THAT(program.error().text(), HasSubstr("data/00_topic/gone/starter.cu: is gone\n  next: git checkout -- data/00_topic/gone/starter.cu"));
}

TEST(BuildVariant, AnExerciseThatIsNewToTheBuild) {
    const auto program = build_variant({"unheard_of", "00_topic", DATA "/00_topic/broken", {}}, "starter", places);
    ASSERT_FALSE(program);
    EXPECT_THAT(program.error().text(), HasSubstr("exercise.unheard_of.starter: the build does not know it yet\n  next: ./lab build"));
}

TEST(AreUpToDate, WhatWasBuiltIs) {
    const auto all = find_exercises(std::filesystem::path(SOURCE) / "exercises");
    const Exercise exercise = select(*all, {"lost_updates"})->at(0);
    ASSERT_TRUE(build_variant(exercise, "solution", {SOURCE, BUILD}));
    EXPECT_TRUE(are_up_to_date(exercise, {"solution"}, {SOURCE, BUILD}));
    EXPECT_TRUE(build_variant(exercise, "solution", {SOURCE, BUILD}, true));
}

TEST(AreUpToDate, WhatCannotBeBuiltIsNot) {
    EXPECT_FALSE(are_up_to_date({"broken", "00_topic", DATA "/00_topic/broken", {}}, {"starter"}, places));
    EXPECT_FALSE(are_up_to_date({"unheard_of", "00_topic", DATA "/00_topic/broken", {}}, {"starter"}, places));
}

}  // namespace
