// Barriers of a block. Kernels: data/barriers.cu.
#include "machine/test_device.h"

namespace lanescope::machine::test {
namespace {

using testing::Each;
using testing::ElementsAreArray;

class Barriers : public testing::TestWithParam<uint64_t> {
protected:
    Barriers() : gpu({.schedule_seed = GetParam(), .instruction_limit = 50'000'000}) { gpu.load_file("barriers.ptx"); }
    TestDevice gpu;
};
INSTANTIATE_TEST_SUITE_P(Schedules, Barriers, testing::Values(0, 1, 77));

// Each block reverses its part through dynamic shared memory. 200 threads: the last warp has 8.
TEST_P(Barriers, ReverseThroughSharedMemory) {
    const auto in = gpu.buffer(table(1000, [](int i) { return i * 7; })), out = gpu.buffer<int>(1000);
    gpu.launch.dynamic_shared_bytes = 200 * sizeof(int);
    gpu.run("reverse", 5, 200, {in, out});
    EXPECT_THAT(out.values(), ElementsAreArray(table(1000, [](int i) { return (i / 200 * 200 + 199 - i % 200) * 7; })));
}

// After r rounds each thread holds the value of the thread r places on. 1024 threads, 31 rounds.
TEST_P(Barriers, ManyRounds) {
    const auto out = gpu.buffer<int>(1024);
    gpu.run("many_rounds", 1, 1024, {out, 31});
    EXPECT_THAT(out.values(), ElementsAreArray(table(1024, [](int t) { return (t + 31) % 1024; })));
}

TEST_P(Barriers, WarpsThatLeftAreNotWaitedFor) {
    const auto out = gpu.buffer<int>(64);
    gpu.run("some_leave", 1, 256, {out});
    EXPECT_THAT(out.values(), Each(9));
}

TEST_P(Barriers, OfSomeWarps) {
    const auto out = gpu.buffer<int>(128);
    gpu.run("two_of_four_warps", 1, 128, {out});
    EXPECT_THAT(out.values(), ElementsAreArray(table(128, [](int t) { return t < 64 ? 3 : -1; })));
}

TEST_P(Barriers, SeveralAtOnce) {
    const auto out = gpu.buffer<int>(256);
    gpu.run("named_by_register", 1, 256, {out});
    EXPECT_THAT(out.values(), ElementsAreArray(table(256, [](int t) { return t / 64 + 5; })));
}

TEST_P(Barriers, ArriveWithoutWaiting) {
    const auto out = gpu.buffer<int>(64);
    gpu.run("producer_arrives", 1, 64, {out});
    EXPECT_THAT(out.values(), ElementsAreArray(table(64, [](int t) { return t < 32 ? -1 : (63 - t) * (63 - t); })));
}

// Of 100 threads, 34 have t % 3 == 0. All are below 1000; one is 5; one is 17; none is above 5000.
TEST_P(Barriers, Reductions) {
    const auto count = gpu.buffer<int>(100), all = gpu.buffer<int>(100), any = gpu.buffer<int>(100);
    gpu.run("reductions", 1, 100, {count, all, any});
    EXPECT_THAT(count.values(), Each(34));
    EXPECT_THAT(all.values(), Each(2));
    EXPECT_THAT(any.values(), Each(2));
}

// Even and odd lanes come to the barrier at two places; it is one barrier. Thread t reads what 127 - t wrote.
TEST_P(Barriers, FromTwoPlacesInTheCode) {
    const auto out = gpu.buffer<int>(128);
    gpu.run("from_two_places", 1, 128, {out});
    EXPECT_THAT(out.values(),
                ElementsAreArray(table(128, [](int t) { return t % 2 == 0 ? 100 + 127 - t : 127 - t + 1000; })));
}

TEST_P(Barriers, SixteenOfThem) {
    gpu.run("barrier_number", 1, 32, {15});
    const auto fault = gpu.try_run("barrier_number", 1, 32, {16});
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::illegal_instruction);
    EXPECT_THAT(fault->report, testing::HasSubstr("barrier 16: a block has barriers 0 to 15"));
}

// Lanes that a guard holds back do not wait: 16 lanes of each warp arrive; then all meet at a second barrier.
// A warp counts as 32 threads at the first one only if all of its lanes arrive, so it wants 2 * 16.
TEST_P(Barriers, Guarded) {
    gpu.load_body(R"(
    mov.u32 %r0, %tid.x;
    and.b32 %r1, %r0, 16;
    setp.eq.u32 %p0, %r1, 0;
    @%p0 bar.sync 1, 32;
    mul.wide.u32 %rd0, %r0, 4;
    add.u64 %out, %out, %rd0;
    bar.red.popc.u32 %r2, 0, %p0;
    st.global.u32 [%out], %r2;
    ret;)");
    const auto out = gpu.buffer<int>(64);
    gpu.run("kernel", 1, 64, {out, 0});
    EXPECT_THAT(out.values(), Each(32));
}

}  // namespace
}  // namespace lanescope::machine::test
