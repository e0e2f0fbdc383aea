#include "machine/managed_pages.h"

#include <gtest/gtest.h>

#include "machine/address_space.h"

namespace lanescope::machine {
namespace {

constexpr uint64_t kb = 1024, start = 1 << 20;

// 160 KB are two pages of 64 KB and one of 32 KB.
TEST(ManagedPages, MoveOnce) {
    ManagedPages pages;
    pages.add(start, 160 * kb);
    EXPECT_EQ(pages.move(start, 160 * kb, 0), 160 * kb);
    EXPECT_EQ(pages.move(start, 160 * kb, 0), 0u);
    EXPECT_EQ(pages.move(start, 160 * kb, ManagedPages::at_host), 160 * kb);
}

TEST(ManagedPages, MoveAsAWholeIfAPartIsTouched) {
    ManagedPages pages;
    pages.add(start, 160 * kb);
    EXPECT_EQ(pages.move(start + 70 * kb, 4, 0), 64 * kb);
    EXPECT_EQ(pages.move(start + 63 * kb, 2 * kb, 0), 64 * kb) << "the first page; the second is there";
    EXPECT_EQ(pages.move(start, 160 * kb, 0), 32 * kb);
    EXPECT_EQ(pages.move(start, 160 * kb, 1), 160 * kb) << "to another device";
}

TEST(ManagedPages, OnlyInTheirRange) {
    ManagedPages pages;
    pages.add(start, 64 * kb);
    EXPECT_EQ(pages.find(start - 1), nullptr);
    EXPECT_EQ(pages.find(start + 64 * kb), nullptr);
    EXPECT_NE(pages.find(start + 64 * kb - 1), nullptr);
    EXPECT_EQ(pages.move(start + 64 * kb, 4, 0), 0u);
    EXPECT_EQ(pages.move(start, 640 * kb, 0), 64 * kb) << "what is beyond does not count";
    EXPECT_EQ(pages.move(start, 0, 1), 0u);
    pages.remove(start);
    EXPECT_EQ(pages.move(start, 64 * kb, 1), 0u);
}

TEST(ManagedPages, LiveAsLongAsTheirAllocation) {
    AddressSpace space(1 << 24);
    const uint64_t managed = space.allocate({.kind = MemoryKind::managed, .bytes = 100})->address;
    const uint64_t device = space.allocate({.kind = MemoryKind::device, .bytes = 100})->address;
    EXPECT_NE(space.managed_pages().find(managed), nullptr);
    EXPECT_EQ(space.managed_pages().find(device), nullptr);
    space.release(managed);
    EXPECT_EQ(space.managed_pages().find(managed), nullptr);
}

}  // namespace
}  // namespace lanescope::machine
