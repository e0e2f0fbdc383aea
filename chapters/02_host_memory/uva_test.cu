// One range of addresses: whose memory a pointer is, and that it is the same on both sides.
#include <algorithm>

#include "guarded.cuh"
#include "program_output.h"

namespace {

using namespace lanescope::test;
using lanescope::tutorial::on_simulated_gpu;
using testing::ContainsRegex;
using testing::HasSubstr;

__global__ void add_one(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += 1;
}

__device__ int variable[4];

int attribute(cudaDeviceAttr which) {
    int value = -1;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, which, 0), cudaSuccess);
    return value;
}

cudaPointerAttributes attributes_of(const void* pointer) {
    cudaPointerAttributes attributes{};
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
    return attributes;
}

class Uva : public testing::Test {
protected:
    void SetUp() override {
        if (!attribute(cudaDevAttrUnifiedAddressing)) GTEST_SKIP() << "this GPU has no unified addressing";
    }
};

// Pinned memory is mapped under unified addressing, even if nobody asked for it.
TEST_F(Uva, TheDevicesPointerIsTheHosts) {
    for (const Kind kind : {Kind::pinned, Kind::mapped, Kind::registered}) {
        if (kind == Kind::registered && !attribute(cudaDevAttrCanUseHostPointerForRegisteredMem)) continue;
        SCOPED_TRACE(name_of(kind));
        Guarded memory(kind, 4000);
        int* const host = memory.data<int>();
        void* device = nullptr;
        EXPECT_EQ(cudaHostGetDevicePointer(&device, host, 0), cudaSuccess);
        EXPECT_EQ(device, host);
        EXPECT_EQ(cudaHostGetDevicePointer(&device, host + 999, 0), cudaSuccess);   // from the middle, too
        EXPECT_EQ(device, host + 999);
    }
}

TEST_F(Uva, AKernelTakesTheHostsPointer) {
    for (const Kind kind : {Kind::pinned, Kind::mapped, Kind::managed}) {
        SCOPED_TRACE(name_of(kind));
        Guarded memory(kind, 1000 * sizeof(int));
        int* const values = memory.data<int>();
        std::fill_n(values, 1000, 41);
        add_one<<<4, 256>>>(values, 1000);
        ASSERT_EQ(cudaGetLastError(), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(std::count(values, values + 1000, 42), 1000);
        EXPECT_TRUE(memory.guards_are_untouched());
    }
}

// Pageable memory has no device pointer. (Nor does it need one where the GPU reads all host memory.)
TEST_F(Uva, PageableMemoryIsRefused) {
    std::vector<int> values(100);
    void* device = nullptr;
    EXPECT_NE(cudaHostGetDevicePointer(&device, values.data(), 0), cudaSuccess);
    EXPECT_NE(cudaGetLastError(), cudaSuccess);   // clears it
}

TEST_F(Uva, AttributesOfHostMemory) {
    for (const Kind kind : {Kind::pinned, Kind::mapped, Kind::registered}) {
        SCOPED_TRACE(name_of(kind));
        Guarded memory(kind, 1000);
        for (const std::size_t offset : {0, 1, 999}) {
            unsigned char* const pointer = memory.data() + offset;
            const cudaPointerAttributes it = attributes_of(pointer);
            EXPECT_EQ(it.type, cudaMemoryTypeHost);
            EXPECT_EQ(it.hostPointer, pointer);
            void* device = nullptr;
            EXPECT_EQ(cudaHostGetDevicePointer(&device, pointer, 0), cudaSuccess);
            EXPECT_EQ(it.devicePointer, device);
        }
    }
}

TEST_F(Uva, AttributesOfDeviceMemory) {
    Guarded memory(Kind::device, 1000);
    void* symbol = nullptr;
    ASSERT_EQ(cudaGetSymbolAddress(&symbol, variable), cudaSuccess);
    for (void* const pointer : {static_cast<void*>(memory.data()), static_cast<void*>(memory.data() + 999), symbol}) {
        const cudaPointerAttributes it = attributes_of(pointer);
        EXPECT_EQ(it.type, cudaMemoryTypeDevice);
        EXPECT_EQ(it.device, 0);
        EXPECT_EQ(it.devicePointer, pointer);
        EXPECT_EQ(it.hostPointer, nullptr);
    }
}

TEST_F(Uva, AttributesOfManagedMemory) {
    Guarded memory(Kind::managed, 1000);
    const cudaPointerAttributes it = attributes_of(memory.data());
    EXPECT_EQ(it.type, cudaMemoryTypeManaged);
    EXPECT_EQ(it.devicePointer, memory.data());
    EXPECT_EQ(it.hostPointer, memory.data());
}

TEST_F(Uva, WhatCudaDoesNotKnowIsUnregistered) {
    Guarded memory(Kind::pageable, 1000);
    EXPECT_EQ(attributes_of(memory.data()).type, cudaMemoryTypeUnregistered);
    Guarded once(Kind::pageable, 8192);
    unsigned char* const page = once.data() - 256;   // where aligned_alloc began
    ASSERT_EQ(cudaHostRegister(page, 8192, cudaHostRegisterMapped), cudaSuccess);
    EXPECT_EQ(attributes_of(page).type, cudaMemoryTypeHost);
    ASSERT_EQ(cudaHostUnregister(page), cudaSuccess);
    EXPECT_EQ(attributes_of(page).type, cudaMemoryTypeUnregistered);
}

// The addresses say which way a copy goes: all pairs of kinds.
TEST_F(Uva, CopiesNeedNoDirection) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{4097}, std::size_t{1048583}}) {
        const auto sent = pattern(bytes, 4);
        for (const Kind from_kind : all_kinds) {
            Guarded from(from_kind, bytes);
            from.set(sent);
            for (const Kind to_kind : all_kinds) {
                Guarded to(to_kind, bytes);
                ASSERT_EQ(cudaMemcpy(to.data(), from.data(), bytes, cudaMemcpyDefault), cudaSuccess)
                    << name_of(from_kind) << " to " << name_of(to_kind);
                EXPECT_EQ(to.contents(), sent) << name_of(from_kind) << " to " << name_of(to_kind);
                EXPECT_TRUE(to.guards_are_untouched()) << name_of(from_kind) << " to " << name_of(to_kind);
            }
        }
    }
}

