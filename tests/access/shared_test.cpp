#include "access/shared.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "access/requests.h"

namespace lanescope::access {
namespace {

using namespace test;

Rules h200() { return rules_of(**gpus::find("h200")); }
Rules k80() { return rules_of(**gpus::find("k80")); }

SharedTraffic strided(uint64_t stride_bytes, uint32_t bytes, const Rules& rules = h200()) {
    return shared_load(request(lanes([&](uint64_t lane) { return lane * stride_bytes; }), bytes), rules);
}

// t[lane * s] of ints: lanes l and m share a bank when (l - m) * s is a multiple of 32. Stride 2: lanes 0 and 16, 2 to a bank;
// stride 3: none, for 3 and 32 have no common divisor; stride 32: all in bank 0.
TEST(Shared, StridesOfInts) {
    EXPECT_EQ(strided(4 * 1, 4).wavefronts, 1u);
    EXPECT_EQ(strided(4 * 2, 4).wavefronts, 2u);
    EXPECT_EQ(strided(4 * 3, 4).wavefronts, 1u);
    EXPECT_EQ(strided(4 * 4, 4).wavefronts, 4u);
    EXPECT_EQ(strided(4 * 8, 4).wavefronts, 8u);
    EXPECT_EQ(strided(4 * 16, 4).wavefronts, 16u);
    EXPECT_EQ(strided(4 * 32, 4).wavefronts, 32u);
    EXPECT_EQ(strided(4 * 32, 4).conflicts, 31u);
    EXPECT_EQ(strided(4 * 33, 4).wavefronts, 1u);   // a padded column
}

// The same word for all: one wavefront. Bytes of one word too.
TEST(Shared, Broadcast) {
    EXPECT_EQ(strided(0, 4).wavefronts, 1u);
    EXPECT_EQ(strided(1, 1).wavefronts, 1u);
}

// 32 doubles are 256 bytes: two wavefronts at least. Stride 2: of 16 lanes, l and l + 8 want words 4l and 4l + 32 of one bank.
TEST(Shared, Doubles) {
    EXPECT_EQ(strided(8, 8).wavefronts, 2u);
    EXPECT_EQ(strided(8, 8).conflicts, 0u);
    EXPECT_EQ(strided(16, 8).wavefronts, 4u);
    EXPECT_EQ(strided(16, 8).conflicts, 2u);
    EXPECT_EQ(strided(32, 8).wavefronts, 8u);
    EXPECT_EQ(strided(32, 8).conflicts, 6u);
}

// One double for all 32 lanes: neighbours agree, so a load's pass serves all of them; a store takes two passes.
TEST(Shared, LanesThatShareADouble) {
    const Addresses same = lanes([](uint64_t) { return 64; });
    EXPECT_EQ(shared_load(request(same, 8), h200()).wavefronts, 1u);
    EXPECT_EQ(shared_store(request(same, 8), h200()).wavefronts, 2u);
    EXPECT_EQ(shared_store(request(same, 8), h200()).conflicts, 0u);
    // Pairs of lanes: 16 doubles, 128 bytes.
    EXPECT_EQ(shared_load(request(lanes([](uint64_t lane) { return lane / 2 * 8; }), 8), h200()).wavefronts, 1u);
    // Lanes l and l + 16 agree, but neither l and l ^ 1 nor l and l ^ 2: two passes.
    EXPECT_EQ(shared_load(request(lanes([](uint64_t lane) { return lane % 16 * 8; }), 8), h200()).wavefronts, 2u);
    // Every second lane: no neighbour disagrees, so one pass; its 16 doubles lie 16 bytes apart, two to a bank.
    const Addresses apart = lanes([](uint64_t lane) { return lane * 8; });
    EXPECT_EQ(shared_load(request(apart, 8, 0x55555555), h200()).wavefronts, 2u);
    EXPECT_EQ(shared_load(request(apart, 8, 0x55555555), h200()).conflicts, 1u);
    EXPECT_EQ(shared_store(request(apart, 8, 0x55555555), h200()).wavefronts, 2u);
    EXPECT_EQ(shared_store(request(apart, 8, 0x55555555), h200()).conflicts, 0u);
}

// Lanes of a bank one after the other, also on one word; compare-and-swap twice.
TEST(Shared, Atomics) {
    const Addresses same = lanes([](uint64_t) { return 64; });
    EXPECT_EQ(shared_atomic(request(same, 4), false, false, h200()).wavefronts, 32u);
    EXPECT_EQ(shared_atomic(request(same, 4), false, false, h200()).conflicts, 31u);
    EXPECT_EQ(shared_atomic(request(same, 4), true, false, h200()).wavefronts, 1u);
    EXPECT_EQ(shared_atomic(request(same, 4), false, true, h200()).wavefronts, 64u);
    EXPECT_EQ(shared_atomic(request(same, 4), false, true, h200()).conflicts, 31u);
    EXPECT_EQ(shared_atomic(request(lanes([](uint64_t lane) { return lane % 8 * 4; }), 4), false, false, h200()).wavefronts, 4u);
    EXPECT_EQ(shared_atomic(request(lanes([](uint64_t lane) { return lane * 4; }), 4), false, false, h200()).wavefronts, 1u);
}

TEST(Shared, FourInts) {
    EXPECT_EQ(strided(16, 16).wavefronts, 4u);
    EXPECT_EQ(strided(16, 16).conflicts, 0u);
}

// Banks of 8 bytes: doubles need one wavefront, ints two apart still lie in different banks or the same word.
TEST(Shared, Kepler) {
    EXPECT_EQ(strided(8, 8, k80()).wavefronts, 1u);
    EXPECT_EQ(strided(8, 4, k80()).wavefronts, 1u);
    EXPECT_EQ(strided(4 * 32, 4, k80()).wavefronts, 16u);   // 32 words, two to each 8-byte... every 16th bank: 16 words in each of 2 banks
}

TEST(Shared, NoLaneIsNoRequest) { EXPECT_EQ(shared_load({nullptr, 0, 4}, h200()).requests, 0u); }

// 4-byte lanes: their order does not matter, each is served, and never more than 32 passes are needed.
TEST(Shared, RandomRequests) {
    std::mt19937 random(1);
    for (int trial = 0; trial < 1000; ++trial) {
        Addresses address = lanes([&](uint64_t) { return random() % 512 * 4; });
        const SharedTraffic traffic = shared_load(request(address, 4), h200());
        ASSERT_GE(traffic.wavefronts, 1u);
        ASSERT_LE(traffic.wavefronts, 32u);
        ASSERT_EQ(traffic.conflicts, traffic.wavefronts - 1);
        std::shuffle(address.begin(), address.end(), random);
        ASSERT_EQ(shared_load(request(address, 4), h200()).wavefronts, traffic.wavefronts);
    }
}

}  // namespace
}  // namespace lanescope::access
