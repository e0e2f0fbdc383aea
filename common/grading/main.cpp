// Runs the graded tests of one exercise. Nothing is printed but what the learner's code prints: results go
// to the file of --gtest_output. `lanescope grade` starts it once for each test.
#include <gtest/gtest.h>

#include <cstring>

namespace {

// The first check that fails ends its test: what would follow belongs to other inputs.
class EndAtFirstFailure : public testing::EmptyTestEventListener {
    void OnTestPartResult(const testing::TestPartResult& result) override {
        const bool by_exception = std::strstr(result.message(), "C++ exception") != nullptr;   // then the test has ended already
        if (result.failed() && !by_exception) throw testing::AssertionException(result);
    }
};

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new EndAtFirstFailure);   // last, as GoogleTest asks of a listener that throws
    return RUN_ALL_TESTS();
}
