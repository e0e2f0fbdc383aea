#include "access/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <random>
#include <set>

namespace lanescope::access {
namespace {

constexpr uint32_t all_lanes = 0xFFFFFFFFu;
using Addresses = std::array<uint64_t, 32>;

// Lane l reads at first + l * stride.
Addresses strided(uint64_t first, uint64_t stride) {
    Addresses address;
    for (uint64_t lane = 0; lane < 32; ++lane) address[lane] = first + lane * stride;
    return address;
}

uint32_t sectors(const Addresses& address, uint32_t mask = all_lanes, uint32_t bytes = 4) {
    return blocks_touched({address.data(), mask, bytes}).sectors;
}

// The definition, written down: distinct 32-byte blocks of every byte of every active lane.
uint32_t by_definition(const Addresses& address, uint32_t mask, uint32_t bytes) {
    std::set<uint64_t> blocks;
    for (int lane = 0; lane < 32; ++lane)
        for (uint32_t byte = 0; byte < bytes && (mask >> lane & 1); ++byte) blocks.insert((address[lane] + byte) / 32);
    return static_cast<uint32_t>(blocks.size());
}

// 32 ints are 128 bytes: 4 sectors from a boundary on, 5 if the first lies behind one.
TEST(Sectors, NeighbouringInts) {
    EXPECT_EQ(sectors(strided(0x1000, 4)), 4u);
    EXPECT_EQ(sectors(strided(0x1004, 4)), 5u);
    EXPECT_EQ(sectors(strided(0x101C, 4)), 5u);
    EXPECT_EQ(sectors(strided(0x1020, 4)), 4u);  // a sector boundary that is no line boundary
}

// Widths 1, 2, 4, 8, 16, 32: 32 lanes side by side are 32 * width bytes, so `width` sectors.
TEST(Sectors, NeighboursOfEachWidth) {
    for (const uint32_t bytes : {1u, 2u, 4u, 8u, 16u, 32u})
        EXPECT_EQ(sectors(strided(0x2000, bytes), all_lanes, bytes), bytes);
}

// A stride of s ints: 32 * s * 4 / 32 = 4 * s sectors, until each lane has a sector of its own.
TEST(Sectors, Strides) {
    EXPECT_EQ(sectors(strided(0x1000, 8)), 8u);
    EXPECT_EQ(sectors(strided(0x1000, 16)), 16u);
    EXPECT_EQ(sectors(strided(0x1000, 32)), 32u);
    EXPECT_EQ(sectors(strided(0x1000, 4096)), 32u);
    // Stride 12 (a struct of three ints): bytes 0 to 31 * 12 + 3 = 375, without a gap of 32: sectors 0 to 11.
    EXPECT_EQ(sectors(strided(0x1000, 12)), 12u);
}

TEST(Sectors, OneAddressForAllLanes) { EXPECT_EQ(sectors(strided(0x1234, 0)), 1u); }

// Backwards through memory: the same sectors as forwards.
TEST(Sectors, Reversed) {
    EXPECT_EQ(sectors(strided(0x1000 + 31 * 4, static_cast<uint64_t>(-4))), 4u);
    EXPECT_EQ(sectors(strided(0x1004 + 31 * 4, static_cast<uint64_t>(-4))), 5u);
}

// Two runs far apart, lanes alternating between them: 16 ints each are 64 bytes, 2 sectors each.
TEST(Sectors, AlternatingBetweenTwoArrays) {
    Addresses address;
    for (uint64_t lane = 0; lane < 32; ++lane) address[lane] = (lane % 2 ? 0x100000 : 0x1000) + lane / 2 * 4;
    EXPECT_EQ(sectors(address), 4u);
}

// Lanes that do not take part may hold any address.
TEST(Sectors, InactiveLanesDoNotCount) {
    Addresses address = strided(0x1000, 4);
    EXPECT_EQ(sectors(address, 0), 0u);
    EXPECT_EQ(sectors(address, 1), 1u);
    EXPECT_EQ(sectors(address, 0x80000000u), 1u);
    EXPECT_EQ(sectors(address, 0x000000FFu), 1u);  // lanes 0 to 7: bytes 0 to 31
    EXPECT_EQ(sectors(address, 0x000001FFu), 2u);  // and the first int of the next sector
    EXPECT_EQ(sectors(address, 0x80000001u), 2u);  // the first and the last sector of four
    EXPECT_EQ(sectors(address, 0x01010101u), 4u);  // one lane in each sector
    for (int lane = 8; lane < 32; ++lane) address[lane] = 0xDEAD0000u + lane * 4096;
    EXPECT_EQ(sectors(address, 0x000000FFu), 1u);
}

// The top of the address space does not wrap.
TEST(Sectors, HighAddresses) {
    EXPECT_EQ(sectors(strided(~0ull - 127, 4)), 4u);
    Addresses address = strided(~0ull - 31, 0);
    address[5] = 0;
    EXPECT_EQ(sectors(address), 2u);
}

// On random requests: equal to the definition, whatever the order of lanes; at least 1, at most one a lane;
// a subset of lanes never touches more.
TEST(Sectors, AgreesWithTheDefinition) {
    std::mt19937_64 random(1);
    for (int trial = 0; trial < 4000; ++trial) {
        const uint32_t bytes = 1u << random() % 6;
        const uint64_t span = 32ull << random() % 12;  // from one sector to 64 KiB
        const uint64_t base = random() << 16;
        Addresses address;
        for (uint64_t& a : address) a = base + random() % span / bytes * bytes;
        if (trial % 3 == 0) std::sort(address.begin(), address.end());
        if (trial % 3 == 1) std::sort(address.rbegin(), address.rend());
        const uint32_t mask = trial % 2 ? all_lanes : static_cast<uint32_t>(random());
        const uint32_t expected = by_definition(address, mask, bytes);
        ASSERT_EQ(sectors(address, mask, bytes), expected) << "trial " << trial;
        ASSERT_LE(expected, static_cast<uint32_t>(std::popcount(mask)));
        ASSERT_EQ(expected == 0, mask == 0);

        Addresses permuted = address;
        std::shuffle(permuted.begin(), permuted.end(), random);
        ASSERT_EQ(sectors(permuted, all_lanes, bytes), sectors(address, all_lanes, bytes)) << "trial " << trial;
        ASSERT_LE(sectors(address, mask & static_cast<uint32_t>(random()), bytes), expected) << "trial " << trial;
    }
}

// Many addresses that fall into few slots of a hash table would show a faulty search for a free one.
TEST(Sectors, AddressesThatCollide) {
    for (int shift = 5; shift < 58; ++shift) {
        Addresses address;
        for (uint64_t lane = 0; lane < 32; ++lane) address[lane] = (lane * 7 % 32) << shift;
        EXPECT_EQ(sectors(address), 32u) << "shift " << shift;
        for (uint64_t lane = 0; lane < 32; ++lane) address[lane] = (lane * 7 % 8) << shift;
        EXPECT_EQ(sectors(address), 8u) << "shift " << shift;
    }
}

// Lines and elements of the same requests. A line is 4 sectors, and lanes that share an address are one element.
TEST(Blocks, LinesAndElements) {
    const auto blocks = [](const Addresses& address, uint32_t bytes) { return blocks_touched({address.data(), all_lanes, bytes}); };
    EXPECT_EQ(blocks(strided(0x1000, 4), 4).lines, 1u);     // 128 bytes from a boundary on
    EXPECT_EQ(blocks(strided(0x1040, 4), 4).lines, 2u);     // and from the middle of a line on
    EXPECT_EQ(blocks(strided(0x1000, 16), 16).lines, 4u);
    EXPECT_EQ(blocks(strided(0x1000, 32), 4).lines, 8u);    // 32 lanes, 4 to a line
    EXPECT_EQ(blocks(strided(0x1000, 0), 4).elements, 1u);
    EXPECT_EQ(blocks(strided(0x1000, 4), 4).elements, 32u);
    Addresses address;   // i / 2, backwards and forwards: 16 elements, 64 bytes
    for (uint64_t lane = 0; lane < 32; ++lane) address[lane] = 0x1000 + (lane % 2 ? 31 - lane : lane) / 2 * 4;
    EXPECT_EQ(blocks(address, 4).elements, 16u);
    EXPECT_EQ(blocks(address, 4).sectors, 2u);
    EXPECT_EQ(blocks(address, 4).lines, 1u);
}

// A span: from the sector of its first byte to that of its last.
TEST(BlocksOfSpan, CountsBothEnds) {
    static_assert(blocks_of_span(0, 128, 32) == 4);
    static_assert(blocks_of_span(4, 128, 32) == 5);
    static_assert(blocks_of_span(31, 1, 32) == 1);
    static_assert(blocks_of_span(31, 2, 32) == 2);
    static_assert(blocks_of_span(32, 32, 32) == 1);
    static_assert(blocks_of_span(33, 32, 32) == 2);
    static_assert(blocks_of_span(64, 128, 128) == 2);
    for (uint64_t first = 0; first < 64; first += 4) EXPECT_EQ(blocks_of_span(first, 128, 32), sectors(strided(first, 4)));
}

}  // namespace
}  // namespace lanescope::access
