// Lanes that part and meet. Kernels: data/divergence.cu; the expectations are the same functions in C++.
#include <bit>

#include "machine/test_device.h"

namespace lanescope::machine::test {
namespace {

using testing::ElementsAreArray;

// Every kernel runs with the default schedule and with two others, in full and in partial warps.
class Divergence : public testing::TestWithParam<uint64_t> {
protected:
    Divergence() : gpu({.schedule_seed = GetParam(), .instruction_limit = 50'000'000}) {
        gpu.load_file("divergence.ptx");
    }
    TestDevice gpu;
};
INSTANTIATE_TEST_SUITE_P(Schedules, Divergence, testing::Values(0, 1, 77));

TEST_P(Divergence, NestedIf) {
    const auto out = gpu.buffer<int>(32);
    gpu.run("nested_if", 1, 32, {out});
    EXPECT_THAT(out.values(), ElementsAreArray(table(32, [](int t) {
                    int value = t < 20 ? 1 : 2;
                    if (t < 20)
                        value += t % 2 ? 20 : t % 4 == 0 ? 110 : 10;
                    else if (t > 27)
                        value += 30;
                    return value + 1000;
                })));
}

// Inside a branch only its lanes are together, behind it all of them again. The last warp has 13 threads.
TEST_P(Divergence, LanesMeetBehindTheBranch) {
    const auto inside = gpu.buffer<uint32_t>(45), behind = gpu.buffer<uint32_t>(45);
    gpu.run("masks", 1, 45, {inside, behind});
    for (int t = 0; t < 45; ++t) {
        const uint32_t present = t < 32 ? 0xFFFFFFFFu : (1u << 13) - 1;
        EXPECT_EQ(inside[t], (t % 4 == 0 ? 0x11111111u : 0xEEEEEEEEu) & present) << t;
        EXPECT_EQ(behind[t], present) << t;
    }
}

TEST_P(Divergence, LoopsOfDifferentLength) {
    const auto out = gpu.buffer<int>(32);
    gpu.run("trip_counts", 1, 32, {out});
    EXPECT_THAT(out.values(), ElementsAreArray(table(32, [](int t) { return t * (t + 1) * (2 * t + 1) / 6; })));
}

TEST_P(Divergence, BreakAndContinue) {
    const auto out = gpu.buffer<int>(32);
    gpu.run("break_and_continue", 1, 32, {out});
    EXPECT_THAT(out.values(), ElementsAreArray(table(32, [](int t) {
                    int sum = 0;
                    for (int k = 0; k < 100; ++k) {
                        if (k % 3 == t % 3) continue;
                        if (k > t) break;
                        sum += k;
                    }
                    return sum * 1000 + sum;
                })));
}

int case_of(int t, int n) {
    switch (t % 10) {
        case 0:
            return n * 3 + 10000;
        case 1:
            return n / 3 + 10000;
        case 2:
            return 5 + n + 10000;
        case 3:
            return n + 10000;
        case 4:
            return (n ^ 0x55) + 10000;
        case 5:
            return n + 10000;
        case 6:
            return (n << (t & 3)) + 10000;
        case 7:
            return 0;
        case 8:
            return n % 7 + 10000;
        default:
            return -1 + 10000;
    }
}
TEST_P(Divergence, Switch) {
    const auto out = gpu.buffer<int>(64);
    gpu.run("many_cases", 1, 64, {out, 1234});
    EXPECT_THAT(out.values(), ElementsAreArray(table(64, [](int t) { return case_of(t, 1234); })));
}

// t % 4 == 3 leaves at once; 1 leaves after round t / 4 (9 is the last), the others do all 10 rounds and meet.
TEST_P(Divergence, EarlyReturns) {
    const auto out = gpu.buffer<int>(32);
    const auto behind = gpu.buffer<uint32_t>(32);
    gpu.run("early_returns", 1, 32, {out, behind});
    for (int t = 0; t < 32; ++t) {
        EXPECT_EQ(out[t], t % 4 == 3 ? 0 : t % 4 == 1 ? t / 4 + 1 : 10) << t;
        EXPECT_EQ(behind[t], t % 4 == 0 || t % 4 == 2 ? 0x55555555u : 0u) << t;
    }
}

int depth(int n) { return n == 0 ? 1 : depth(n - 1) * 2 % 1000003 + n; }

// Lane t is t calls deep. touched[t] collects n + (n - 1) + ... + 1.
TEST_P(Divergence, RecursionOfDifferentDepth) {
    const auto out = gpu.buffer<int>(32), touched = gpu.buffer<int>(32);
    gpu.run("recursion", 1, 32, {out, touched});
    EXPECT_THAT(out.values(), ElementsAreArray(table(32, depth)));
    EXPECT_THAT(touched.values(), ElementsAreArray(table(32, [](int t) { return t * (t + 1) / 2; })));
}

TEST_P(Divergence, FunctionPointers) {
    const auto out = gpu.buffer<int>(32);
    const auto behind = gpu.buffer<uint32_t>(32);
    gpu.run("function_pointers", 1, 32, {out, behind});
    EXPECT_THAT(out.values(), ElementsAreArray(table(32, [](int t) {
                    int sum = 0;
                    for (int k = 0; k < t; ++k) sum += k ^ t;
                    return t % 3 == 0 ? 3 * t : t % 3 == 1 ? t * t : sum;
                })));
    for (int t = 0; t < 32; ++t) EXPECT_EQ(behind[t], 0xFFFFFFFFu) << t;
}

TEST_P(Divergence, PointerToNoFunction) {
    for (const int64_t address : {int64_t{0}, int64_t{12345}, int64_t{-1}}) {
        const auto fault = gpu.try_run("wild_pointer", 1, 1, {address});
        ASSERT_TRUE(fault);
        EXPECT_EQ(fault->kind, FaultKind::invalid_pc);
        EXPECT_THAT(fault->report, testing::HasSubstr("which is no function"));
    }
}

// ---- brx, which nvcc uses for dense switches, in hand-written PTX ----

// Case t % 4 of lanes t; cases 0 and 1 work, 2 goes straight to the meeting point, which follows the brx.
const char* const switch_before_meeting_point = R"(
    mov.u32 %r0, %tid.x;
    and.b32 %r1, %r0, 3;
    mul.wide.u32 %rd0, %r0, 8;
    add.u64 %out, %out, %rd0;
    mov.u32 %r2, 7;
    {guard} brx.idx %r1, cases;
MEET:
    activemask.b32 %r3;
    st.global.v2.u32 [%out], {%r2, %r3};
    ret;
ONE:
    mov.u32 %r2, 1;
    bra MEET;
TWO:
    add.u32 %r2, %r0, 100;
    bra MEET;
    cases: .branchtargets ONE, TWO, MEET, TWO;
)";
std::string with(std::string text, const std::string& guard) { return text.replace(text.find("{guard}"), 7, guard); }

TEST_P(Divergence, SwitchWhoseMeetingPointIsNext) {
    gpu.load_body(with(switch_before_meeting_point, ""));
    const auto out = gpu.buffer<uint32_t>(64);
    gpu.run("kernel", 1, 32, {out, 0});
    for (uint32_t t = 0; t < 32; ++t) {
        EXPECT_EQ(out[2 * t], t % 4 == 0 ? 1 : t % 4 == 2 ? 7 : 100 + t) << t;
        EXPECT_EQ(out[2 * t + 1], 0xFFFFFFFFu) << t;
    }
}

// Lanes of the upper half are guarded off and go on to the next operation, the meeting point.
TEST_P(Divergence, GuardedSwitch) {
    gpu.load_body("setp.lt.u32 %p0, %tid.x, 16;\n" + with(switch_before_meeting_point, "@%p0"));
    const auto out = gpu.buffer<uint32_t>(64);
    gpu.run("kernel", 1, 32, {out, 0});
    for (uint32_t t = 0; t < 32; ++t) {
        EXPECT_EQ(out[2 * t], t >= 16 ? 7 : t % 4 == 0 ? 1 : t % 4 == 2 ? 7 : 100 + t) << t;
        EXPECT_EQ(out[2 * t + 1], 0xFFFFFFFFu) << t;
    }
}

TEST_P(Divergence, SwitchBehindItsTable) {
    gpu.load_body("mov.u32 %r0, %tid.x;\nbrx.idx %r0, cases;\nA: ret;\ncases: .branchtargets A, A, A;\n");
    const auto fault = gpu.try_run("kernel", 1, 32, {uint64_t{0}, 0});
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::invalid_pc);
    EXPECT_THAT(fault->report,
                testing::AllOf(testing::HasSubstr("branch 3 of a table of 3"), testing::HasSubstr("thread (3,0,0)")));
}

