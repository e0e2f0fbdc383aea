// Memory that a kernel has without declaring it: alloca, and the shared memory reserved for system software.
#include "machine/test_device.h"

namespace lanescope::machine::test {
namespace {

using testing::HasSubstr;

// Each thread takes n + tid words, writes the index of each, and adds them up: tid words more than n.
TEST(Stack, AllocaOfASizePerThread) {
    TestDevice gpu;
    gpu.load_body(R"(
    .reg .b64 %size, %array, %top;
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    add.u32 %r3, %r1, %r2;
    stacksave.u64 %top;
    mul.wide.u32 %size, %r3, 4;
    alloca.u64 %array, %size, 16;
    and.b64 %rd1, %array, 15;
    mov.u32 %r4, 0;
write:
    mul.wide.u32 %rd2, %r4, 4;
    add.u64 %rd2, %rd2, %array;
    st.local.u32 [%rd2], %r4;
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p1, %r4, %r3;
    @%p1 bra write;
    mov.u32 %r5, 0;
    cvt.u32.u64 %r6, %rd1;              // 0: aligned
read:
    sub.u32 %r4, %r4, 1;
    mul.wide.u32 %rd2, %r4, 4;
    add.u64 %rd2, %rd2, %array;
    ld.local.u32 %r5, [%rd2];
    add.u32 %r6, %r6, %r5;
    setp.ne.u32 %p1, %r4, 0;
    @%p1 bra read;
    stackrestore.u64 %top;
    mul.wide.u32 %rd3, %r2, 4;
    add.u64 %rd3, %rd3, %out;
    st.global.u32 [%rd3], %r6;
    ret;)");
    const auto out = gpu.buffer<uint32_t>(64);
    gpu.run("kernel", 1, 64, {out, 5u});
    // 0 + 1 + ... + (5 + t - 1)
    EXPECT_EQ(out.values(), table(64, [](uint32_t t) { return (5 + t) * (4 + t) / 2; }));
}

// What stackrestore gave back is used again; an array that is still in use is not, nor by a called function.
TEST(Stack, ArraysInUseAreNotShared) {
    TestDevice gpu;
    gpu.load(R"(.version 8.6
.target sm_90
.address_size 64
.func fill()
{
    .local .align 4 .b8 variable[16];
    .reg .b32 %r;
    mov.u32 %r, 7;
    st.local.u32 [variable], %r;
    st.local.u32 [variable + 12], %r;
    ret;
}
.visible .entry kernel(.param .u64 out)
{
    .reg .pred %p;
    .reg .b32 %t, %value;
    .reg .b64 %out, %first, %second, %third, %top, %equal;
    ld.param.u64 %out, [out];
    mov.u32 %t, %tid.x;
    setp.lt.u32 %p, %t, 3;
    @!%p bra done;                      // some lanes have an array, some have none
    alloca.u64 %first, 16;
    st.local.u32 [%first], %t;
    st.local.u32 [%first + 12], %t;
    stacksave.u64 %top;
    alloca.u64 %second, 4;
    stackrestore.u64 %top;
    alloca.u64 %third, 4;
    sub.u64 %equal, %second, %third;    // 0: the same place
done:
    {
    call fill;
    }
    @!%p ret;
    ld.local.u32 %value, [%first + 12];
    add.u32 %value, %value, 100;
    cvt.u32.u64 %t, %equal;
    add.u32 %value, %value, %t;
    mov.u32 %t, %tid.x;
    mad.wide.u32 %out, %t, 4, %out;
    st.global.u32 [%out], %value;
    ret;
})");
    const auto out = gpu.buffer<uint32_t>(4);
    gpu.run("kernel", 2, 4, {out});
    EXPECT_EQ(out.values(), (std::vector<uint32_t>{100, 101, 102, 0}));
}

TEST(Stack, AllocaOfTooMuchIsAnOverflow) {
    TestDevice gpu;
    gpu.load_body("mov.u64 %rd1, 0x100000000;\nalloca.u64 %rd2, %rd1;\nst.local.u32 [%rd2], 0;\nret;");
    const auto fault = gpu.try_run("kernel", 1, 1, {uint64_t{0}, 0});
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::stack_overflow);
    EXPECT_THAT(fault->report, HasSubstr("alloca of 4294967296 bytes"));
}

// Tiles of several warps (cooperative groups) talk through it. It is no part of the block's own memory.
TEST(ReservedSharedMemory, LiesBehindTheBlocksOwn) {
    TestDevice gpu;
    gpu.load_body(R"(
    .shared .align 4 .b8 own[100];
    mov.u32 %r1, %reserved_smem_offset_begin;
    mov.u32 %r2, %reserved_smem_offset_1;
    mov.u32 %r3, %reserved_smem_offset_end;
    st.shared.u32 [own + 96], 1;
    st.shared.u32 [%r1], 2;
    st.shared.u32 [%r2], 3;
    ld.shared.u32 %r4, [own + 96];
    ld.shared.u32 %r5, [%r1];
    ld.shared.u32 %r6, [%r2];
    st.shared.u32 [%r3 + -4], 4;
    sub.u32 %r3, %r3, %r1;
    mov.u32 %r7, %total_smem_size;
    st.global.v4.u32 [%out], {%r4, %r5, %r6, %r3};
    st.global.u32 [%out + 16], %r7;
    ret;)");
    const auto out = gpu.buffer<uint32_t>(5);
    gpu.run("kernel", 1, 1, {out, 0});
    EXPECT_EQ(out.values(), (std::vector<uint32_t>{1, 2, 3, 1024, 100}));
}

}  // namespace
}  // namespace lanescope::machine::test
