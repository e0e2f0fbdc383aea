// Barrier objects in shared memory (mbarrier), in hand-written PTX.
#include "machine/test_device.h"

namespace lanescope::machine::test {
namespace {

using testing::Each;
using testing::HasSubstr;

constexpr const char* object = ".shared .align 8 .b64 barrier;\n.shared .align 4 .b32 values[64];\n";

// 64 threads, two warps, exchange values through shared memory: thread t stores t, waits for all, reads 63 - t.
TEST(Mbarrier, TwoWarpsWaitForEachOther) {
    for (const uint64_t seed : {0, 1, 2, 3}) {
        TestDevice gpu({.schedule_seed = seed, .instruction_limit = 10'000'000});
        gpu.load_body(std::string(object) + R"(
            mov.u32 %r1, %tid.x;
            mov.u32 %r2, barrier;
            setp.ne.u32 %p1, %r1, 0;
            @%p1 bra READY;
            mbarrier.init.shared.b64 [%r2], 64;
        READY:
            bar.sync 0;
            mov.u32 %r3, values;
            mad.lo.u32 %r4, %r1, 4, %r3;
            st.shared.u32 [%r4], %r1;
            mbarrier.arrive.shared.b64 %rd1, [%r2];
        WAIT:
            mbarrier.test_wait.shared.b64 %p2, [%r2], %rd1;
            @!%p2 bra WAIT;
            sub.u32 %r5, 63, %r1;
            mad.lo.u32 %r6, %r5, 4, %r3;
            ld.shared.u32 %r7, [%r6];
            mul.wide.u32 %rd2, %r1, 4;
            add.u64 %rd3, %out, %rd2;
            st.global.u32 [%rd3], %r7;
            ret;)");
        const auto out = gpu.buffer<uint32_t>(64);
        gpu.run("kernel", 1, 64, {out, 64u});
        for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t], 63 - t) << "seed " << seed;
    }
}

// One thread: phases, parity, counts. Expected 2 arrivals: one leaves 1 pending, the second ends phase 0.
TEST(Mbarrier, PhasesAndCounts) {
    TestDevice gpu;
    gpu.load_body(std::string(object) + R"(
        mov.u32 %r2, barrier;
        mbarrier.init.shared::cta.b64 [%r2], 2;
        mbarrier.arrive.shared::cta.b64 %rd1, [%r2];
        mbarrier.pending_count.b64 %r3, %rd1;              // before the arrival: 2
        mbarrier.test_wait.shared::cta.b64 %p1, [%r2], %rd1;    // phase 0 is not complete
        selp.u32 %r4, 1, 0, %p1;
        mbarrier.arrive.release.cta.shared::cta.b64 %rd2, [%r2];
        mbarrier.pending_count.b64 %r5, %rd2;              // 1
        mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;  // phase 0 is complete
        selp.u32 %r6, 1, 0, %p2;
        mbarrier.test_wait.parity.shared::cta.b64 %p3, [%r2], 1; // phase 1 is not
        selp.u32 %r7, 1, 0, %p3;
        mbarrier.arrive_drop.shared::cta.b64 _, [%r2];     // phase 1: 1 of 2, and 1 expected from now on
        mbarrier.arrive.shared::cta.b64 _, [%r2], 1;       // phase 1 is complete
        mbarrier.arrive.shared::cta.b64 %rd3, [%r2];       // phase 2 expects 1
        mbarrier.pending_count.b64 %r8, %rd3;
        mbarrier.inval.shared::cta.b64 [%r2];
        st.global.v4.u32 [%out], {%r3, %r4, %r5, %r6};
        st.global.v2.u32 [%out+16], {%r7, %r8};
        ret;)");
    const auto out = gpu.buffer<uint32_t>(8);
    gpu.run("kernel", 1, 1, {out, 1u});
    EXPECT_THAT(out.values(), testing::ElementsAre(2, 0, 1, 1, 0, 1, 0, 0));
}

// Arrival of asynchronous copies: with .noinc it is one of the expected arrivals, without it changes nothing.
TEST(Mbarrier, ArrivalOfCopies) {
    TestDevice gpu;
    gpu.load_body(std::string(object) + R"(
        mov.u32 %r2, barrier;
        mov.u32 %r3, values;
        mbarrier.init.shared.b64 [%r2], 2;
        cp.async.ca.shared.global [%r3], [%out], 4;
        cp.async.mbarrier.arrive.shared.b64 [%r2];
        mbarrier.arrive.shared.b64 %rd1, [%r2];
        mbarrier.pending_count.b64 %r4, %rd1;              // 2: nothing has arrived before
        cp.async.mbarrier.arrive.noinc.shared.b64 [%r2];
        mbarrier.test_wait.shared.b64 %p1, [%r2], %rd1;    // complete
        selp.u32 %r5, 1, 0, %p1;
        st.global.v2.u32 [%out], {%r4, %r5};
        ret;)");
    const auto out = gpu.buffer<uint32_t>(2);
    gpu.run("kernel", 1, 1, {out, 1u});
    EXPECT_EQ(out[0], 2u);
    EXPECT_EQ(out[1], 1u);
}

TEST(Mbarrier, MistakesAreReported) {
    TestDevice gpu;
    gpu.load_body(std::string(object) + R"(
        mov.u32 %r2, barrier;
        mbarrier.init.shared.b64 [%r2], 1;
        mbarrier.arrive.shared.b64 %rd1, [%r2], 3;
        ret;)");
    const auto out = gpu.buffer<uint32_t>(2);
    const auto fault = gpu.try_run("kernel", 1, 1, {out, 1u});
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::illegal_instruction);
    EXPECT_THAT(fault->report, HasSubstr("3 arrivals at a barrier object that waits for 1"));
}

}  // namespace
}  // namespace lanescope::machine::test
