// Copies and fills: which arguments CUDA accepts, the bytes, and which calls return before they ran.
// Error codes and timing as an H200 shows them (driver 580, CUDA 13.0).
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "cudart/cuda_errors.h"

namespace {

class Copies : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(cudaMalloc(&device, 4096), cudaSuccess);
        ASSERT_EQ(cudaMalloc(&other, 4096), cudaSuccess);
        ASSERT_EQ(cudaMallocHost(&pinned, 4096), cudaSuccess);
        ASSERT_EQ(cudaMallocManaged(&managed, 4096, cudaMemAttachGlobal), cudaSuccess);
        ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
        std::iota(host.begin(), host.end(), 0);
    }
    void TearDown() override {
        EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
        EXPECT_EQ(cudaFree(device), cudaSuccess);
        EXPECT_EQ(cudaFree(other), cudaSuccess);
        EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
        EXPECT_EQ(cudaFree(managed), cudaSuccess);
        cudaGetLastError();
    }
    std::vector<unsigned char> bytes_of(const void* pointer, size_t bytes) {
        std::vector<unsigned char> result(bytes);
        EXPECT_EQ(cudaMemcpy(result.data(), pointer, bytes, cudaMemcpyDefault), cudaSuccess);
        return result;
    }

    unsigned char* device = nullptr;
    unsigned char* other = nullptr;
    unsigned char* pinned = nullptr;
    unsigned char* managed = nullptr;
    cudaStream_t stream = nullptr;
    std::vector<unsigned char> host = std::vector<unsigned char>(8192);
};

TEST_F(Copies, TheKindMustBePossible) {
    unsigned char* const h = host.data();
    const struct {
        void* to;
        const void* from;
        cudaMemcpyKind kind;
        cudaError_t expected;
    } cases[] = {
        {device, h, cudaMemcpyHostToDevice, cudaSuccess},
        {device, h, cudaMemcpyDefault, cudaSuccess},
        {device, h, cudaMemcpyDeviceToHost, cudaErrorInvalidValue},
        {device, h, cudaMemcpyDeviceToDevice, cudaErrorInvalidValue},
        {device, h, cudaMemcpyHostToHost, cudaSuccess},
        {h, device, cudaMemcpyHostToDevice, cudaErrorInvalidValue},
        {h, device, cudaMemcpyHostToHost, cudaSuccess},
        {h, device, cudaMemcpyDeviceToDevice, cudaErrorInvalidValue},
        {device, other, cudaMemcpyHostToDevice, cudaSuccess},
        {device, other, cudaMemcpyDeviceToHost, cudaSuccess},
        {h, h + 1000, cudaMemcpyDeviceToDevice, cudaErrorInvalidValue},
        {h, h + 1000, cudaMemcpyHostToDevice, cudaErrorInvalidValue},
        {h, h + 1000, cudaMemcpyDeviceToHost, cudaErrorInvalidValue},
        {h, h + 1000, cudaMemcpyHostToHost, cudaSuccess},
        {h, h + 1000, cudaMemcpyDefault, cudaSuccess},
        {pinned, device, cudaMemcpyHostToDevice, cudaSuccess},
        {device, pinned, cudaMemcpyDeviceToHost, cudaSuccess},
        {device, pinned, cudaMemcpyDeviceToDevice, cudaSuccess},
        {managed, h, cudaMemcpyDeviceToDevice, cudaErrorInvalidValue},
        {managed, device, cudaMemcpyHostToDevice, cudaSuccess},
        {device, h, static_cast<cudaMemcpyKind>(7), cudaErrorInvalidMemcpyDirection},
    };
    for (const auto& [to, from, kind, expected] : cases) {
        EXPECT_EQ(cudaMemcpy(to, from, 100, kind), expected) << "case " << (&expected - &cases[0].expected);
        EXPECT_EQ(cudaMemcpyAsync(to, from, 100, kind, stream), expected);
    }
}

