#include "machine/occupancy.h"

#include <gtest/gtest.h>

namespace lanescope::machine {
namespace {

// A GPU with round numbers: 2048 threads, 32 blocks, 65536 registers and 100 KiB of shared memory an SM,
// of which each block costs 1 KiB more than it asks for.
gpus::Gpu round_gpu() {
    gpus::Gpu gpu;
    gpu.max_threads_per_sm = 2048;
    gpu.max_blocks_per_sm = 32;
    gpu.registers_per_sm = 65536;
    gpu.shared_bytes_per_sm = 100 * 1024;
    gpu.reserved_shared_bytes_per_block = 1024;
    return gpu;
}

TEST(BlocksPerSm, LimitedByBlocks) { EXPECT_EQ(blocks_per_sm(round_gpu(), 32, 16, 0), 32); }

// 2048 / 256; 33 threads take two warps.
TEST(BlocksPerSm, LimitedByThreads) {
    EXPECT_EQ(blocks_per_sm(round_gpu(), 256, 16, 0), 8);
    EXPECT_EQ(blocks_per_sm(round_gpu(), 1024, 16, 0), 2);
    EXPECT_EQ(blocks_per_sm(round_gpu(), 100, 16, 0), 16);  // 4 warps each: 64 / 4
    EXPECT_EQ(blocks_per_sm(round_gpu(), 33, 16, 0), 32);
}

// 60 registers are allocated as 64: 2048 a warp, 32 warps an SM, 4 blocks of 8 warps.
TEST(BlocksPerSm, LimitedByRegisters) {
    EXPECT_EQ(blocks_per_sm(round_gpu(), 256, 60, 0), 4);
    EXPECT_EQ(blocks_per_sm(round_gpu(), 256, 64, 0), 4);
    EXPECT_EQ(blocks_per_sm(round_gpu(), 256, 65, 0), 3);  // 72: 28 warps
    EXPECT_EQ(blocks_per_sm(round_gpu(), 1024, 255, 0), 0) << "one block alone does not fit";
}

// 10 KiB and the reserved 1 KiB: 100 / 11 = 9.
TEST(BlocksPerSm, LimitedBySharedMemory) {
    EXPECT_EQ(blocks_per_sm(round_gpu(), 32, 16, 10 * 1024), 9);
    EXPECT_EQ(blocks_per_sm(round_gpu(), 32, 16, 99 * 1024), 1);
    EXPECT_EQ(blocks_per_sm(round_gpu(), 32, 16, 100 * 1024), 0);
}

TEST(BlocksPerSm, NoThreads) { EXPECT_EQ(blocks_per_sm(round_gpu(), 0, 16, 0), 0); }

// CUDA's occupancy calculator for compute capability 9.0, 256 threads, 32 registers: 8 blocks, all 64 warps.
TEST(BlocksPerSm, OfAnH200) { EXPECT_EQ(blocks_per_sm(**gpus::find("h200"), 256, 32, 0), 8); }

}  // namespace
}  // namespace lanescope::machine
