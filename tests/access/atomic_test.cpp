#include "access/atomic.h"

#include <gtest/gtest.h>

#include "access/requests.h"

namespace lanescope::access {
namespace {

using namespace test;

uint64_t combined(const Addresses& address, uint32_t mask = all_lanes) { return atomic_sectors(request(address, 4, mask), Collisions::combined); }
uint64_t one_by_one(const Addresses& address, uint32_t mask = all_lanes) { return atomic_sectors(request(address, 4, mask), Collisions::one_by_one); }

TEST(Atomic, OneAddressForAllLanes) {
    const Addresses address = lanes([](uint64_t) { return 0x1000; });
    EXPECT_EQ(combined(address), 1u);
    EXPECT_EQ(one_by_one(address), 32u);
    EXPECT_EQ(one_by_one(address, 0b111), 3u);
}

TEST(Atomic, DistinctAddressesAreAStore) {
    const Addresses address = lanes([](uint64_t lane) { return 0x1000 + lane * 4; });
    EXPECT_EQ(combined(address), 4u);
    EXPECT_EQ(one_by_one(address), 4u);
}

// 32 lanes on 8 neighbouring floats: 4 passes, each within one sector.
TEST(Atomic, EightAddressesOfFourLanes) {
    const Addresses address = lanes([](uint64_t lane) { return 0x1000 + lane % 8 * 4; });
    EXPECT_EQ(combined(address), 1u);
    EXPECT_EQ(one_by_one(address), 4u);
}

// Two lanes on one address, the others apart: a second pass for one sector.
TEST(Atomic, OneCollision) {
    const Addresses address = lanes([](uint64_t lane) { return 0x1000 + (lane == 31 ? 0 : lane) * 4; });
    EXPECT_EQ(one_by_one(address), 5u);
}

}  // namespace
}  // namespace lanescope::access