TEST_F(Copies, NullIsRefusedUnlessThereIsNothingToCopy) {
    EXPECT_EQ(cudaMemcpy(nullptr, host.data(), 100, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(device, nullptr, 100, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(device, host.data(), 0, static_cast<cudaMemcpyKind>(7)), cudaSuccess);
}

TEST_F(Copies, StayInsideTheirAllocations) {
    EXPECT_EQ(cudaMemcpy(device, host.data(), 4096, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(device, host.data(), 4097, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(device + 1, host.data(), 4096, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(host.data(), device, 8192, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpyAsync(device, host.data(), 4097, cudaMemcpyHostToDevice, stream), cudaErrorInvalidValue);
    void* gone = nullptr;
    ASSERT_EQ(cudaMalloc(&gone, 100), cudaSuccess);
    ASSERT_EQ(cudaFree(gone), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(gone, host.data(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(gone, 0, 4), cudaErrorInvalidValue);
}

TEST_F(Copies, RoundTrip) {
    ASSERT_EQ(cudaMemcpy(device, host.data(), 4096, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(other, device, 4096, cudaMemcpyDeviceToDevice), cudaSuccess);
    std::vector<unsigned char> back(4096);
    ASSERT_EQ(cudaMemcpy(back.data(), other, 4096, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_TRUE(std::equal(back.begin(), back.end(), host.begin()));
}

TEST_F(Copies, Rows) {
    // 3 rows of 4 bytes out of a matrix 16 wide into one 8 wide.
    ASSERT_EQ(cudaMemset(device, 0xee, 4096), cudaSuccess);
    ASSERT_EQ(cudaMemcpy2D(device, 8, host.data(), 16, 4, 3, cudaMemcpyHostToDevice), cudaSuccess);
    const std::vector<unsigned char> expected = {0,  1,  2,  3,  0xee, 0xee, 0xee, 0xee,
                                                 16, 17, 18, 19, 0xee, 0xee, 0xee, 0xee,
                                                 32, 33, 34, 35, 0xee, 0xee, 0xee, 0xee};
    EXPECT_EQ(bytes_of(device, 24), expected);

    EXPECT_EQ(cudaMemcpy2D(device, 16, host.data(), 64, 32, 10, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    EXPECT_EQ(cudaMemcpy2D(device, 32, host.data(), 16, 32, 10, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    EXPECT_EQ(cudaMemcpy2D(device, 32, host.data(), 32, 32, 128, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy2D(device, 32, host.data(), 32, 32, 129, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy2D(device, size_t{1} << 40, host.data(), 32, 32, 2, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy2D(device, 32, host.data(), 32, 32, 10, static_cast<cudaMemcpyKind>(9)),
              cudaErrorInvalidMemcpyDirection);
    EXPECT_EQ(cudaMemcpy2D(device, 0, host.data(), 0, 32, 1, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy2D(device, 16, host.data(), 16, 32, 0, cudaMemcpyHostToDevice), cudaSuccess);
}

TEST_F(Copies, Boxes) {
    // A box of 2 x 2 x 2 bytes at (1, 1, 1) of a volume 4 x 3 x 2... rows of 4 bytes, 3 rows a slice.
    cudaMemcpy3DParms parameters{};
    EXPECT_EQ(cudaMemcpy3D(nullptr), cudaErrorInvalidValue);
    parameters.extent = {2, 2, 2};
    parameters.kind = cudaMemcpyHostToDevice;
    EXPECT_EQ(cudaMemcpy3D(&parameters), cudaErrorInvalidValue);
    parameters.srcPtr = {host.data(), 4, 4, 3};
    parameters.dstPtr = {device, 2, 2, 2};
    parameters.srcPos = {1, 1, 1};
    ASSERT_EQ(cudaMemcpy3D(&parameters), cudaSuccess);
    // Byte (x, y, z) of the source holds x + 4 y + 12 z; the box begins at 1 + 4 + 12 = 17.
    EXPECT_EQ(bytes_of(device, 8), (std::vector<unsigned char>{17, 18, 21, 22, 29, 30, 33, 34}));

    parameters.dstPtr = {device, 32, 32, 4};
    parameters.srcPtr = {host.data(), 32, 32, 4};
    parameters.srcPos = {};
    const struct {
        cudaExtent extent;
        cudaError_t expected;
    } cases[] = {
        {{10, 1, 1}, cudaSuccess},
        {{33, 1, 1}, cudaErrorInvalidValue},
        {{32, 5, 1}, cudaErrorInvalidValue},
        {{32, 5, 2}, cudaErrorInvalidPitchValue},
        {{32, 4, 100}, cudaErrorInvalidValue},
    };
    for (const auto& [extent, expected] : cases) {
        parameters.extent = extent;
        EXPECT_EQ(cudaMemcpy3D(&parameters), expected) << extent.width << " " << extent.height << " " << extent.depth;
    }
}

TEST_F(Copies, Fills) {
    ASSERT_EQ(cudaMemset(device, 0x1ff, 16), cudaSuccess);  // the value is a byte
    EXPECT_EQ(bytes_of(device, 16), std::vector<unsigned char>(16, 0xff));
    ASSERT_EQ(cudaMemset2D(device, 8, 1, 4, 2), cudaSuccess);
    EXPECT_EQ(bytes_of(device, 16),
              (std::vector<unsigned char>{1, 1, 1, 1, 0xff, 0xff, 0xff, 0xff, 1, 1, 1, 1, 0xff, 0xff, 0xff, 0xff}));
    EXPECT_EQ(cudaMemset(device, 0, 4097), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(host.data(), 0, 10), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(pinned, 0, 10), cudaSuccess);
    EXPECT_EQ(cudaMemset(nullptr, 0, 10), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(nullptr, 0, 0), cudaSuccess);
    EXPECT_EQ(cudaMemset2D(device, 32, 0, 64, 2), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset2D(device, 64, 0, 32, 64), cudaSuccess);
    EXPECT_EQ(cudaMemset2D(device, 64, 0, 32, 65), cudaErrorInvalidValue);
}

// Queues something in `stream`, makes the call, and tells whether it ran the queued work.
template <class Call>
bool waits(cudaStream_t stream, Call&& call) {
    bool ran = false;
    EXPECT_EQ(cudaLaunchHostFunc(
                  stream, [](void* flag) { *static_cast<bool*>(flag) = true; }, &ran),
              cudaSuccess);
    EXPECT_EQ(call(), cudaSuccess);
    const bool result = ran;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_TRUE(ran);
    return result;
}

TEST_F(Copies, BlockingCallsWaitExceptWithinDeviceMemory) {
    unsigned char* const h = host.data();
    EXPECT_FALSE(waits(stream, [&] { return cudaMemcpy(device, other, 100, cudaMemcpyDeviceToDevice); }));
    EXPECT_TRUE(waits(stream, [&] { return cudaMemcpy(device, h, 100, cudaMemcpyHostToDevice); }));
    EXPECT_TRUE(waits(stream, [&] { return cudaMemcpy(device, pinned, 100, cudaMemcpyHostToDevice); }));
    EXPECT_TRUE(waits(stream, [&] { return cudaMemcpy(managed, device, 100, cudaMemcpyDefault); }));
    EXPECT_TRUE(waits(stream, [&] { return cudaMemcpy(managed, managed + 1000, 100, cudaMemcpyDefault); }));
    EXPECT_FALSE(waits(stream, [&] { return cudaMemset(device, 0, 100); }));
    EXPECT_TRUE(waits(stream, [&] { return cudaMemset(pinned, 0, 100); }));
    EXPECT_TRUE(waits(stream, [&] { return cudaMemset(managed, 0, 100); }));
}

TEST_F(Copies, AsynchronousCallsWaitForPageableDestinations) {
    unsigned char* const h = host.data();
    EXPECT_FALSE(waits(stream, [&] { return cudaMemcpyAsync(device, h, 100, cudaMemcpyHostToDevice, stream); }));
    EXPECT_TRUE(waits(stream, [&] { return cudaMemcpyAsync(h, device, 100, cudaMemcpyDeviceToHost, stream); }));
    EXPECT_FALSE(waits(stream, [&] { return cudaMemcpyAsync(pinned, device, 100, cudaMemcpyDeviceToHost, stream); }));
    EXPECT_TRUE(
        waits(stream, [&] { return cudaMemcpyAsync(pinned, pinned + 1000, 100, cudaMemcpyHostToHost, stream); }));
    EXPECT_FALSE(waits(stream, [&] { return cudaMemcpyAsync(managed, device, 100, cudaMemcpyDefault, stream); }));
    EXPECT_FALSE(waits(stream, [&] { return cudaMemcpyAsync(managed, h, 100, cudaMemcpyDefault, stream); }));
    EXPECT_FALSE(waits(stream, [&] { return cudaMemsetAsync(managed, 0, 100, stream); }));
}

TEST_F(Copies, AllocationDoesNotWaitAndReleaseDoes) {
    void* pointer = nullptr;
    EXPECT_FALSE(waits(stream, [&] { return cudaMalloc(&pointer, 100); }));
    EXPECT_TRUE(waits(stream, [&] { return cudaFree(pointer); }));
    EXPECT_FALSE(waits(stream, [&] { return cudaMallocHost(&pointer, 100); }));
    EXPECT_TRUE(waits(stream, [&] { return cudaFreeHost(pointer); }));
    EXPECT_FALSE(waits(stream, [&] { return cudaHostRegister(host.data(), 100, 0); }));
    EXPECT_TRUE(waits(stream, [&] { return cudaHostUnregister(host.data()); }));
    EXPECT_FALSE(waits(stream, [&] { return cudaMallocAsync(&pointer, 100, stream); }));
    EXPECT_FALSE(waits(stream, [&] { return cudaFreeAsync(pointer, stream); }));
}

TEST_F(Copies, APageableSourceIsTakenAtTheCall) {
    ASSERT_EQ(cudaMemcpyAsync(device, host.data(), 3, cudaMemcpyHostToDevice, stream), cudaSuccess);
    host[1] = 99;
    EXPECT_EQ(bytes_of(device, 3), (std::vector<unsigned char>{0, 1, 2}));
}

TEST_F(Copies, APinnedSourceIsReadWhenTheCopyRuns) {
    std::memset(pinned, 5, 3);
    ASSERT_EQ(cudaMemcpyAsync(device, pinned, 3, cudaMemcpyHostToDevice, stream), cudaSuccess);
    pinned[1] = 99;
    EXPECT_EQ(bytes_of(device, 3), (std::vector<unsigned char>{5, 99, 5}));
}

TEST_F(Copies, APinnedDestinationIsStaleUntilSomethingWaits) {
    ASSERT_EQ(cudaMemset(device, 7, 16), cudaSuccess);
    std::memset(pinned, 0, 16);
    ASSERT_EQ(cudaMemcpyAsync(pinned, device, 16, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    EXPECT_EQ(pinned[0], 0);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(pinned[0], 7);
}

}  // namespace
