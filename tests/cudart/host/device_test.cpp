// Device queries: the default profile (an H200), as the real one reports it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "cudart/cuda_errors.h"

namespace {

const int default_profile = setenv("LANESCOPE_GPU", "h200", 1);  // read by the runtime at its first call

int attribute(cudaDeviceAttr name) {
    int value = -99;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, name, 0), cudaSuccess) << name;
    return value;
}

TEST(Device, ThereIsOne) {
    int count = 0, device = -1;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
    EXPECT_EQ(count, 1);
    EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
    EXPECT_EQ(device, 0);
    EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetDevice(nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetDeviceCount(nullptr), cudaErrorInvalidValue);
    cudaGetLastError();
}

TEST(Device, AttributesOfAnH200) {
    const struct {
        cudaDeviceAttr name;
        int value;
    } cases[] = {
        {cudaDevAttrMaxThreadsPerBlock, 1024},
        {cudaDevAttrMaxBlockDimZ, 64},
        {cudaDevAttrMaxGridDimX, 2147483647},
        {cudaDevAttrMaxGridDimY, 65535},
        {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 233472},
        {cudaDevAttrReservedSharedMemoryPerBlock, 1024},
        {cudaDevAttrTotalConstantMemory, 65536},
        {cudaDevAttrWarpSize, 32},
        {cudaDevAttrMaxRegistersPerBlock, 65536},
        {cudaDevAttrClockRate, 1980000},
        {cudaDevAttrMemoryClockRate, 3201000},
        {cudaDevAttrGlobalMemoryBusWidth, 6016},
        {cudaDevAttrL2CacheSize, 62914560},
        {cudaDevAttrMultiProcessorCount, 132},
        {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
        {cudaDevAttrMaxBlocksPerMultiprocessor, 32},
        {cudaDevAttrComputeCapabilityMajor, 9},
        {cudaDevAttrComputeCapabilityMinor, 0},
        {cudaDevAttrMaxTexture2DWidth, 131072},
        {cudaDevAttrMaxTexture3DDepthAlt, 32768},
        {cudaDevAttrUnifiedAddressing, 1},
        {cudaDevAttrConcurrentManagedAccess, 1},
        {cudaDevAttrEccEnabled, 1},
        {cudaDevAttrCooperativeLaunch, 1},
    };
    for (const auto& [name, value] : cases) EXPECT_EQ(attribute(name), value) << "attribute " << name;
}

TEST(Device, EveryAttributeOfTheToolkitHasAValue) {
    for (int name = 1; name < cudaDevAttrMax; ++name) attribute(static_cast<cudaDeviceAttr>(name));
    int value = 0;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 5), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
    cudaGetLastError();
}

TEST(Device, PropertiesAgreeWithAttributes) {
    cudaDeviceProp properties;
    std::memset(&properties, 0xee, sizeof properties);
    ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    EXPECT_STREQ(properties.name, "NVIDIA H200");
    EXPECT_EQ(properties.multiProcessorCount, attribute(cudaDevAttrMultiProcessorCount));
    EXPECT_EQ(properties.l2CacheSize, attribute(cudaDevAttrL2CacheSize));
    EXPECT_EQ(properties.memoryBusWidth, attribute(cudaDevAttrGlobalMemoryBusWidth));
    EXPECT_EQ(properties.maxThreadsDim[2], attribute(cudaDevAttrMaxBlockDimZ));
    EXPECT_EQ(properties.maxSurface3D[1], attribute(cudaDevAttrMaxSurface3DHeight));
    EXPECT_EQ(properties.clusterLaunch, attribute(cudaDevAttrClusterLaunch));
    EXPECT_EQ(properties.integrated, 0);
    size_t free_bytes = 0, total_bytes = 0;
    ASSERT_EQ(cudaMemGetInfo(&free_bytes, &total_bytes), cudaSuccess);
    EXPECT_EQ(properties.totalGlobalMem, total_bytes);
    EXPECT_EQ(cudaGetDeviceProperties(&properties, 3), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetDeviceProperties(nullptr, 0), cudaErrorInvalidValue);
    cudaGetLastError();
}

TEST(Device, Flags) {
    unsigned flags = 0;
    EXPECT_EQ(cudaSetDeviceFlags(cudaDeviceScheduleYield), cudaSuccess);
    EXPECT_EQ(cudaGetDeviceFlags(&flags), cudaSuccess);
    EXPECT_EQ(flags, unsigned{cudaDeviceScheduleYield | cudaDeviceMapHost});
    EXPECT_EQ(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield), cudaErrorInvalidValue);
    EXPECT_EQ(cudaSetDeviceFlags(0x1000), cudaErrorInvalidValue);
    cudaGetLastError();
}

TEST(Device, PciAddressFindsTheDevice) {
    char text[16] = "";
    int device = -1;
    ASSERT_EQ(cudaDeviceGetPCIBusId(text, sizeof text, 0), cudaSuccess);
    EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, text), cudaSuccess);
    EXPECT_EQ(device, 0);
    EXPECT_EQ(cudaDeviceGetPCIBusId(text, 5, 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, "ffff:00:00.0"), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, "garbage"), cudaErrorInvalidValue);
    cudaGetLastError();
}

TEST(Device, Limits) {
    size_t value = 0;
    EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
    EXPECT_EQ(value, 1024u);
    EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 2000), cudaSuccess);
    EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
    EXPECT_GE(value, 2000u);
    EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
    EXPECT_EQ(value, size_t{8} << 20);
    EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, size_t{1} << 40), cudaErrorInvalidValue);
    EXPECT_EQ(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 3), cudaErrorUnsupportedLimit);
    EXPECT_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(44), 1), cudaErrorInvalidValue);
    cudaGetLastError();
}

TEST(Device, OneCannotBeItsOwnPeer) {
    int can = -1;
    EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 0), cudaSuccess);
    EXPECT_EQ(can, 0);
    EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
    cudaGetLastError();
}

TEST(Device, VersionsAreTheToolkits) {
    int version = 0;
    EXPECT_EQ(cudaRuntimeGetVersion(&version), cudaSuccess);
    EXPECT_EQ(version, CUDART_VERSION);
    EXPECT_EQ(cudaDriverGetVersion(&version), cudaSuccess);
    EXPECT_EQ(version, CUDART_VERSION);
}

TEST(Device, ResetForgetsAllocations) {
    void* pointer = nullptr;
    ASSERT_EQ(cudaMalloc(&pointer, 100), cudaSuccess);
    ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(cudaFree(pointer), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMalloc(&pointer, 100), cudaSuccess);
    EXPECT_EQ(cudaFree(pointer), cudaSuccess);
    cudaGetLastError();
}

TEST(Function, WhatIsNoKernelIsRefused) {
    const int no_kernel = 0;
    cudaFuncAttributes attributes;
    int blocks = 0;
    EXPECT_EQ(cudaFuncGetAttributes(&attributes, &no_kernel), cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(cudaLaunchKernel(&no_kernel, dim3(1), dim3(1), nullptr, 0, nullptr), cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(cudaLaunchKernel(nullptr, dim3(1), dim3(1), nullptr, 0, nullptr), cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &no_kernel, 32, 0),
              cudaErrorInvalidDeviceFunction);
    void* address = nullptr;
    EXPECT_EQ(cudaGetSymbolAddress(&address, &no_kernel), cudaErrorInvalidSymbol);
    EXPECT_EQ(cudaGetSymbolAddress(&address, nullptr), cudaErrorInvalidSymbol);
    cudaGetLastError();
}

}  // namespace
