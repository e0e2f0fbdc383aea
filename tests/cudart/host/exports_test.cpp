// The drop-in library has the toolkit's entry points, all of them and no others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include <cuda_runtime_api.h>

#include "cudart/cuda_errors.h"
#include "support/run_program.h"

namespace {

// "cudaMalloc@@libcudart.so.13" of every function that a library defines.
std::set<std::string> exports_of(const char* library) {
    const auto nm = lanescope::test::run_program({NM, "-D", "--defined-only", library});
    EXPECT_EQ(nm.exit_status, 0) << nm.err;
    std::set<std::string> names;
    std::istringstream lines(nm.out);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string address, type, name;
        if (fields >> address >> type >> name) names.insert(name);
    }
    return names;
}

TEST(Exports, AreThoseOfTheToolkitAndThoseThatCount) {
    const std::set<std::string> ours = exports_of(DROP_IN_LIBRARY);
    std::set<std::string> theirs = exports_of(TOOLKIT_LIBRARY);
    EXPECT_GT(theirs.size(), 300u);
    const std::string version = theirs.begin()->substr(theirs.begin()->find('@'));
    for (const char* function : {"lanescopeBeginCount", "lanescopeEndCount"}) theirs.insert(function + version);   // counters/provider.h
    EXPECT_EQ(ours, theirs);
}

TEST(Exports, AFunctionThatNobodyWroteFailsByName) {
    testing::internal::CaptureStderr();
    cudaArray_t array = nullptr;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    EXPECT_EQ(cudaMallocArray(&array, &format, 16, 16, 0), cudaErrorNotSupported);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "lanescope: cudaMallocArray is not implemented by the simulated GPU\n");
    EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
}

}  // namespace
