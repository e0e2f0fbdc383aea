// The modelled clock as kernels read it: %clock64 between instructions, at barriers, and what other kernels left in L2.
#include <fmt/format.h>

#include "machine/test_device.h"

namespace lanescope::machine::test {
namespace {

// A kernel of the module, with `body` between two readings of the clock; lane 0 of each warp writes the difference to out[its warp].
std::string timed_kernel(const std::string& name, const std::string& body) {
    return fmt::format(R"(
.visible .entry {}(.param .u64 out, .param .u64 data)
{{
.reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<4>; .reg .b64 %out; .reg .b64 %data; .reg .b64 %begin; .reg .b64 %end;
ld.param.u64 %out, [out];
ld.param.u64 %data, [data];
mov.u32 %r0, %tid.x;
shr.u32 %r1, %r0, 5;
and.b32 %r2, %r0, 31;
mov.f32 %f0, 0f3F800000;
mov.u64 %begin, %clock64;
{}
mov.u64 %end, %clock64;
sub.s64 %end, %end, %begin;
mul.wide.u32 %rd0, %r1, 8;
add.s64 %rd0, %out, %rd0;
setp.ne.u32 %p0, %r2, 0;
@%p0 bra DONE;
st.global.u64 [%rd0], %end;
st.global.f32 [%out+1024], %f0;
DONE:
ret;
}}
)",
                       name, body);
}

constexpr const char* header = ".version 8.6\n.target sm_90\n.address_size 64\n";

std::string repeated(int times, const std::string& line) {
    std::string text;
    for (int i = 0; i < times; ++i) text += line + "\n";
    return text;
}

// On an H200 a float fma that needs the result of the one before issues 4 cycles after it; those that need nothing issue in
// every cycle, since a scheduler has 32 lanes for them.
TEST(Clock, ChainsAndIndependentInstructions) {
    TestDevice gpu;
    gpu.load(header + timed_kernel("chain", repeated(64, "fma.rn.f32 %f0, %f0, %f0, %f0;")) +
             timed_kernel("independent", repeated(64, "fma.rn.f32 %f1, %f2, %f2, %f2;")));
    const auto out = gpu.buffer<uint64_t>(256);
    gpu.run("chain", 1, 32, {out, uint64_t{0}});
    EXPECT_NEAR(static_cast<double>(out[0]), 64 * 4, 8);
    gpu.run("independent", 1, 32, {out, uint64_t{0}});
    EXPECT_NEAR(static_cast<double>(out[0]), 64, 8);
}

// Warp 1 has 100 dependent instructions of 4 cycles before the barrier, warp 0 none: both go on when warp 1 arrives.
TEST(Clock, NobodyPassesABarrierBeforeTheLast) {
    TestDevice gpu;
    gpu.load(header + timed_kernel("meet", "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra MEET;\n" + repeated(100, "fma.rn.f32 %f0, %f0, %f0, %f0;") +
                                               "MEET:\nbar.sync 0;"));
    const auto out = gpu.buffer<uint64_t>(256);
    gpu.run("meet", 1, 64, {out, uint64_t{0}});
    EXPECT_GE(out[0], 400u);
    EXPECT_NEAR(static_cast<double>(out[0]), static_cast<double>(out[1]), 30);
}

// A load that nobody has loaded before comes from DRAM; after a kernel of its own, which reads no clock, from L2.
TEST(Clock, WhatAKernelWithoutClockLeavesInL2IsThere) {
    const std::string load = "ld.global.cg.f32 %f0, [%data];\nadd.f32 %f0, %f0, %f0;";
    const std::string warm_up = ".visible .entry warm_up(.param .u64 out)\n{\n.reg .b64 %out; .reg .f32 %f0;\nld.param.u64 %out, [out];\n"
                                "ld.global.f32 %f0, [%out];\nst.global.f32 [%out+128], %f0;\nret;\n}\n";
    for (const bool warm : {false, true}) {
        TestDevice gpu;
        gpu.load(header + warm_up + timed_kernel("load", load));
        const auto out = gpu.buffer<uint64_t>(256), data = gpu.buffer<uint64_t>(256);
        if (warm) gpu.run("warm_up", 1, 1, {data});
        gpu.run("load", 1, 32, {out, data});
        EXPECT_NEAR(static_cast<double>(out[0]), warm ? 276 : 655, 30);   // the profile's
    }
}

// Then %clock64 counts warp instructions: the 64, and the reading itself.
TEST(Clock, SwitchedOffItCountsInstructions) {
    TestDevice gpu({.clock = false});
    gpu.load(header + timed_kernel("chain", repeated(64, "fma.rn.f32 %f0, %f0, %f0, %f0;")));
    const auto out = gpu.buffer<uint64_t>(256);
    gpu.run("chain", 1, 32, {out, uint64_t{0}});
    EXPECT_NEAR(static_cast<double>(out[0]), 64, 2);
}

// One warp follows a chain of two elements, again and again. Under a shuffled schedule it misses a turn now and then, which is not
// the same as waiting for ever.
TEST(Clock, AShuffledScheduleTakesNoTurnForEverForStuck) {
    for (const uint64_t seed : {1, 2, 3, 4, 5, 6, 7}) {
        TestDevice gpu({.schedule_seed = seed});
        gpu.load(header + timed_kernel("chase", "mov.u32 %r3, 500;\nmov.u64 %rd1, %data;\nLOOP:\n" + repeated(4, "ld.global.u64 %rd1, [%rd1];") +
                                                    "sub.u32 %r3, %r3, 1;\nsetp.ne.u32 %p1, %r3, 0;\n@%p1 bra LOOP;\nst.global.u64 [%out+1032], %rd1;"));
        const auto out = gpu.buffer<uint64_t>(256), data = gpu.buffer<uint64_t>(2);
        data[0] = data.address() + 8;
        data[1] = data.address();
        gpu.run("chase", 1, 32, {out, data});
        EXPECT_EQ(out[129], data.address()) << "seed " << seed;
    }
}

}  // namespace
}  // namespace lanescope::machine::test
