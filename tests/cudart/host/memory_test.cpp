// Allocation in all kinds. Error codes as an H200 gives them (driver 580, CUDA 13.0).
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "cudart/cuda_errors.h"

namespace {

class Memory : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(cudaMalloc(&device, 4096), cudaSuccess);
        ASSERT_EQ(cudaMallocHost(&pinned, 4096), cudaSuccess);
        ASSERT_EQ(cudaMallocManaged(&managed, 4096, cudaMemAttachGlobal), cudaSuccess);
    }
    void TearDown() override {
        EXPECT_EQ(cudaFree(device), cudaSuccess);
        EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
        EXPECT_EQ(cudaFree(managed), cudaSuccess);
        cudaGetLastError();
    }

    static char* at(void* pointer, size_t offset) { return static_cast<char*>(pointer) + offset; }

    void* device = nullptr;
    void* pinned = nullptr;
    void* managed = nullptr;
    std::vector<char> pageable = std::vector<char>(8192);
};

TEST_F(Memory, NothingIsAllocatedForNoBytes) {
    void* pointer = device;
    EXPECT_EQ(cudaMalloc(&pointer, 0), cudaSuccess);
    EXPECT_EQ(pointer, nullptr);
    pointer = device;
    EXPECT_EQ(cudaMallocHost(&pointer, 0), cudaSuccess);
    EXPECT_EQ(pointer, nullptr);
    pointer = device;
    EXPECT_EQ(cudaMallocManaged(&pointer, 0, cudaMemAttachGlobal), cudaSuccess);
    EXPECT_EQ(pointer, nullptr);
}

TEST_F(Memory, DevicePointersAreAlignedTo512Bytes) {
    void* odd = nullptr;
    ASSERT_EQ(cudaMalloc(&odd, 1), cudaSuccess);
    void* next = nullptr;
    ASSERT_EQ(cudaMalloc(&next, 1), cudaSuccess);
    EXPECT_EQ(reinterpret_cast<uint64_t>(odd) % 512, 0u);
    EXPECT_EQ(reinterpret_cast<uint64_t>(next) % 512, 0u);
    EXPECT_EQ(cudaFree(odd), cudaSuccess);
    EXPECT_EQ(cudaFree(next), cudaSuccess);
}

TEST_F(Memory, MoreThanTheDeviceHasIsRefused) {
    size_t free_bytes = 0, total_bytes = 0;
    ASSERT_EQ(cudaMemGetInfo(&free_bytes, &total_bytes), cudaSuccess);
    void* pointer = nullptr;
    EXPECT_EQ(cudaMalloc(&pointer, total_bytes + 1), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaMalloc(&pointer, size_t{1} << 60), cudaErrorMemoryAllocation);
}

TEST_F(Memory, InfoFollowsAllocations) {
    size_t before = 0, after = 0, total = 0;
    ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
    void* pointer = nullptr;
    ASSERT_EQ(cudaMalloc(&pointer, 1 << 20), cudaSuccess);
    ASSERT_EQ(cudaMemGetInfo(&after, nullptr), cudaSuccess);
    EXPECT_EQ(before - after, size_t{1} << 20);
    EXPECT_EQ(cudaFree(pointer), cudaSuccess);
    ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
    EXPECT_EQ(before, after);
}

TEST_F(Memory, FreeTakesOnlyTheFirstAddressOfDeviceOrManagedMemory) {
    EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
    EXPECT_EQ(cudaFree(at(device, 4)), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(pageable.data()), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFreeHost(nullptr), cudaSuccess);
    EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFreeHost(managed), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFreeHost(pageable.data()), cudaErrorInvalidValue);
    void* pointer = nullptr;
    ASSERT_EQ(cudaMalloc(&pointer, 100), cudaSuccess);
    EXPECT_EQ(cudaFree(pointer), cudaSuccess);
    EXPECT_EQ(cudaFree(pointer), cudaErrorInvalidValue);
}

