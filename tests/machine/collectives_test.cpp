// Operations between the lanes of a warp. Kernels: data/collectives.cu.
#include <bit>

#include "machine/test_device.h"

namespace lanescope::machine::test {
namespace {

using testing::Each;
using testing::ElementsAreArray;

class Collectives : public testing::TestWithParam<uint64_t> {
protected:
    Collectives() : gpu({.schedule_seed = GetParam(), .instruction_limit = 50'000'000}) {
        gpu.load_file("collectives.ptx");
    }
    TestDevice gpu;
};
INSTANTIATE_TEST_SUITE_P(Schedules, Collectives, testing::Values(0, 1, 77));

TEST_P(Collectives, Shuffles) {
    const auto idx = gpu.buffer<int>(32), up = gpu.buffer<int>(32), down = gpu.buffer<int>(32),
               bfly = gpu.buffer<int>(32);
    gpu.run("shuffles", 1, 32, {idx, up, down, bfly});
    EXPECT_THAT(idx.values(), ElementsAreArray(table(32, [](int t) { return (t + 5) % 32 * 10; })));
    EXPECT_THAT(up.values(), ElementsAreArray(table(32, [](int t) { return (t < 3 ? t : t - 3) * 10; })));
    EXPECT_THAT(down.values(),
                ElementsAreArray(table(32, [](int t) { return (t % 8 + 3 < 8 ? t + 3 : t) * 10; })));  // width 8
    EXPECT_THAT(bfly.values(), ElementsAreArray(table(32, [](int t) { return (t ^ 5) * 10; })));
}

TEST_P(Collectives, HalvesOnTheirOwn) {
    const auto out = gpu.buffer<int>(32);
    const auto ballot = gpu.buffer<uint32_t>(32);
    gpu.run("halves", 1, 32, {out, ballot});
    uint32_t low = 0, high = 0;
    for (int t = 0; t < 16; ++t) low |= static_cast<uint32_t>(t % 2) << t;
    for (int t = 16; t < 32; ++t) high |= static_cast<uint32_t>(t % 3 == 0) << t;
    for (int t = 0; t < 32; ++t) {
        EXPECT_EQ(out[t], t < 16 ? (15 - t) * 10 : (47 - t) * 100) << t;
        EXPECT_EQ(ballot[t], t < 16 ? low : high) << t;
    }
}

// Lanes that come from two places in the code meet in one shuffle.
TEST_P(Collectives, FromTwoBranches) {
    const auto out = gpu.buffer<int>(32);
    gpu.run("from_two_branches", 1, 32, {out});
    EXPECT_THAT(out.values(), ElementsAreArray(table(32, [](int t) { return t % 2 == 0 ? t + 1 + 1000 : t - 1; })));
}

TEST_P(Collectives, LanesThatLeftTakeNoPart) {
    const auto out = gpu.buffer<uint32_t>(32);
    gpu.run("after_exit", 1, 32, {out});
    for (int t = 0; t < 32; ++t) EXPECT_EQ(out[t], t < 20 ? (1u << 20) - 1 : 0u);
}

// A short last warp: 8 threads of 40.
TEST_P(Collectives, PartialWarp) {
    const auto out = gpu.buffer<uint32_t>(40);
    gpu.run("after_exit", 1, 40, {out});
    EXPECT_EQ(out[0], (1u << 20) - 1);
    EXPECT_EQ(out[32], 0u) << "threads 32 to 39 returned";
}

// Lanes with equal keys form groups; each group works for itself, all of them in one instruction.
TEST_P(Collectives, GroupsWithMasksOfTheirOwn) {
    const std::vector<int> keys = table(32, [](int t) { return t * t % 7; });
    const auto key = gpu.buffer(keys), sum = gpu.buffer<int>(32), any = gpu.buffer<int>(32),
               leader = gpu.buffer<int>(32);
    const auto peers = gpu.buffer<uint32_t>(32), ballot = gpu.buffer<uint32_t>(32);
    gpu.run("groups", 1, 32, {key, peers, sum, any, ballot, leader});
    for (int t = 0; t < 32; ++t) {
        uint32_t mask = 0, odd = 0;
        int total = 0;
        for (int k = 0; k < 32; ++k) {
            if (keys[k] != keys[t]) continue;
            mask |= 1u << k;
            total += k;
            odd |= static_cast<uint32_t>(k % 2) << k;
        }
        EXPECT_EQ(peers[t], mask) << t;
        EXPECT_EQ(sum[t], total) << t;
        EXPECT_EQ(any[t], keys[t] == keys[5]) << t;
        EXPECT_EQ(ballot[t], odd) << t;
        EXPECT_EQ(leader[t], std::countr_zero(mask) * 10) << t;
    }
}

TEST_P(Collectives, Reductions) {
    const std::vector<int> values = table(32, [](int t) { return (t * 37 % 32) - 16; });  // -16 to 15, in some order
    const auto in = gpu.buffer(values), out = gpu.buffer<int>(104);
    gpu.run("reductions", 1, 32, {in, out});
    int low = 0, all_xor = 0;
    for (int t = 0; t < 32; ++t) all_xor ^= values[t], low += t < 8 ? values[t] : 0;
    for (int t = 0; t < 32; ++t) {
        EXPECT_EQ(out[t], -16);
        EXPECT_EQ(out[32 + t], -1) << "the largest of unsigned numbers";
        EXPECT_EQ(out[64 + t], all_xor);
    }
    for (int t = 0; t < 8; ++t) EXPECT_EQ(out[96 + t], low);
}

TEST_P(Collectives, Votes) {
    const auto all = gpu.buffer<int>(32), any = gpu.buffer<int>(32), uniform = gpu.buffer<int>(32);
    gpu.run("votes", 1, 32, {all, any, uniform});
    for (const auto& result : {all, any, uniform}) EXPECT_THAT(result.values(), Each(2));
}

TEST_P(Collectives, MatchAll) {
    const auto mask = gpu.buffer<uint32_t>(32);
    const auto same = gpu.buffer<int>(32);
    gpu.run("match_all", 1, 32, {mask, same, 4});
    EXPECT_THAT(mask.values(), Each(0xFFFFFFFFu));
    EXPECT_THAT(same.values(), Each(1));
    gpu.run("match_all", 1, 32, {mask, same, 5});
    EXPECT_THAT(mask.values(), Each(0u));
    EXPECT_THAT(same.values(), Each(0));
}

TEST_P(Collectives, SyncWarpWaits) {
    const auto out = gpu.buffer<int>(32);
    gpu.run("sync_warp", 1, 32, {out});
    EXPECT_THAT(out.values(), Each(99 * 100 / 2));
}

// Each thread gets a number of its own, 0 to 95, with one atomic a warp; the last warp has 16 threads.
TEST_P(Collectives, AggregatedAtomics) {
    const auto counter = gpu.buffer<int>(1), out = gpu.buffer<int>(2 * 48);
    gpu.run("leader_elects", 2, 48, {counter, out});
    EXPECT_EQ(counter[0], 96);
    auto numbers = out.values();
    std::sort(numbers.begin(), numbers.end());
    EXPECT_THAT(numbers, ElementsAreArray(table(96, [](int i) { return i; })));
}

// elect.sync: one lane of the mask, the lowest, with its number for all.
TEST_P(Collectives, Elect) {
    gpu.load_body(R"(
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %rd0, %r0, 8;
    add.u64 %out, %out, %rd0;
    setp.lt.u32 %p0, %r0, 4;
    @%p0 bra DONE;
    elect.sync %r1|%p1, 0xFFFFFFF0;
    selp.u32 %r2, 1, 0, %p1;
    st.global.v2.u32 [%out], {%r1, %r2};
DONE: ret;)");
    const auto out = gpu.buffer<uint32_t>(64);
    gpu.run("kernel", 1, 32, {out, 0});
    for (uint32_t t = 0; t < 32; ++t) {
        EXPECT_EQ(out[2 * t], t < 4 ? 0 : 4) << t;
        EXPECT_EQ(out[2 * t + 1], t == 4) << t;
    }
}

}  // namespace
}  // namespace lanescope::machine::test