TEST(UvaProgram, OneDevice) {
    for (const char* n : {"1", "257", "100003"}) {
        const Finished run = run_well({PROGRAM_uva, "--n", n}, {{"LANESCOPE_GPU", "h200"}});
        EXPECT_THAT(run.out, HasSubstr("1. Unified addressing: yes."));
        EXPECT_THAT(run.out, ContainsRegex("mapped \\(cudaHostAlloc\\) +the host's pointer\n"));
        EXPECT_THAT(run.out, ContainsRegex("pageable \\(new, malloc\\) +unregistered +none "));
        EXPECT_THAT(run.out, ContainsRegex("mapped \\(cudaHostAlloc\\) +host +[0-9]+ +the same +the same\n"));
        EXPECT_THAT(run.out, ContainsRegex("device \\(cudaMalloc\\) +device +0 +the same +null\n"));
        EXPECT_THAT(run.out, ContainsRegex("managed \\(cudaMallocManaged\\) +managed +[0-9]+ +the same +the same\n"));
        EXPECT_THAT(run.out, HasSubstr(std::string(n) + " ints came back unchanged."));
        if (on_simulated_gpu()) EXPECT_THAT(run.out, HasSubstr("run with LANESCOPE_GPU=h200,h200 set."));
    }
}

TEST(UvaProgram, TwoDevices) {
    int devices = 0;
    ASSERT_EQ(cudaGetDeviceCount(&devices), cudaSuccess);
    if (!on_simulated_gpu() && devices < 2) GTEST_SKIP() << "this machine has one GPU";
    for (const char* gpus : {"h200,h200", "k80,v100"}) {
        const Finished run = run_well({PROGRAM_uva, "--n", "1001"}, {{"LANESCOPE_GPU", gpus}});
        EXPECT_THAT(run.out, HasSubstr("the attributes of two arrays say device 0 and device 1."));
        EXPECT_THAT(run.out, HasSubstr("cudaMemcpyPeer brought 1001 ints from device 1 to device 0."));
        if (on_simulated_gpu())
            EXPECT_THAT(run.out, HasSubstr("With peer access a kernel on device 0 read them where"));
    }
}

TEST(UvaProgram, HelpAndRefusals) {
    expect_help(PROGRAM_uva, {"--n"});
    expect_refused(PROGRAM_uva, {"--n", "0"}, "--n must be a whole number from 1");
    expect_refused(PROGRAM_uva, {"--peer"}, "--peer is not an option");
}

}   // namespace
