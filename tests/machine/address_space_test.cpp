#include "machine/address_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace lanescope::machine {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr uint64_t mib = 1 << 20;

class Space : public testing::Test {
protected:
    const Allocation* allocate(uint64_t bytes, MemoryKind kind = MemoryKind::device) {
        return space.allocate({.kind = kind, .bytes = bytes, .name = "cudaMalloc"});
    }
    AddressSpace space{64 * mib};
};

// Two views of the same bytes: an address that host code cannot touch, and host memory.
TEST_F(Space, DeviceMemoryHasTwoViews) {
    const Allocation* a = allocate(1000);
    ASSERT_NE(a, nullptr);
    EXPECT_EQ(a->bytes, 1000u);
    EXPECT_EQ(a->address % 512, 0u) << "as cudaMalloc";
    EXPECT_NE(a->address, reinterpret_cast<uint64_t>(a->host));
    EXPECT_TRUE(space.is_reserved(a->address));
    EXPECT_FALSE(space.is_reserved(reinterpret_cast<uint64_t>(a->host)));
    std::memset(a->host, 7, a->bytes);
    EXPECT_EQ(a->device_mask, 1u);
}

// A module is loaded at its first use, perhaps after a cudaFree. A pointer kept from before must not reach its variables.
TEST_F(Space, VariablesDoNotTakeThePlaceOfFreedMemory) {
    const uint64_t freed = allocate(400)->address;
    EXPECT_TRUE(space.release(freed));
    for (const MemoryKind kind : {MemoryKind::global_symbol, MemoryKind::constant_symbol}) {
        const Allocation* variable = allocate(400, kind);
        ASSERT_NE(variable, nullptr);
        EXPECT_NE(variable->address, freed);
        EXPECT_EQ(variable->address % 512, 0u);
        EXPECT_FALSE(space.find(freed));
    }
    EXPECT_THAT(space.describe(freed), HasSubstr("which was freed"));
    // All of the memory but 1024 bytes is left, in one piece.
    EXPECT_EQ(allocate(64 * mib - 1023), nullptr);
    const Allocation* rest = allocate(64 * mib - 1024);
    ASSERT_NE(rest, nullptr);
    EXPECT_EQ(allocate(1, MemoryKind::global_symbol), nullptr);
    EXPECT_TRUE(space.release(rest->address));
    EXPECT_NE(allocate(3 * mib, MemoryKind::global_symbol), nullptr);
}

TEST_F(Space, PinnedAndManagedMemoryHaveOne) {
    for (const MemoryKind kind : {MemoryKind::pinned, MemoryKind::managed}) {
        const Allocation* a = allocate(5000, kind);
        ASSERT_NE(a, nullptr);
        EXPECT_EQ(a->address, reinterpret_cast<uint64_t>(a->host));
        EXPECT_FALSE(space.is_reserved(a->address));
        std::memset(reinterpret_cast<void*>(a->address), 1, a->bytes);
        EXPECT_TRUE(space.release(a->address));
    }
    EXPECT_EQ(space.device_bytes_used(0), 0u);
}

TEST_F(Space, FindsTheAllocationThatContainsAnAddress) {
    const Allocation* a = allocate(1000);
    const Allocation* b = allocate(1000);
    EXPECT_EQ(space.find(a->address), a);
    EXPECT_EQ(space.find(a->address + 999), a);
    EXPECT_EQ(space.find(a->address + 1000), nullptr) << "the exact size, not the rounded one";
    EXPECT_EQ(space.find(b->address + 1), b);
    EXPECT_EQ(space.find(0), nullptr);
    EXPECT_EQ(space.find(~0ull), nullptr);
    EXPECT_TRUE(a->contains(a->address + 996, 4));
    EXPECT_FALSE(a->contains(a->address + 997, 4));
    EXPECT_FALSE(a->contains(a->address, ~0ull));
    EXPECT_FALSE(a->contains(a->address - 1));
}

TEST_F(Space, Alignment) {
    allocate(1);
    EXPECT_EQ(space.allocate({.bytes = 1, .alignment = 1 << 16})->address % (1 << 16), 0u);
    EXPECT_EQ(space.allocate({.bytes = 1, .alignment = 1})->address % 512, 0u);
    EXPECT_EQ(allocate(3 * mib)->address % (2 * mib), 0u) << "large allocations start on a huge page";
}

