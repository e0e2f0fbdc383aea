// The ladder's bandwidths on the simulated H200, where times are modelled and the same in every run, beside those that
// an H200 measured with the same command (recorded/transpose.h200.txt: 4096 x 4096 ints). What is modelled is read from
// recorded/transpose.simulated.txt: the program's own test runs it, and compares what it prints with this file.
#include <fstream>

#include "program_table.h"

namespace {

using namespace lanescope::test;

// Of each kernel in the program's table, GB/s.
std::map<std::string, double> recorded(const std::string& name) {
    std::map<std::string, double> bandwidths;
    std::ifstream file(CHAPTER "/recorded/" + name);
    for (std::string line; std::getline(file, line);) {
        // copy_row         32 x 16     0.0682    1968.2    57.2 % ...
        std::istringstream words(line);
        std::string kernel, word;
        if (!(words >> kernel >> word) || kernel.find_first_of("0123456789#*") != std::string::npos) continue;
        double ms = 0, bandwidth = 0;
        if (line.size() > 24 && std::istringstream(line.substr(24)) >> ms >> bandwidth) bandwidths[kernel] = bandwidth;
    }
    return bandwidths;
}

class Order : public testing::Test {
protected:
    static void SetUpTestSuite() {
        modelled = recorded("transpose.simulated.txt");
        EXPECT_EQ(modelled.size(), 9u);
    }
    static void expect_ascending(const std::vector<const char*>& kernels) {
        double before = 0;
        for (const char* kernel : kernels) {
            EXPECT_GT(modelled[kernel], before) << kernel << " is not faster than the kernel before it";
            before = modelled[kernel];
        }
    }
    static inline std::map<std::string, double> modelled;
};

TEST_F(Order, IsTheH200s) {
    expect_ascending({"copy_col", "naive_row", "naive_col", "tiled", "copy_row", "tiled_padded"});
}

// What each rung of the ladder is for.
TEST_F(Order, EachStepUpIsFaster) {
    expect_ascending({"naive_row", "naive_col", "tiled", "tiled_padded", "tiled_elements", "vectorised", "fastest"});
}

TEST_F(Order, BandwidthsAreNearTheH200s) {
    const std::map<std::string, double> h200 = recorded("transpose.h200.txt");
    ASSERT_EQ(h200.size(), 9u);
    for (const auto& [kernel, bandwidth] : h200) EXPECT_NEAR(modelled[kernel] / bandwidth, 1, 0.25) << kernel;
}

}  // namespace