TEST_F(Memory, PitchIsTheWidthRoundedUpTo512Bytes) {
    const struct { size_t width, pitch; } cases[] = {{1, 512}, {512, 512}, {513, 1024}, {4000, 4096}};
    for (const auto& [width, expected] : cases) {
        void* pointer = nullptr;
        size_t pitch = 0;
        ASSERT_EQ(cudaMallocPitch(&pointer, &pitch, width, 4), cudaSuccess);
        EXPECT_EQ(pitch, expected);
        EXPECT_EQ(cudaFree(pointer), cudaSuccess);
    }
    cudaPitchedPtr pitched{};
    ASSERT_EQ(cudaMalloc3D(&pitched, {100, 20, 3}), cudaSuccess);
    EXPECT_EQ(pitched.pitch, 512u);
    EXPECT_EQ(pitched.xsize, 100u);
    EXPECT_EQ(pitched.ysize, 20u);
    EXPECT_EQ(cudaMemset3D(pitched, 0, {100, 20, 3}), cudaSuccess);
    EXPECT_EQ(cudaMemset3D(pitched, 0, {100, 20, 4}), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(pitched.ptr), cudaSuccess);
    void* pointer = nullptr;
    EXPECT_EQ(cudaMallocPitch(&pointer, nullptr, 10, 10), cudaErrorInvalidValue);
}

TEST_F(Memory, ManagedMemoryNeedsAnAttachment) {
    void* pointer = nullptr;
    EXPECT_EQ(cudaMallocManaged(&pointer, 100, 3), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMallocManaged(&pointer, 100, cudaMemAttachHost), cudaSuccess);
    std::memset(pointer, 1, 100);
    EXPECT_EQ(cudaFree(pointer), cudaSuccess);
}

TEST_F(Memory, HostFlagsAreKept) {
    void* pointer = nullptr;
    unsigned flags = 0;
    EXPECT_EQ(cudaHostAlloc(&pointer, 100, 0x10), cudaErrorInvalidValue);
    ASSERT_EQ(cudaHostAlloc(&pointer, 100, cudaHostAllocPortable | cudaHostAllocWriteCombined), cudaSuccess);
    EXPECT_EQ(cudaHostGetFlags(&flags, at(pointer, 5)), cudaSuccess);
    EXPECT_EQ(flags, unsigned{cudaHostAllocPortable | cudaHostAllocWriteCombined | cudaHostAllocMapped});
    EXPECT_EQ(cudaHostGetFlags(&flags, pageable.data()), cudaErrorInvalidValue);
    EXPECT_EQ(cudaHostGetFlags(&flags, device), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFreeHost(pointer), cudaSuccess);
}

