// The last error of a thread; names and texts against the toolkit's own library.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "cudart/cuda_errors.h"

namespace {

TEST(LastError, IsReturnedOnceAndPeekedOften) {
    EXPECT_EQ(cudaMalloc(nullptr, 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(LastError, SurvivesCallsThatSucceed) {
    EXPECT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
    int count = 0;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST(LastError, BelongsToItsThread) {
    std::thread([] { EXPECT_EQ(cudaMalloc(nullptr, 1), cudaErrorInvalidValue); }).join();
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(LastError, IsNotSetByNotReady) {
    cudaEvent_t event;
    ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
    void* memory = nullptr;
    ASSERT_EQ(cudaMalloc(&memory, 16), cudaSuccess);
    ASSERT_EQ(cudaMemset(memory, 0, 16), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(event), cudaSuccess);
    EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

// The toolkit's library needs no GPU to name an error. Ours may know errors of later toolkits too.
TEST(ErrorTable, AgreesWithTheToolkit) {
    void* toolkit = dlopen(TOOLKIT_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(toolkit, nullptr) << dlerror();
    using Text = const char* (*)(cudaError_t);
    const auto name = reinterpret_cast<Text>(dlsym(toolkit, "cudaGetErrorName"));
    const auto text = reinterpret_cast<Text>(dlsym(toolkit, "cudaGetErrorString"));
    ASSERT_NE(name, &cudaGetErrorName) << "the loader gave the drop-in library instead of the toolkit's";
    int known = 0;
    for (int code = 0; code <= 10001; ++code) {
        const auto error = static_cast<cudaError_t>(code);
        if (std::string(name(error)) == "unrecognized error code") continue;
        ++known;
        EXPECT_STREQ(cudaGetErrorName(error), name(error)) << code;
        EXPECT_STREQ(cudaGetErrorString(error), text(error)) << code;
    }
    EXPECT_GT(known, 100);
}

TEST(ErrorTable, SaysSoWhenANumberIsNoError) {
    EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(12345)), "unrecognized error code");
    EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(-1)), "unrecognized error code");
}

}  // namespace
