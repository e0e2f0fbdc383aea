// Runs the graded tests of one exercise. Nothing is printed but what the learner's code prints: results go
// to the file of --gtest_output. `lanescope grade` starts it once for each test.
#include <gtest/gtest.h>

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    return RUN_ALL_TESTS();
}
