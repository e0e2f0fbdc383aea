// Which warp runs when: deterministic, different for each seed, and no result that depends on more than that.
#include <set>

#include "machine/test_device.h"

namespace lanescope::machine::test {
namespace {

struct Outcome {
    std::vector<int> order;
    int racy = 0;
    uint64_t instructions = 0;
    bool operator==(const Outcome&) const = default;
};
// 64 blocks of 128 threads: the order in which their 256 warps take a ticket, and a counter that loses updates.
Outcome run_with(uint64_t seed) {
    TestDevice gpu({.schedule_seed = seed});
    gpu.load_file("waiting.ptx");
    const auto ticket = gpu.buffer<int>(1), order = gpu.buffer<int>(256), counter = gpu.buffer<int>(1);
    gpu.run("order_of_arrival", 64, 128, {ticket, order});
    Outcome outcome{order.values(), 0, gpu.counters.warp_instructions};
    gpu.run("racy_counter", 64, 128, {counter});
    outcome.racy = counter[0];
    outcome.instructions += gpu.counters.warp_instructions;
    EXPECT_EQ(ticket[0], 256);
    EXPECT_EQ(std::set<int>(outcome.order.begin(), outcome.order.end()).size(), 256u) << "each ticket once";
    return outcome;
}

TEST(Schedule, SameSeedSameOutcome) {
    for (const uint64_t seed : {0, 5}) EXPECT_EQ(run_with(seed), run_with(seed));
}

TEST(Schedule, OtherSeedsInterleaveDifferently) {
    std::set<std::vector<int>> orders;
    std::set<int> racy;
    for (const uint64_t seed : {0, 1, 2, 3, 4}) {
        const Outcome outcome = run_with(seed);
        orders.insert(outcome.order);
        racy.insert(outcome.racy);
        EXPECT_EQ(outcome.instructions, run_with(0).instructions)
            << "counters of a program without waiting do not depend on the schedule";
    }
    EXPECT_EQ(orders.size(), 5u);
    EXPECT_GT(racy.size(), 1u);
}

// Without atomics 8192 increments lose some under every schedule: the lanes of a warp read one value and write
// one, so at most 256 can count.
TEST(Schedule, RacesLoseUpdates) {
    for (const uint64_t seed : {0, 1, 2, 3}) {
        const int racy = run_with(seed).racy;
        EXPECT_GE(racy, 1);
        EXPECT_LT(racy, 256) << "some warps read before others wrote";
    }
}

// ---- Grids ----

TEST(Grids, ThreeDimensions) {
    TestDevice gpu;
    gpu.load(R"(.version 8.6
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 out) {
    .reg .b32 %r<16>; .reg .b64 %rd<3>;
    ld.param.u64 %rd0, [out];
    mov.u32 %r0, %ctaid.z; mad.lo.u32 %r0, %r0, %nctaid.y, %ctaid.y; mad.lo.u32 %r0, %r0, %nctaid.x, %ctaid.x;
    mov.u32 %r1, %tid.z; mad.lo.u32 %r1, %r1, %ntid.y, %tid.y; mad.lo.u32 %r1, %r1, %ntid.x, %tid.x;
    mul.lo.u32 %r2, %ntid.x, %ntid.y; mul.lo.u32 %r2, %r2, %ntid.z;
    mad.lo.u32 %r0, %r0, %r2, %r1;
    mul.wide.u32 %rd1, %r0, 4; add.u64 %rd0, %rd0, %rd1;
    atom.global.add.u32 %r3, [%rd0], %r0;
    ret;
})");
    const auto out = gpu.buffer<int>(2 * 3 * 4 * 5 * 3 * 2);
    const auto fault = gpu.try_run("kernel", Dim3{2, 3, 4}, Dim3{5, 3, 2}, {out});
    ASSERT_FALSE(fault) << fault->report;
    EXPECT_EQ(out.values(), table(720, [](int i) { return i; })) << "each thread once, numbered x first";
}

// More blocks than the GPU holds: they follow each other.
TEST(Grids, ManyBlocks) {
    TestDevice gpu({}, "t4");
    gpu.load_file("counted.ptx");
    const auto in = gpu.buffer(table(100'000, [](int i) { return i * 3; })), out = gpu.buffer<int>(100'000);
    gpu.run("copy_some", 100'000 / 32 + 1, 32, {in, out, 100'000});
    EXPECT_EQ(out.values(), in.values());
}

// A launch of all blocks at once that synchronise: each round every cell takes its neighbour's value plus 1, so
// after r rounds cell i holds (i + r) % n + r.
TEST(Grids, CooperativeLaunch) {
    for (const uint64_t seed : {0, 3}) {
        TestDevice gpu({.schedule_seed = seed, .instruction_limit = 400'000'000});
        gpu.load_file("counted.ptx");
        constexpr int n = 264 * 64;
        const auto cells = gpu.buffer(table(n, [](int i) { return i; }));
        const uint64_t used = gpu.space.device_bytes_used(0);
        gpu.launch.cooperative = true;
        gpu.run("grid_wide", 264, 64, {cells, 5});
        EXPECT_EQ(cells.values(), table(n, [](int i) { return (i + 5) % n + 5; }));
        EXPECT_EQ(gpu.space.device_bytes_used(0), used);
    }
}

// ---- Modules ----

TEST(Modules, VariablesAndAttributes) {
    TestDevice gpu;
    gpu.load_file("faults.ptx");
    EXPECT_EQ(gpu.symbol<int>("table").values(), (std::vector<int>{1, 2, 3, 4}));
    EXPECT_EQ(gpu.module->variable("nothing"), nullptr);
    auto kernel = gpu.module->kernel("write_local");
    ASSERT_TRUE(kernel);
    EXPECT_EQ((*kernel)->name(), "write_local");
    EXPECT_EQ((*kernel)->attributes().local_bytes, 32u);
    EXPECT_EQ((*kernel)->attributes().constant_bytes, 16u);
    EXPECT_EQ((*kernel)->attributes().ptx_version, 75);
    EXPECT_EQ((*kernel)->attributes().parameters.size(), 2u);
    EXPECT_FALSE(gpu.module->kernel("missing"));
    EXPECT_THAT(gpu.module->kernel("missing").error().text(), testing::HasSubstr("kernel missing"));
    const uint64_t address = gpu.module->variable("table")->address;
    gpu.device.unload(gpu.module);
    EXPECT_EQ(gpu.space.find(address), nullptr) << "unloading frees its variables";
}

TEST(Modules, TextThatIsNoPtx) {
    TestDevice gpu;
    const auto module = gpu.device.load({"this is no PTX"});
    ASSERT_FALSE(module);
    EXPECT_THAT(module.error().text(), testing::HasSubstr("PTX line 1"));
    EXPECT_FALSE(
        gpu.device.load({".version 8.0\n.target sm_90\n.address_size 64\n.global .b8 huge[99999999999999];\n"}))
        << "more than the GPU has";
}

}  // namespace
}  // namespace lanescope::machine::test