TEST_F(Space, ReleaseTakesOnlyFirstAddresses) {
    const Allocation* a = allocate(1000);
    const uint64_t address = a->address;
    EXPECT_FALSE(space.release(address + 4));
    EXPECT_FALSE(space.release(0));
    EXPECT_TRUE(space.release(address));
    EXPECT_FALSE(space.release(address)) << "twice";
    EXPECT_EQ(space.find(address), nullptr);
}

TEST_F(Space, ZeroBytes) {
    const Allocation* a = allocate(0);
    const Allocation* b = allocate(0);
    ASSERT_TRUE(a && b);
    EXPECT_NE(a->address, b->address);
    EXPECT_EQ(space.find(a->address), nullptr) << "it has no byte to find";
    EXPECT_TRUE(space.release(a->address));
}

TEST_F(Space, Exhaustion) {
    EXPECT_EQ(allocate(65 * mib), nullptr);
    EXPECT_EQ(allocate(~0ull), nullptr);
    EXPECT_EQ(allocate(~0ull, MemoryKind::pinned), nullptr);
    const Allocation* all = allocate(64 * mib);
    ASSERT_NE(all, nullptr);
    EXPECT_EQ(allocate(1), nullptr);
    EXPECT_NE(allocate(1, MemoryKind::pinned), nullptr) << "host memory is not the device's";
    space.release(all->address);
    EXPECT_NE(allocate(64 * mib), nullptr) << "all of it is free again";
}

// Freed neighbours become one range, in whatever order they are freed: the whole range can be had again.
TEST_F(Space, FreedRangesCoalesce) {
    std::mt19937 random(2);
    for (int trial = 0; trial < 20; ++trial) {
        std::vector<uint64_t> addresses;
        while (const Allocation* a = allocate(mib)) addresses.push_back(a->address);
        EXPECT_EQ(addresses.size(), 64u);
        std::shuffle(addresses.begin(), addresses.end(), random);
        for (const uint64_t address : addresses) EXPECT_TRUE(space.release(address));
        const Allocation* all = allocate(64 * mib);
        ASSERT_NE(all, nullptr) << "trial " << trial;
        space.release(all->address);
    }
}

// Random allocations and releases against a list: no two overlap, bytes survive, find() agrees.
TEST_F(Space, LiveAllocationsNeverOverlap) {
    std::mt19937 random(3);
    struct Live {
        const Allocation* a;
        int fill;
    };
    std::vector<Live> live;
    for (int step = 0; step < 3000; ++step) {
        if (live.empty() || random() % 5 < 3) {
            const Allocation* a = allocate(1 + random() % (random() % 10 ? 5000 : 3 * mib));
            if (!a) continue;
            live.push_back({a, static_cast<int>(random() % 256)});
            std::memset(a->host, live.back().fill, std::min<uint64_t>(a->bytes, 4096));
        } else {
            std::swap(live[random() % live.size()], live.back());
            for (uint64_t i = 0; i < std::min<uint64_t>(live.back().a->bytes, 4096); ++i)
                ASSERT_EQ(static_cast<int>(live.back().a->host[i]), live.back().fill);
            ASSERT_TRUE(space.release(live.back().a->address));
            live.pop_back();
        }
    }
    std::sort(live.begin(), live.end(), [](const Live& x, const Live& y) { return x.a->address < y.a->address; });
    for (size_t i = 1; i < live.size(); ++i) ASSERT_LE(live[i - 1].a->end(), live[i].a->address);
    uint64_t bytes = 0;
    for (const Live& l : live) {
        bytes += l.a->bytes;
        EXPECT_EQ(space.find(l.a->address + l.a->bytes / 2), l.a);
    }
    EXPECT_EQ(space.device_bytes_used(0), bytes);
    EXPECT_EQ(space.device_bytes_used(1), 0u);
}

TEST_F(Space, AdoptedMemory) {
    alignas(64) static char bytes[1000];
    const Allocation* a = space.adopt(bytes + 100, 200, 5, 3);
    ASSERT_NE(a, nullptr);
    EXPECT_EQ(a->kind, MemoryKind::registered);
    EXPECT_EQ(a->flags, 5u);
    EXPECT_EQ(a->device_mask, 3u);
    EXPECT_EQ(reinterpret_cast<char*>(a->host), bytes + 100);
    // Overlaps: at the front, at the back, inside, around; neighbours do not.
    EXPECT_EQ(space.adopt(bytes + 50, 51, 0, 1), nullptr);
    EXPECT_EQ(space.adopt(bytes + 299, 10, 0, 1), nullptr);
    EXPECT_EQ(space.adopt(bytes + 150, 10, 0, 1), nullptr);
    EXPECT_EQ(space.adopt(bytes, 1000, 0, 1), nullptr);
    EXPECT_NE(space.adopt(bytes, 100, 0, 1), nullptr);
    EXPECT_NE(space.adopt(bytes + 300, 10, 0, 1), nullptr);
    EXPECT_TRUE(space.release(a->address));
    EXPECT_NE(space.adopt(bytes + 100, 200, 0, 1), nullptr);
}

