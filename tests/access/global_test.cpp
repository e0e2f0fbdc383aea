#include "access/global.h"

#include <gtest/gtest.h>

#include "access/requests.h"

namespace lanescope::access {
namespace {

using namespace test;

Rules h200() { return rules_of(**gpus::find("h200")); }
Rules k80() { return rules_of(**gpus::find("k80")); }
Rules k80_l1() { return rules_of(**gpus::find("k80"), L1::on); }

Addresses ints(uint64_t offset) {
    return lanes([&](uint64_t lane) { return 0x10000 + 4 * (lane + offset); });
}

// c[i] = a[i + offset]: 128 bytes from byte 4 * offset of an aligned array on. Offset 1: bytes 4 to 131, sectors 0 to 4, lines
// 0 and 1. Offset 16: bytes 64 to 191, 4 sectors, 2 lines. Offset 32: as 0.
TEST(GlobalLoad, Offsets) {
    const auto load = [](uint64_t offset, const Rules& rules) { return global_load(request(ints(offset), 4), rules); };
    EXPECT_EQ(load(0, h200()).transactions, 4u);
    EXPECT_EQ(load(1, h200()).transactions, 5u);
    EXPECT_EQ(load(16, h200()).transactions, 4u);
    EXPECT_EQ(load(0, k80()).transactions, 1u);
    EXPECT_EQ(load(1, k80()).transactions, 2u);
    EXPECT_EQ(load(16, k80()).transactions, 2u);
    EXPECT_EQ(load(32, k80()).transactions, 1u);
    EXPECT_DOUBLE_EQ(load(1, h200()).efficiency_percent(), 80);        // 128 of 160 bytes
    EXPECT_DOUBLE_EQ(load(1, k80()).efficiency_percent(), 80);         // sectors move, though lines are counted
    EXPECT_DOUBLE_EQ(load(1, k80_l1()).efficiency_percent(), 50);      // 128 of 256: lines move
}

// A column of a row-major matrix: every lane in a sector and a line of its own. With L1 on a Kepler moves 32 lines for 128
// bytes: 3.125 %. Stores always move sectors: 12.5 %.
TEST(GlobalLoad, AColumn) {
    const Addresses column = lanes([](uint64_t lane) { return 0x10000 + lane * 65536; });
    EXPECT_DOUBLE_EQ(global_load(request(column, 4), h200()).efficiency_percent(), 12.5);
    EXPECT_DOUBLE_EQ(global_load(request(column, 4), k80()).efficiency_percent(), 12.5);
    EXPECT_DOUBLE_EQ(global_load(request(column, 4), k80_l1()).efficiency_percent(), 3.125);
    EXPECT_DOUBLE_EQ(global_store(request(column, 4), k80_l1()).efficiency_percent(), 12.5);
    EXPECT_EQ(global_load(request(column, 4), k80()).transactions, 32u);
}

// {int x, y;}: lanes 8 bytes apart read 4. 256 bytes are 8 sectors and 2 lines; half of what moves is asked for.
TEST(GlobalLoad, AnArrayOfStructures) {
    const Addresses x = lanes([](uint64_t lane) { return 0x10000 + lane * 8; });
    EXPECT_EQ(global_load(request(x, 4), h200()).sectors, 8u);
    EXPECT_EQ(global_load(request(x, 4), k80()).transactions, 2u);
    EXPECT_DOUBLE_EQ(global_load(request(x, 4), k80()).efficiency_percent(), 50);
}

// A pointer in device memory that all 32 lanes read: 8 bytes asked for, one sector of 32 moved: 25 %, and one transaction, also on
// a Kepler, which splits 8-byte lanes only when they differ.
TEST(GlobalLoad, OnePointerForAllLanes) {
    const Addresses pointer = lanes([](uint64_t) { return 0x10008; });
    for (const Rules& rules : {h200(), k80()}) {
        const MemoryTraffic traffic = global_load(request(pointer, 8), rules);
        EXPECT_EQ(traffic.requests, 1u);
        EXPECT_EQ(traffic.transactions, 1u);
        EXPECT_EQ(traffic.requested_bytes, 8u);
        EXPECT_DOUBLE_EQ(traffic.efficiency_percent(), 25);
    }
}

// Neighbours of 8 and 16 bytes: 256 and 512 bytes, 8 and 16 sectors. A Kepler makes 2 and 4 requests of one line each.
TEST(GlobalLoad, WideLanes) {
    for (const uint32_t bytes : {8u, 16u}) {
        const Addresses address = lanes([&](uint64_t lane) { return 0x10000 + lane * bytes; });
        EXPECT_EQ(global_load(request(address, bytes), h200()).requests, 1u);
        EXPECT_EQ(global_load(request(address, bytes), h200()).sectors, bytes);
        EXPECT_EQ(global_load(request(address, bytes), k80()).requests, bytes / 4);
        EXPECT_EQ(global_load(request(address, bytes), k80()).transactions, bytes / 4);
        EXPECT_DOUBLE_EQ(global_load(request(address, bytes), k80()).efficiency_percent(), 100);
    }
}

// Every second lane is off: the gaps are moved all the same. 16 lanes of 4 bytes in 4 sectors.
TEST(GlobalStore, LanesThatAreOff) {
    const MemoryTraffic traffic = global_store(request(ints(0), 4, 0x55555555), h200());
    EXPECT_EQ(traffic.sectors, 4u);
    EXPECT_EQ(traffic.requested_bytes, 64u);
    EXPECT_DOUBLE_EQ(traffic.efficiency_percent(), 50);
}

TEST(GlobalStore, NoLaneIsNoRequest) {
    EXPECT_EQ(global_store(request(ints(0), 4, 0), h200()).requests, 0u);
    EXPECT_EQ(global_store(request(ints(0), 4, 0), h200()).moved_bytes, 0u);
}

TEST(Rules, WhichGpusCacheLoads) {
    EXPECT_FALSE(rules_of(**gpus::find("k80")).caches_loads);
    EXPECT_TRUE(rules_of(**gpus::find("p100")).caches_loads);
    for (const char* name : {"v100", "t4", "a100", "h100", "h200", "rtx4090", "rtx5080"}) EXPECT_TRUE(rules_of(**gpus::find(name)).caches_loads) << name;
    EXPECT_FALSE(rules_of(**gpus::find("h200"), L1::off).caches_loads);
}

}  // namespace
}  // namespace lanescope::access
