// Two devices share the addresses; each must be let into the other's memory. Two simulated GPUs, or the first two real
// ones.
#include <algorithm>
#include <cstdlib>

#include "guarded.cuh"
#include "tutorial/simulated.h"

namespace {

using namespace lanescope::test;
using lanescope::tutorial::on_simulated_gpu;

// Read by the simulated GPU's runtime at its first call.
const int two_gpus = setenv("LANESCOPE_GPU", "h200,h200", 1);

__global__ void add_one(int* to, const int* from, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i] + 1;
}

class TwoDevices : public testing::Test {
protected:
    void SetUp() override {
        int devices = 0, can_access = 0;
        ASSERT_EQ(cudaGetDeviceCount(&devices), cudaSuccess);
        if (devices < 2) GTEST_SKIP() << "this machine has one GPU";
        ASSERT_EQ(cudaDeviceCanAccessPeer(&can_access, 0, 1), cudaSuccess);
        if (!can_access) GTEST_SKIP() << "these GPUs do not reach each other's memory";
        ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    }
    void TearDown() override { EXPECT_EQ(cudaSetDevice(0), cudaSuccess); }
};

// Memory of device 1 that holds `bytes`.
struct OnDevice1 {
    void* pointer = nullptr;
    explicit OnDevice1(const std::vector<unsigned char>& bytes) {
        CUDA_CHECK(cudaSetDevice(1));
        CUDA_CHECK(cudaMalloc(&pointer, bytes.size() + 1));
        CUDA_CHECK(cudaMemcpy(pointer, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaSetDevice(0));
    }
    ~OnDevice1() { cudaFree(pointer); }
    OnDevice1(const OnDevice1&) = delete;
};

TEST_F(TwoDevices, AnAddressSaysWhichDeviceItIsOf) {
    OnDevice1 there(pattern(100, 1));
    Guarded here(Kind::device, 100);
    cudaPointerAttributes attributes{};
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, there.pointer), cudaSuccess);
    EXPECT_EQ(attributes.device, 1);
    EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, here.data()), cudaSuccess);
    EXPECT_EQ(attributes.device, 0);
}

// Neither copy needs peer access, and the one without directions needs no device numbers either.
TEST_F(TwoDevices, CopiesOfAllSizes) {
    for (const std::size_t bytes : sizes_of_copies) {
        SCOPED_TRACE(bytes);
        const auto sent = pattern(bytes, 2);
        OnDevice1 there(sent);
        Guarded by_number(Kind::device, bytes), by_address(Kind::device, bytes);
        ASSERT_EQ(cudaMemcpyPeer(by_number.data(), 0, there.pointer, 1, bytes), cudaSuccess);
        ASSERT_EQ(cudaMemcpy(by_address.data(), there.pointer, bytes, cudaMemcpyDefault), cudaSuccess);
        EXPECT_EQ(by_number.contents(), sent);
        EXPECT_EQ(by_address.contents(), sent);
        EXPECT_TRUE(by_number.guards_are_untouched() && by_address.guards_are_untouched());
    }
}

TEST_F(TwoDevices, AKernelReadsAndWritesTheOtherDevicesMemory) {
    constexpr int n = 1001;
    std::vector<unsigned char> zeros(n * sizeof(int), 0);
    OnDevice1 there(zeros);
    Guarded here(Kind::device, n * sizeof(int));
    ASSERT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
    int* const remote = static_cast<int*>(there.pointer);
    add_one<<<4, 256>>>(remote, remote, n);             // 0 becomes 1, over there
    add_one<<<4, 256>>>(here.data<int>(), remote, n);   // 2, here
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<int> values(n);
    ASSERT_EQ(cudaMemcpy(values.data(), here.data(), n * sizeof(int), cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(std::count(values.begin(), values.end(), 2), n);
    ASSERT_EQ(cudaMemcpy(values.data(), remote, n * sizeof(int), cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(std::count(values.begin(), values.end(), 1), n);
    EXPECT_TRUE(here.guards_are_untouched());
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
    EXPECT_EQ(cudaGetLastError(), cudaErrorPeerAccessAlreadyEnabled);
    EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaSuccess);
}

// Ends the process with 3 if the kernel was stopped.
void read_without_peer_access() {
    OnDevice1 there(pattern(400, 3));
    int* const remote = static_cast<int*>(there.pointer);
    add_one<<<1, 32>>>(remote, remote, 32);
    std::exit(cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 3 : 4);
}

// The address is known on device 0, but that alone opens no door.
TEST_F(TwoDevices, WithoutPeerAccessItIsAnIllegalAddress) {
    if (!on_simulated_gpu()) GTEST_SKIP() << "an illegal access is tried on the simulated GPU only";
    GTEST_FLAG_SET(death_test_style, "threadsafe");   // in a new process, whose runtime nobody has used
    EXPECT_EXIT(read_without_peer_access(), testing::ExitedWithCode(3), "illegal read of 4 bytes");
}

}   // namespace
