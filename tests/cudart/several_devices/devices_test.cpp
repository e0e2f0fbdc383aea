// Two different GPUs in one machine, and none.
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "cudart/cuda_errors.h"

namespace {

// Read by the runtime at its first call.
const int two_gpus = setenv("LANESCOPE_GPU", "k80,h200", 1);

TEST(Devices, AreInTheOrderOfTheList) {
    int count = 0;
    ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
    ASSERT_EQ(count, 2);
    cudaDeviceProp first, second;
    ASSERT_EQ(cudaGetDeviceProperties(&first, 0), cudaSuccess);
    ASSERT_EQ(cudaGetDeviceProperties(&second, 1), cudaSuccess);
    EXPECT_EQ(first.major, 3);
    EXPECT_EQ(second.major, 9);
    int device = -1;
    EXPECT_EQ(cudaChooseDevice(&device, &second), cudaSuccess);
    EXPECT_EQ(device, 1);
}

TEST(Devices, MemoryBelongsToTheCurrentOne) {
    void* pointer = nullptr;
    ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&pointer, 100), cudaSuccess);
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    cudaPointerAttributes attributes{};
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
    EXPECT_EQ(attributes.device, 1);
    EXPECT_EQ(cudaFree(pointer), cudaSuccess);
}

TEST(Devices, CopiesBetweenThem) {
    int* here = nullptr;
    int* there = nullptr;
    ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&there, sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&here, sizeof(int)), cudaSuccess);
    int value = 5, back = 0;
    ASSERT_EQ(cudaMemcpy(here, &value, sizeof value, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpyPeer(there, 1, here, 0, sizeof value), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(&back, there, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(back, 5);
    EXPECT_EQ(cudaMemcpyPeer(there, 2, here, 0, sizeof value), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaMemcpyPeer(there, 1, &value, 0, sizeof value), cudaErrorInvalidValue);
    cudaGetLastError();
    EXPECT_EQ(cudaFree(here), cudaSuccess);
    EXPECT_EQ(cudaFree(there), cudaSuccess);
}

TEST(Devices, PeerAccessIsEnabledOnce) {
    int can = 0;
    EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1), cudaSuccess);
    EXPECT_EQ(can, 1);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaSuccess);
    EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
    cudaGetLastError();
}

TEST(Devices, AnEventBelongsToTheDeviceThatMadeIt) {
    cudaEvent_t event;
    cudaStream_t stream;
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
    ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(event, stream), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaStreamWaitEvent(stream, event, 0), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
    cudaGetLastError();
}

}  // namespace
