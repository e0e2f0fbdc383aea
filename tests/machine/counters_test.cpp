// What is counted, against numbers derived by hand. Kernels: data/counted.cu. Buffers start at multiples of 512.
#include "machine/test_device.h"

namespace lanescope::machine::test {
namespace {

class Counters : public testing::Test {
protected:
    Counters() { gpu.load_file("counted.ptx"); }
    void expect(uint64_t load_requests, uint64_t load_sectors, uint64_t store_requests, uint64_t store_sectors) {
        EXPECT_EQ(gpu.counters.global_load.requests, load_requests);
        EXPECT_EQ(gpu.counters.global_load.sectors, load_sectors);
        EXPECT_EQ(gpu.counters.global_store.requests, store_requests);
        EXPECT_EQ(gpu.counters.global_store.sectors, store_sectors);
    }
    TestDevice gpu;
    Buffer<int> in = gpu.buffer(table(4096, [](int i) { return i; })), out = gpu.buffer<int>(4096);
};

// 1024 threads are 32 warps: 32 requests. Aligned, each touches 128 bytes in 4 sectors. An offset that is no
// multiple of 8 ints cuts one more sector; 8 ints are a whole sector.
TEST_F(Counters, Offsets) {
    gpu.run("copy_offset", 2, 512, {in, out, 0, 0});
    expect(32, 128, 32, 128);
    gpu.run("copy_offset", 2, 512, {in, out, 1, 0});
    expect(32, 160, 32, 128);
    gpu.run("copy_offset", 2, 512, {in, out, 0, 7});
    expect(32, 128, 32, 160);
    gpu.run("copy_offset", 2, 512, {in, out, 8, 16});
    expect(32, 128, 32, 128);
    EXPECT_EQ(out[16], 8);
}

// Stride 2: 256 bytes, 8 sectors; 8 and more: a sector for each lane; 0: one sector.
TEST_F(Counters, Strides) {
    gpu.run("copy_strided", 1, 128, {in, out, 2});
    expect(4, 32, 4, 16);
    gpu.run("copy_strided", 1, 128, {in, out, 8});
    expect(4, 128, 4, 16);
    gpu.run("copy_strided", 1, 128, {in, out, 32});
    expect(4, 128, 4, 16);
    gpu.run("copy_strided", 1, 128, {in, out, 0});
    expect(4, 4, 4, 16);
}

// 16 bytes a lane: one request of 512 bytes, 16 sectors.
TEST_F(Counters, WideAccesses) {
    gpu.run("copy_int4", 1, 64, {in, out});
    expect(2, 32, 2, 32);
}

// 100 of 128 threads: 3 full warps, and 4 lanes (16 bytes) of the last. 33 of 64: one lane of the second warp.
// A warp that does nothing makes no request.
TEST_F(Counters, PartialWarps) {
    gpu.run("copy_some", 1, 128, {in, out, 100});
    expect(4, 13, 4, 13);
    gpu.run("copy_some", 1, 64, {in, out, 33});
    expect(2, 5, 2, 5);
    gpu.run("copy_some", 1, 128, {in, out, 32});
    expect(1, 4, 1, 4);
    gpu.run("copy_some", 1, 50, {in, out, 50});  // the block's last warp has 18 threads: 72 bytes
    expect(2, 7, 2, 7);
}

// Constant and shared memory have paths of their own.
TEST_F(Counters, OnlyGlobalMemory) {
    gpu.run("scale", 1, 32, {out, 1});
    EXPECT_EQ(out[5], 15);
    expect(0, 0, 1, 4);
    gpu.run("through_shared", 1, 32, {in, out});
    EXPECT_EQ(out[0], 31);
    expect(1, 4, 1, 4);
}

// Counted are the instructions of the PTX text that a warp issues, whether or not they are computed once for the
// launch: 6 in this body and the ld.param before it.
TEST_F(Counters, WarpInstructions) {
    gpu.load_body(R"(
    mov.u32 %r0, %ntid.x;
    add.u32 %r1, %r0, 1;
    setp.lt.u32 %p0, %tid.x, 32;
    @%p0 st.global.u32 [%out], %r1;
    @!%p0 st.global.u32 [%out], %r0;
    ret;)");
    gpu.run("kernel", 3, 64, {out, 0});
    EXPECT_EQ(gpu.counters.warp_instructions, 3u * 2 * 7);
}

// A loop: 3 instructions in each of 10 rounds; lanes of one warp that leave at different times issue them together.
TEST_F(Counters, LoopsAreIssuedOnceForAllLanes) {
    gpu.load_body(R"(
    mov.u32 %r1, %tid.x;
    mov.u32 %r0, 0;
LOOP:
    add.u32 %r0, %r0, 1;
    setp.lt.u32 %p0, %r0, %r1;
    @%p0 bra LOOP;
    ret;)");
    gpu.run("kernel", 1, 11, {out, 0});  // lane 10 goes round 10 times, lanes 0 and 1 once
    EXPECT_EQ(gpu.counters.warp_instructions, 1u + 2 + 10 * 3 + 1);
}

// A branch on which lanes disagree: both sides are issued. Behind it, one request for all.
TEST_F(Counters, DivergedLanesMeetAgain) {
    gpu.load_body(R"(
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %rd0, %r0, 4;
    add.u64 %out, %out, %rd0;
    and.b32 %r1, %r0, 1;
    setp.eq.u32 %p0, %r1, 0;
    @%p0 bra EVEN;
    mov.u32 %r2, 5;
    bra MEET;
EVEN:
    mov.u32 %r2, 6;
MEET:
    st.global.u32 [%out], %r2;
    ret;)");
    gpu.run("kernel", 1, 32, {out, 0});
    EXPECT_EQ(gpu.counters.warp_instructions, 1u + 6 + 2 + 1 + 2);
    expect(0, 0, 1, 4);
    EXPECT_EQ(out[0], 6);
    EXPECT_EQ(out[1], 5);
}

// Of each memory instruction the first request, of the first warp, from the start of the buffer on.
TEST_F(Counters, FirstRequests) {
    gpu.run("copy_offset", 2, 512, {in, out, 1, 0});
    ASSERT_EQ(gpu.counters.first_requests.size(), 2u);
    const counters::FirstRequest &load = gpu.counters.first_requests[0], &store = gpu.counters.first_requests[1];
    EXPECT_EQ(load.action, "load");
    EXPECT_EQ(store.action, "store");
    EXPECT_EQ(load.space, "global");
    EXPECT_EQ(load.bytes, 4u);
    EXPECT_EQ(load.mask, 0xFFFFFFFFu);
    for (int lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(load.offset_bytes[lane], 4 * lane + 4);
        EXPECT_EQ(store.offset_bytes[lane], 4 * lane);
    }
    EXPECT_EQ(load.memory.requests, 1u);
    EXPECT_EQ(load.memory.sectors, 5u);
    EXPECT_EQ(load.memory.moved_bytes, 160u);
    EXPECT_EQ(store.memory.sectors, 4u);
}

// 3 of 64 threads: what the others would touch is not told.
TEST_F(Counters, FirstRequestOfFewLanes) {
    gpu.run("copy_some", 1, 64, {in, out, 3});
    ASSERT_EQ(gpu.counters.first_requests.size(), 2u);
    EXPECT_EQ(gpu.counters.first_requests[0].mask, 7u);
    EXPECT_EQ(gpu.counters.first_requests[0].offset_bytes[31], 0);
    EXPECT_EQ(gpu.counters.first_requests[0].memory.sectors, 1u);
}

}  // namespace
}  // namespace lanescope::machine::test
