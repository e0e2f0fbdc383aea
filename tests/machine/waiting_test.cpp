// Threads that wait for other threads: all that can end must end, all that cannot must be reported.
// Kernels: data/waiting.cu.
#include <fmt/format.h>

#include "machine/test_device.h"

namespace lanescope::machine::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// The limit makes a test that hangs fail within seconds; what ends needs far less.
constexpr uint64_t limit = 400'000'000;

class Waiting : public testing::TestWithParam<uint64_t> {
protected:
    Waiting() : gpu({.schedule_seed = GetParam(), .instruction_limit = limit}) { gpu.load_file("waiting.ptx"); }

    // The launch must end because nothing can go on, and the report says what waits.
    void expect_stuck(std::string_view kernel, uint32_t grid, uint32_t block, const std::vector<Argument>& arguments,
                      std::string_view who) {
        const auto fault = gpu.try_run(kernel, grid, block, arguments);
        ASSERT_TRUE(fault);
        EXPECT_EQ(fault->kind, FaultKind::timeout);
        EXPECT_THAT(fault->report, AllOf(HasSubstr("all threads wait for ever"), HasSubstr(std::string(who)),
                                         HasSubstr(std::string(kernel)), HasSubstr("waiting.cu:")));
        EXPECT_LT(gpu.counters.warp_instructions, limit / 4) << "it was recognised, not only stopped";
    }
    TestDevice gpu;
};
INSTANTIATE_TEST_SUITE_P(Schedules, Waiting, testing::Values(0, 1, 77));

// Volta's guarantee: a lane that spins does not starve the sibling that holds the lock. 3 blocks of 96 threads.
TEST_P(Waiting, LockTakenLaneByLane) {
    const auto counter = gpu.buffer<int>(1);
    gpu.run("lock_lane_by_lane", 3, 96, {counter});
    EXPECT_EQ(counter[0], 3 * 96);
}
TEST_P(Waiting, LockTakenInAFunction) {
    const auto counter = gpu.buffer<int>(1);
    gpu.run("lock_in_a_function", 3, 96, {counter});
    EXPECT_EQ(counter[0], 3 * 96);
}

TEST_P(Waiting, ForASiblingAtTheMeetingPoint) {
    const auto flag = gpu.buffer<int>(1), out = gpu.buffer<int>(32);
    gpu.run("wait_for_sibling", 1, 32, {flag, out});
    EXPECT_EQ(out[0], 7);
    EXPECT_EQ(out[1], 7);
}
TEST_P(Waiting, ForASiblingThroughSharedMemory) {
    const auto out = gpu.buffer<int>(32);
    gpu.run("wait_for_sibling_in_shared_memory", 1, 32, {out});
    EXPECT_EQ(out[0], 7);
    EXPECT_EQ(out[1], 7);
}

// The grid is larger than what runs at first (64 warps), yet fits the GPU (132 SMs with 2048 threads each).
TEST_P(Waiting, ForTheLastBlock) {
    const auto flag = gpu.buffer<int>(1), out = gpu.buffer<int>(1);
    gpu.run("wait_for_last_block", 1000, 64, {flag, out});
    EXPECT_EQ(out[0], 5);
}
TEST_P(Waiting, InALoopWithSeveralLoads) {
    const auto flags = gpu.buffer<int>(3), out = gpu.buffer<int>(1);
    gpu.run("wait_for_two_flags", 1000, 64, {flags, out});
    EXPECT_EQ(out[0], 3);
}
TEST_P(Waiting, InAFunction) {
    const auto flag = gpu.buffer<int>(1), out = gpu.buffer<int>(1);
    gpu.run("wait_in_a_function", 1000, 64, {flag, out});
    EXPECT_EQ(out[0], 5);
}
TEST_P(Waiting, WithABarrierInEachRound) {
    const auto flag = gpu.buffer<int>(1), out = gpu.buffer<int>(1);
    gpu.run("wait_with_barriers", 200, 64, {flag, out});
    EXPECT_EQ(out[0], 5);
}

