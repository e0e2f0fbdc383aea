// lanescope::count: what a program learns about its own kernels. Elsewhere than on the simulated GPU there is
// nothing to test but that it says so.
#include "tutorial/counters.h"

#include <cuda_runtime.h>
#include <gmock/gmock.h>

#include <string>

namespace {

using lanescope::Counts;
using lanescope::MemoryCounts;

__device__ unsigned int sum;

__global__ void copy(const int* from, int* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}

__global__ void add_even(int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 2 == 0) atomicAdd(&sum, 1u);
}

class Counting : public testing::Test {
protected:
    void SetUp() override {
        if (!lanescope::can_count()) GTEST_SKIP() << "this runtime does not count";
        ASSERT_EQ(cudaMalloc(&from, 4096 * sizeof(int)), cudaSuccess);
        ASSERT_EQ(cudaMalloc(&to, 4096 * sizeof(int)), cudaSuccess);
        ASSERT_EQ(cudaMemset(from, 0, 4096 * sizeof(int)), cudaSuccess);
    }
    void TearDown() override {
        cudaFree(from);
        cudaFree(to);
    }
    int* from = nullptr;
    int* to = nullptr;
};

// 1000 threads: 31 full warps and one of 8 lanes, 32 requests each way. 31 * 4 sectors and 1 for the last 32 bytes.
TEST_F(Counting, RequestsAndSectors) {
    const Counts counts = lanescope::count([&] { copy<<<4, 256>>>(from, to, 1000); });
    EXPECT_EQ(counts.global_load.requests, 32u);
    EXPECT_EQ(counts.global_load.sectors, 125u);
    EXPECT_EQ(counts.global_store.requests, 32u);
    EXPECT_EQ(counts.global_store.sectors, 125u);
    EXPECT_EQ(counts.global_atomic.requests, 0u);
    EXPECT_GT(counts.warp_instructions, 64u);
}

// 4 warps of 64 threads' worth of work have even lanes: one request for each warp, however many lanes add.
TEST_F(Counting, Atomics) {
    const Counts counts = lanescope::count([&] { add_even<<<2, 64>>>(128); });
    EXPECT_EQ(counts.global_reduction.requests, 4u);   // the result is not used
    EXPECT_EQ(counts.global_atomic.requests, 0u);
    EXPECT_EQ(counts.global_load.requests, 0u);
}

TEST_F(Counting, LaunchesInOrderWithTheirGrids) {
    const Counts counts = lanescope::count([&] {
        copy<<<dim3(2, 3, 4), dim3(8, 4, 2)>>>(from, to, 8);
        add_even<<<5, 32>>>(10);
    });
    ASSERT_EQ(counts.launches.size(), 2u);
    EXPECT_THAT(counts.launches[0].kernel, testing::HasSubstr("copy"));
    EXPECT_EQ(counts.launches[0].blocks(), 24u);
    EXPECT_EQ(counts.launches[0].threads_per_block(), 64u);
    EXPECT_THAT(counts.launches[1].kernel, testing::HasSubstr("add_even"));
    EXPECT_EQ(counts.launches[1].blocks(), 5u);
}

// Of two blocks of one warp each, the second goes round a loop 100 times.
__global__ void uneven(int* to) {
    int sum = 0;
    for (int i = 0; i < (blockIdx.x == 1 ? 100 : 0); ++i) sum += to[i];
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

TEST_F(Counting, TheBusiestWarp) {
    const Counts even = lanescope::count([&] { copy<<<4, 256>>>(from, to, 1024); });
    EXPECT_EQ(even.busiest_warp_instructions * 32, even.warp_instructions);   // 32 warps that do the same
    const Counts counts = lanescope::count([&] { uneven<<<2, 32>>>(to); });
    EXPECT_GT(counts.busiest_warp_instructions, 300u);   // load, add, and at least one more in each round
    EXPECT_GT(counts.warp_instructions, counts.busiest_warp_instructions);
    EXPECT_LT(counts.warp_instructions, counts.busiest_warp_instructions + 30);
}

TEST_F(Counting, CopiesBetweenHostAndDevice) {
    std::vector<int> host(100);
    const Counts counts = lanescope::count([&] {
        cudaMemcpy(from, host.data(), 400, cudaMemcpyHostToDevice);
        cudaMemcpyAsync(host.data(), from, 40, cudaMemcpyDeviceToHost);
        cudaMemcpy(to, from, 80, cudaMemcpyDeviceToDevice);
        unsigned int value = 0;
        cudaMemcpyFromSymbol(&value, sum, sizeof value);
    });
    EXPECT_EQ(counts.copied_to_device_bytes, 400u);
    EXPECT_EQ(counts.copied_to_host_bytes, 44u);
}

TEST_F(Counting, SourceLines) {
    const Counts counts = lanescope::count([&] { copy<<<4, 256>>>(from, to, 1024); });
    ASSERT_EQ(counts.lines.size(), 1u);   // the load and the store are on one line
    const auto& [place, line] = *counts.lines.begin();
    EXPECT_THAT(place.first, testing::EndsWith("counters_test.cu"));
    EXPECT_EQ(line.global_load.sectors, 128u);
    EXPECT_EQ(line.global_store.sectors, 128u);
}

// Only what is launched inside counts, and it is waited for.
TEST_F(Counting, NothingBeforeAndNothingAfter) {
    copy<<<1, 32>>>(from, to, 32);
    const Counts counts = lanescope::count([&] { copy<<<1, 64>>>(from, to, 64); });
    EXPECT_EQ(counts.launches.size(), 1u);
    EXPECT_EQ(counts.global_load.requests, 2u);
    copy<<<1, 32>>>(from, to, 32);
    EXPECT_TRUE(lanescope::count([] {}).launches.empty());
}

TEST_F(Counting, ACountInsideACountIsEmptyAndTheOuterOneGoesOn) {
    Counts inner;
    const Counts outer = lanescope::count([&] { inner = lanescope::count([&] { copy<<<1, 32>>>(from, to, 32); }); });
    EXPECT_TRUE(inner.launches.empty());
    EXPECT_EQ(outer.launches.size(), 1u);
}

TEST(CanCount, IsTrueExactlyWhereCountersArrive) {
    const Counts counts = lanescope::count([] { add_even<<<1, 32>>>(32); });
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(counts.launches.size(), lanescope::can_count() ? 1u : 0u);
}

}  // namespace