// Guarded calls: lanes that do not call wait behind the call. A guarded ret and a guarded exit end some lanes.
TEST_P(Divergence, GuardedCallsAndReturns) {
    gpu.load(R"(.version 8.6
.target sm_90
.address_size 64
.func (.param .b32 result) half(.param .b32 x) {
    .reg .pred %p; .reg .b32 %x;
    ld.param.u32 %x, [x];
    st.param.b32 [result], 1000;
    setp.gt.u32 %p, %x, 20;
    @%p ret;
    shr.u32 %x, %x, 1;
    st.param.b32 [result], %x;
    ret;
}
.visible .entry kernel(.param .u64 out) {
    .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<3>;
    ld.param.u64 %rd0, [out];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %rd1, %r0, 8;
    add.u64 %rd0, %rd0, %rd1;
    setp.lt.u32 %p0, %r0, 30;
    @!%p0 exit;
    and.b32 %r1, %r0, 1;
    setp.eq.u32 %p1, %r1, 0;
    { .param .b32 x; .param .b32 y;
      st.param.b32 [x], %r0;
      st.param.b32 [y], 5;
      @%p1 call (y), half, (x);
      ld.param.b32 %r2, [y]; }
    activemask.b32 %r3;
    st.global.v2.u32 [%rd0], {%r2, %r3};
    ret;
})");
    const auto out = gpu.buffer<uint32_t>(64);
    gpu.run("kernel", 1, 32, {out});
    for (uint32_t t = 0; t < 32; ++t) {
        EXPECT_EQ(out[2 * t], t >= 30 ? 0 : t % 2 ? 5 : t > 20 ? 1000 : t / 2) << t;
        EXPECT_EQ(out[2 * t + 1], t >= 30 ? 0 : 0x3FFFFFFFu) << t;
    }
}

}  // namespace
}  // namespace lanescope::machine::test