// A token goes round 4 warps 25 times: 100 increments, none of them lost.
TEST_P(Waiting, TokenInARing) {
    const auto token = gpu.buffer<int>(1);
    gpu.run("ring", 1, 128, {token, 25});
    EXPECT_EQ(token[0], 100);
}

// ---- What cannot end ----

TEST_P(Waiting, ForAFlagThatNobodySets) {
    const auto flag = gpu.buffer<int>(1);
    expect_stuck("wait_for_ever", 4, 64, {flag}, "256 threads in a loop on a value that no thread will change");
}
TEST_P(Waiting, ForAFlagInSharedMemory) {
    expect_stuck("wait_for_ever_in_shared_memory", 1, 64, {},
                 "64 threads in a loop on a value that no thread will change");
}
TEST_P(Waiting, HalfABlockAtABarrier) {
    const auto flag = gpu.buffer<int>(1);
    expect_stuck(
        "half_at_barrier", 1, 64, {flag},
        "32 threads at a barrier (__syncthreads) that others of their block never reach, 32 threads in a loop");
}
TEST_P(Waiting, AtTwoBarriers) { expect_stuck("two_barriers", 2, 64, {}, "128 threads at a barrier"); }
TEST_P(Waiting, InTwoCollectives) {
    const auto out = gpu.buffer<int>(32);
    expect_stuck("missing_lane", 1, 32, {out}, "32 threads at a warp operation");
}

// Block 0 of a grid larger than the GPU waits for a block that can never start: 132 SMs x 32 blocks of 64 threads
// fit an H200, so of 132 * 32 + 1 blocks of which all wait the last does not. (All do: there is one flag.)
TEST_P(Waiting, ForABlockThatCannotStart) {
    const auto flag = gpu.buffer<int>(1);
    expect_stuck("wait_for_ever", 132 * 32 + 1, 64, {flag}, fmt::format("{} threads in a loop", 132 * 32 * 64));
}

// ---- Endless, but never the same: stopped by the limit ----

TEST(InstructionLimit, EndsAnEndlessLoop) {
    TestDevice gpu({.instruction_limit = 100'000});
    gpu.load_body("LOOP: add.u32 %r0, %r0, 1; bra LOOP; ret;");
    const auto fault = gpu.try_run("kernel", 4, 64, {uint64_t{0}, 0});
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::timeout);
    EXPECT_THAT(fault->report, AllOf(HasSubstr("no block ended within 100000 warp instructions"),
                                     HasSubstr("kernel kernel"), HasSubstr("block (0,0,0)")));
}
// Loops without a backward `bra`: through a table, and by recursion.
TEST(InstructionLimit, EndsOtherLoops) {
    TestDevice gpu({.instruction_limit = 1'000'000});
    gpu.load_body(
        "LOOP: add.u32 %r0, %r0, 1; and.b32 %r1, %r0, 1; brx.idx %r1, cases; cases: .branchtargets LOOP, LOOP;");
    EXPECT_EQ(gpu.try_run("kernel", 1, 32, {uint64_t{0}, 0})->kind, FaultKind::timeout);
    gpu.load_file("endings.ptx");
    const auto out = gpu.buffer<int>(1);
    const auto fault = gpu.try_run("recurse_very_long", 1, 32, {out});  // a call tree of 10^12 leaves
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::timeout);
    EXPECT_THAT(fault->report, HasSubstr("no block ended within")) << "it is long, but it does not wait";
}
// The limit counts from the end of the last block: long grids are not stopped.
TEST(InstructionLimit, StartsAnewWhenABlockEnds) {
    TestDevice gpu({.instruction_limit = 20'000});
    gpu.load_body(
        "mov.u32 %r0, 0; LOOP: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 30; @%p0 bra LOOP; st.global.u32 [%out], "
        "%r0; ret;");
    const auto out = gpu.buffer<int>(1);
    gpu.run("kernel", 2000, 64, {out, 0});
    EXPECT_GT(gpu.counters.warp_instructions, 10u * 20'000);
}

}  // namespace
}  // namespace lanescope::machine::test
