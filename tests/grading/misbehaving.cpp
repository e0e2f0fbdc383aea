// Graded tests, each of which does what grade_test.cpp says. No GPU is needed.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

TEST(Graded, Passes) {}

TEST(Graded, Fails) {
    ADD_FAILURE() << "sums[3]: expected 7, got 6\nfor n = 4";
    ADD_FAILURE() << "a second failure";
}

TEST(Graded, FailsAnAssertionOfGoogleTest) { EXPECT_EQ(1 + 1, 3); }

TEST(Graded, PrintsAndFails) {
    for (int i = 0; i < 100; ++i) std::printf("line %d\n", i);
    std::fprintf(stderr, "lanescope: a report\n");
    ADD_FAILURE() << "wrong";
}

TEST(Graded, Crashes) { raise(SIGSEGV); }
TEST(Graded, Throws) { throw 42; }
TEST(Graded, EndsEarly) { std::exit(0); }
TEST(Graded, NeverEnds) {
    static volatile bool forever = true;
    while (forever) {}
}
TEST(Graded, Floods) {
    for (;;) std::puts("again and again and again and again and again and again");
}
TEST(Graded, EatsMemory) {
    for (std::vector<std::unique_ptr<char[]>> eaten;;) eaten.emplace_back(new char[size_t{1} << 30]);
}
TEST(Graded, IsSkipped) { GTEST_SKIP() << "needs counters"; }
TEST(Graded, FailsUnderAnotherSchedule) {
    const char* schedule = std::getenv("LANESCOPE_SCHEDULE");
    EXPECT_EQ(std::string(schedule ? schedule : ""), "0");
}
TEST(Graded, RunsOnTheH200WithTheGivenLibrary) {
    EXPECT_STREQ(std::getenv("LANESCOPE_GPU"), "h200");
    EXPECT_EQ(std::string(std::getenv("LD_LIBRARY_PATH")).rfind("/some/library", 0), 0u);
}