TEST_F(Memory, PinnedMemoryHasOneAddressForBothSides) {
    void* alias = nullptr;
    EXPECT_EQ(cudaHostGetDevicePointer(&alias, at(pinned, 10), 0), cudaSuccess);
    EXPECT_EQ(alias, at(pinned, 10));
    EXPECT_EQ(cudaHostGetDevicePointer(&alias, pinned, 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaHostGetDevicePointer(&alias, pageable.data(), 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaHostGetDevicePointer(&alias, device, 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaHostGetDevicePointer(&alias, managed, 0), cudaErrorInvalidValue);
}

TEST_F(Memory, RegisteredOnceAndUnregisteredOnce) {
    EXPECT_EQ(cudaHostRegister(pageable.data(), 100, cudaHostRegisterDefault), cudaSuccess);
    EXPECT_EQ(cudaHostRegister(pageable.data(), 100, cudaHostRegisterDefault), cudaErrorHostMemoryAlreadyRegistered);
    EXPECT_EQ(cudaHostRegister(pageable.data() + 50, 100, 0), cudaErrorHostMemoryAlreadyRegistered);
    EXPECT_EQ(cudaHostUnregister(pageable.data() + 10), cudaErrorInvalidValue);
    EXPECT_EQ(cudaHostUnregister(pageable.data()), cudaSuccess);
    EXPECT_EQ(cudaHostUnregister(pageable.data()), cudaErrorHostMemoryNotRegistered);
    EXPECT_EQ(cudaHostUnregister(pinned), cudaErrorInvalidValue);
    EXPECT_EQ(cudaHostRegister(pageable.data(), 0, 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaHostRegister(nullptr, 10, 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaHostRegister(pageable.data(), 10, 0x100), cudaErrorInvalidValue);
    EXPECT_EQ(cudaHostRegister(pinned, 10, 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaHostRegister(device, 10, 0), cudaErrorInvalidValue);
}

TEST_F(Memory, PointerAttributesTellTheKinds) {
    cudaPointerAttributes attributes{};
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, at(device, 5)), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
    EXPECT_EQ(attributes.device, 0);
    EXPECT_EQ(attributes.devicePointer, at(device, 5));
    EXPECT_EQ(attributes.hostPointer, nullptr);
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, pinned), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
    EXPECT_EQ(attributes.devicePointer, pinned);
    EXPECT_EQ(attributes.hostPointer, pinned);
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, managed), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
    EXPECT_EQ(attributes.hostPointer, managed);
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, pageable.data()), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
    EXPECT_EQ(attributes.device, cudaInvalidDeviceId);
    EXPECT_EQ(attributes.devicePointer, nullptr);
    EXPECT_EQ(attributes.hostPointer, pageable.data());
    EXPECT_EQ(cudaPointerGetAttributes(nullptr, device), cudaErrorInvalidValue);
}

TEST_F(Memory, HintsAboutManagedMemoryAreCheckedAndRemembered) {
    int value = -9;
    const auto query = [&](cudaMemRangeAttribute attribute) {
        return cudaMemRangeGetAttribute(&value, sizeof value, attribute, managed, 4096);
    };
    EXPECT_EQ(query(cudaMemRangeAttributeReadMostly), cudaSuccess);
    EXPECT_EQ(value, 0);
    EXPECT_EQ(query(cudaMemRangeAttributePreferredLocation), cudaSuccess);
    EXPECT_EQ(value, cudaInvalidDeviceId);
#if CUDART_VERSION >= 13000
    const cudaMemLocation here{cudaMemLocationTypeDevice, 0}, nowhere{cudaMemLocationTypeDevice, 7};
    const auto prefetch = [](void* p, size_t n, cudaMemLocation where) {
        return cudaMemPrefetchAsync(p, n, where, 0, nullptr);
    };
#else
    const int here = 0, nowhere = 7;
    const auto prefetch = [](void* p, size_t n, int where) { return cudaMemPrefetchAsync(p, n, where, nullptr); };
#endif
    EXPECT_EQ(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, here), cudaSuccess);
    EXPECT_EQ(query(cudaMemRangeAttributeReadMostly), cudaSuccess);
    EXPECT_EQ(value, 1);
    EXPECT_EQ(cudaMemAdvise(device, 4096, cudaMemAdviseSetReadMostly, here), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemAdvise(managed, 0, cudaMemAdviseSetReadMostly, here), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemAdvise(managed, 4096, static_cast<cudaMemoryAdvise>(77), here), cudaErrorInvalidValue);
    EXPECT_EQ(prefetch(managed, 4096, here), cudaSuccess);
    EXPECT_EQ(prefetch(managed, 8192, here), cudaErrorInvalidValue);
    EXPECT_EQ(prefetch(pageable.data(), 4096, here), cudaErrorInvalidValue);
    EXPECT_EQ(prefetch(managed, 4096, nowhere), cudaErrorInvalidDevice);
    EXPECT_EQ(query(cudaMemRangeAttributeLastPrefetchLocation), cudaSuccess);
    EXPECT_EQ(value, 0);
}

TEST(Pool, CountsWhatIsInUse) {
    cudaMemPool_t pool = nullptr;
    ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
    const auto used = [&] {
        uint64_t bytes = 0;
        EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes), cudaSuccess);
        return bytes;
    };
    void* pointer = nullptr;
    ASSERT_EQ(cudaMallocAsync(&pointer, 1000, nullptr), cudaSuccess);
    EXPECT_EQ(used(), 1000u);
    EXPECT_EQ(cudaFreeAsync(pointer, nullptr), cudaSuccess);
    EXPECT_EQ(cudaFreeAsync(pointer, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(used(), 1000u) << "the stream has not reached the release";
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    EXPECT_EQ(used(), 0u);
    EXPECT_EQ(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
    uint64_t bytes = 77;
    EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes), cudaErrorInvalidValue);
    cudaGetLastError();
}

TEST(Pool, AProgramsOwn) {
    cudaMemPoolProps properties{};
    cudaMemPool_t pool = nullptr;
    EXPECT_EQ(cudaMemPoolCreate(&pool, &properties), cudaErrorInvalidValue);
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    ASSERT_EQ(cudaMemPoolCreate(&pool, &properties), cudaSuccess);
    void* pointer = nullptr;
    ASSERT_EQ(cudaMallocFromPoolAsync(&pointer, 100, pool, nullptr), cudaSuccess);
    EXPECT_EQ(cudaFree(pointer), cudaSuccess);
    EXPECT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);
    EXPECT_EQ(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
    cudaGetLastError();
}

}  // namespace
