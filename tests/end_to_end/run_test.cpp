#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace lanescope {
namespace {

using test::Finished;
using test::run_program;
using testing::HasSubstr;
using testing::StartsWith;
namespace fs = std::filesystem;

class Run : public testing::Test {
protected:
    Finished run(std::vector<std::string> arguments, std::map<std::string, std::string> environment = {}) {
        arguments.insert(arguments.begin(), {LANESCOPE_COMMAND, "run"});
        environment["XDG_CACHE_HOME"] = cache.path();
        return run_program(arguments, environment);
    }

    const test::TemporaryFolder cache{"end to end"};
    const std::string device = std::string(SOURCES) + "/device.cu";
};

TEST_F(Run, CompilesAndRunsOnTheSimulatedGpu) {
    const Finished plain = run({device});
    EXPECT_EQ(plain.exit_status, 0) << plain.err;
    EXPECT_EQ(plain.out, "NVIDIA H200, 9.0\n9 1\n");   // 3 * 3 and 1 * 1
    const Finished with_arguments = run({device, "a", "b"});
    EXPECT_EQ(with_arguments.exit_status, 5) << with_arguments.err;
    EXPECT_THAT(with_arguments.out, HasSubstr("\n9 9\n"));
}

TEST_F(Run, OnTheGpuOfTheProfile) {
    EXPECT_EQ(run({"--gpu", "rtx4090", device}).out, "NVIDIA GeForce RTX 4090, 8.9\n9 1\n");
    EXPECT_EQ(run({"--gpu", "k80", device}).out, "Tesla K80, 3.7\n9 1\n");   // older than what this nvcc compiles for
    EXPECT_THAT(run({device}, {{"LANESCOPE_GPU", "a100"}}).out, StartsWith("NVIDIA A100"));
}

TEST_F(Run, ErrorsInAKernelReachTheUser) {
    const fs::path source = cache.path() / "stray.cu";
    std::ofstream(source) << "#include \"tutorial/check.cuh\"\n"
                             "__global__ void stray(int* p) { p[1 << 20] = 1; }\n"
                             "int main() {\n"
                             "    int* p;\n"
                             "    CUDA_CHECK(cudaMalloc(&p, 4));\n"
                             "    stray<<<1, 1>>>(p);\n"
                             "    CUDA_CHECK(cudaDeviceSynchronize());\n"
                             "}\n";
    const Finished stray = run({source});
    EXPECT_EQ(stray.exit_status, 1);
    EXPECT_THAT(stray.err, HasSubstr("stray.cu:7: cudaDeviceSynchronize() failed: cudaErrorIllegalAddress"));
    EXPECT_THAT(stray.err, HasSubstr("stray.cu:2"));   // the report of the access names its source line
}

}  // namespace
}  // namespace lanescope