TEST_F(Space, GenerationAndSerialNumbers) {
    const uint64_t before = space.generation();
    const Allocation* a = allocate(1);
    EXPECT_EQ(a->serial, 1u);
    EXPECT_GT(space.generation(), before);
    const uint64_t between = space.generation();
    space.release(a->address);
    EXPECT_GT(space.generation(), between);
    EXPECT_EQ(allocate(1)->serial, 2u);
}

// The windows through which kernels see shared, local and parameter memory: apart, and not of the host.
TEST_F(Space, Windows) {
    EXPECT_EQ(space.local_window() - space.shared_window(), AddressSpace::window_bytes);
    EXPECT_EQ(space.param_window() - space.local_window(), AddressSpace::window_bytes);
    EXPECT_EQ(space.shared_window() % AddressSpace::window_bytes, 0u);
    EXPECT_TRUE(space.is_reserved(space.shared_window()));
    EXPECT_TRUE(space.is_reserved(space.param_window() + AddressSpace::window_bytes - 1));
    EXPECT_FALSE(space.is_reserved(space.param_window() + AddressSpace::window_bytes));
    EXPECT_EQ(space.find(space.shared_window()), nullptr);
}

// ---- Reports ----

TEST_F(Space, NearestAllocation) {
    EXPECT_EQ(space.nearest(1), nullptr);
    const Allocation* a = allocate(512);
    const Allocation* b = allocate(512);
    const Allocation* gap = allocate(100 * 512);
    const Allocation* c = allocate(512);
    space.release(gap->address);
    EXPECT_EQ(space.nearest(1), a);
    EXPECT_EQ(space.nearest(a->address + 5), a);
    EXPECT_EQ(space.nearest(b->address + 512), b);
    EXPECT_EQ(space.nearest(b->address + 512 + 30 * 512), b);  // 30 blocks behind b, 70 before c
    EXPECT_EQ(space.nearest(b->address + 512 + 70 * 512), c);
    EXPECT_EQ(space.nearest(~0ull), c);
}

TEST_F(Space, DescribesAddresses) {
    const Allocation* a = allocate(4096);
    const Allocation* symbol = space.allocate({.kind = MemoryKind::global_symbol, .bytes = 16, .name = "counter"});
    EXPECT_EQ(space.describe(0), "a null pointer");
    EXPECT_EQ(space.describe(24), "a null pointer plus an offset");
    EXPECT_THAT(space.describe(a->address + 8), HasSubstr("byte 8 of 4096 bytes of device memory"));
    EXPECT_THAT(space.describe(a->address + 8), HasSubstr("cudaMalloc"));
    EXPECT_THAT(space.describe(symbol->address + 20),
                HasSubstr("4 bytes past the end of the __device__ variable counter (16 bytes"));
    EXPECT_THAT(space.describe(a->address - 12), HasSubstr("12 bytes before 4096 bytes of device memory"));
    int on_the_stack = 0;
    EXPECT_THAT(space.describe(reinterpret_cast<uint64_t>(&on_the_stack)), HasSubstr("ordinary host memory"));
    EXPECT_THAT(space.describe(symbol->address - 32 * mib), HasSubstr("an address that no allocation contains"));
}

TEST_F(Space, RemembersFreedMemory) {
    allocate(512);
    const Allocation* a = allocate(mib);
    const uint64_t address = a->address;
    space.release(address);
    ASSERT_NE(space.freed(address + 100), nullptr);
    EXPECT_EQ(space.freed(address + 100)->bytes, mib);
    EXPECT_EQ(space.freed(address + mib), nullptr);
    EXPECT_THAT(space.describe(address + mib / 2),
                AllOf(HasSubstr("byte 524288 of 1048576 bytes"), HasSubstr("which was freed")));
}

// A smaller GPU where the machine limits address space; without any, allocations fail and nothing crashes.
TEST(SpaceWithoutMemory, FailsPolitely) {
    AddressSpace space(0);
    EXPECT_EQ(space.allocate({.bytes = 16}), nullptr);
    EXPECT_EQ(space.find(123), nullptr);
}

}  // namespace
}  // namespace lanescope::machine
