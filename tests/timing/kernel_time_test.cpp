#include "timing/kernel_time.h"

#include <gtest/gtest.h>

#include "timing/copy_time.h"

namespace lanescope::timing {
namespace {

Costs h200() { return costs_of(**gpus::find("h200")); }

TEST(Costs, EveryProfileHasThem) {
    for (const gpus::Gpu& gpu : gpus::all()) {
        const Costs costs = costs_of(gpu);
        EXPECT_GT(costs.clock_hz, 1e8) << gpu.name;
        EXPECT_LT(costs.l1_cycles, costs.l2_cycles) << gpu.name;
        EXPECT_LE(costs.l2_cycles, costs.l2_far_cycles) << gpu.name;
        EXPECT_LT(costs.l2_far_cycles, costs.dram_cycles) << gpu.name;
        EXPECT_LT(costs.dram_cycles, costs.host_cycles) << gpu.name;
        EXPECT_GT(costs.l2_bytes_per_second, costs.dram_bytes_per_second) << gpu.name;
        EXPECT_GT(costs.dram_bytes_per_second, costs.to_device_bytes_per_second) << gpu.name;
    }
}

TEST(KernelTime, AnEmptyKernelTakesItsLaunch) {
    const KernelTime time = kernel_time({.blocks = 1, .warps = 1, .resident_warps = 1}, h200());
    EXPECT_NEAR(time.seconds, h200().launch_seconds, 1e-8);
}

// 2^30 sectors of 32 bytes at 4236 GB/s take 8.11 ms; nothing else is asked for.
TEST(KernelTime, DramAlone) {
    Work work{.blocks = 1000, .warps = 8000, .resident_warps = 8000};
    work.dram_read_sectors = 1 << 30;
    const KernelTime time = kernel_time(work, h200());
    EXPECT_EQ(time.limit, "DRAM");
    EXPECT_NEAR(time.seconds * 1e3, 8.11, 0.05);
}

// 110 us until the first page is there, and 7.2 MB at 7.2 GB/s.
TEST(KernelTime, MigrationsAlone) {
    Work work{.blocks = 1000, .warps = 8000, .resident_warps = 8000};
    work.migrated_bytes = 7.2e6;
    const KernelTime time = kernel_time(work, h200());
    EXPECT_EQ(time.limit, "page migrations");
    EXPECT_NEAR(time.seconds * 1e6, h200().launch_seconds * 1e6 + 110 + 1000, 1);
}

// Sent as a whole: 5.5 MB at 55 GB/s.
TEST(KernelTime, ManagedMemorySentBefore) {
    Work work{.blocks = 1000, .warps = 8000, .resident_warps = 8000};
    work.sent_before_bytes = 5.5e6;
    EXPECT_NEAR(kernel_time(work, h200()).seconds * 1e6, h200().launch_seconds * 1e6 + 100, 1);
}

// Of 4000000 sectors written a fifth of L2 stays there, in whole sectors: 62,914,560 bytes / 5 / 32 = 393,216 sectors.
TEST(KernelTime, WhatIsWrittenStaysInL2InPart) {
    Work work{.blocks = 1000, .warps = 8000, .resident_warps = 8000};
    work.dram_write_sectors = 4'000'000;
    EXPECT_EQ(kernel_time(work, h200()).dram_write_bytes, 32.0 * (4'000'000 - 393'216));
    work.dram_write_sectors = 1000;
    EXPECT_EQ(kernel_time(work, h200()).dram_write_bytes, 0);
}

// Twice as many warps as fit take twice as long as one, and once the time in which blocks are replaced.
TEST(KernelTime, LatencyIsHiddenByResidentWarps) {
    const Costs costs = h200();
    Work work{.blocks = 2, .warps = 64, .resident_warps = 64};
    work.warp_cycles = work.longest_warp_cycles = 100'000;
    const KernelTime all_at_once = kernel_time(work, costs);
    EXPECT_EQ(all_at_once.limit, "latency");
    EXPECT_NEAR(all_at_once.cycles, 100'000, 1);
    work.resident_warps = 32;
    EXPECT_NEAR(kernel_time(work, costs).cycles, 2 * (100'000 + costs.block_turnaround_cycles), 1);
}

// Equal needs of two units: the third root of two times one of them.
TEST(KernelTime, UnitsHinderEachOtherNearBalance) {
    Work work{.blocks = 132, .warps = 132, .resident_warps = 132};
    work.l1_load_lines = work.shared_cycles = 132e6;
    EXPECT_NEAR(kernel_time(work, h200()).cycles, 1e6 * 1.26, 1e4);
}

// Measured on an H200 (driver 580): GB/s for pageable and pinned, to and from the device.
TEST(CopyTime, AgreesWithTheH200) {
    const struct {
        uint64_t bytes;
        double pageable_to, pinned_to, pageable_from, pinned_from;
    } measured[] = {{1 << 20, 10.11, 32.51, 5.57, 35.93}, {16 << 20, 10.33, 52.90, 9.02, 53.80}, {256 << 20, 7.38, 54.95, 10.57, 55.09}, {1 << 30, 7.01, 54.95, 11.90, 55.06}};
    for (const auto& row : measured) {
        const auto rate = [&](CopyWay way, bool pinned) { return static_cast<double>(row.bytes) / copy_seconds({row.bytes, way, pinned}, h200()) / 1e9; };
        EXPECT_NEAR(rate(CopyWay::to_device, false) / row.pageable_to, 1, 0.15) << row.bytes;
        EXPECT_NEAR(rate(CopyWay::to_device, true) / row.pinned_to, 1, 0.15) << row.bytes;
        EXPECT_NEAR(rate(CopyWay::from_device, false) / row.pageable_from, 1, 0.15) << row.bytes;
        EXPECT_NEAR(rate(CopyWay::from_device, true) / row.pinned_from, 1, 0.15) << row.bytes;
    }
    EXPECT_EQ(copy_seconds({0, CopyWay::to_device, true}, h200()), 0);
}

}  // namespace
}  // namespace lanescope::timing
