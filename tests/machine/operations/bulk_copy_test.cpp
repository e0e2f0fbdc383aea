// Bulk copies (cp.async.bulk) and barrier objects that count their bytes, in hand-written PTX.
#include "machine/test_device.h"

namespace lanescope::machine::test {
namespace {

using testing::HasSubstr;

// 64 threads. Thread 0 has 256 bytes brought from out[0..64) and expects them after they were asked for (`first` copy, then expect_tx) or
// before. All wait, read element 63 - t, add 100 and store it in shared memory; thread 0 sends it all to out[64..128).
std::string turned(const std::string& bring) {
    return R"(
        .shared .align 8 .b64 barrier;
        .shared .align 16 .b32 values[64];
        .shared .align 16 .b32 results[64];
        mov.u32 %r1, %tid.x;
        mov.u32 %r2, barrier;
        mov.u32 %r3, values;
        mov.u32 %r9, results;
        setp.ne.u32 %p1, %r1, 0;
        @%p1 bra READY;
        mbarrier.init.shared.b64 [%r2], 1;
        fence.proxy.async.shared::cta;
    )" + bring + R"(
    READY:
        bar.sync 0;
    WAIT:
        mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;
        @!%p2 bra WAIT;
        sub.u32 %r5, 63, %r1;
        mad.lo.u32 %r6, %r5, 4, %r3;
        ld.shared.u32 %r7, [%r6];
        add.u32 %r7, %r7, 100;
        mad.lo.u32 %r8, %r1, 4, %r9;
        st.shared.u32 [%r8], %r7;
        fence.proxy.async.shared::cta;
        bar.sync 0;
        @%p1 bra END;
        cp.async.bulk.global.shared::cta.bulk_group [%out+256], [%r9], 256;
        cp.async.bulk.commit_group;
        cp.async.bulk.wait_group.read 0;
    END:
        ret;)";
}
constexpr const char* copy = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%out], 256, [%r2];\n";

void expect_turned(const std::string& bring) {
    for (const uint64_t seed : {0, 1, 2}) {
        TestDevice gpu({.schedule_seed = seed, .instruction_limit = 1'000'000});
        gpu.load_body(turned(bring));
        const auto out = gpu.buffer<uint32_t>(128);
        for (uint32_t i = 0; i < 64; ++i) out[i] = 1000 + i;
        gpu.run("kernel", 1, 64, {out, 64u});
        for (uint32_t t = 0; t < 64; ++t) ASSERT_EQ(out[64 + t], 1100 + 63 - t) << "seed " << seed;
    }
}

TEST(BulkCopy, ExpectedBefore) { expect_turned(std::string("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%r2], 256;\n") + copy); }

TEST(BulkCopy, ExpectedAfterwards) {
    expect_turned(std::string(copy) + "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r2], 256;\nmbarrier.arrive.shared::cta.b64 _, [%r2];\n");
}

// In two parts: the phase ends with the second. Policies of the caches change nothing, and neither does a prefetch.
TEST(BulkCopy, InParts) {
    expect_turned(R"(
        createpolicy.fractional.L2::evict_first.b64 %rd1, 1.0;
        cp.async.bulk.prefetch.L2.global [%out], 256;
        mbarrier.arrive.expect_tx.shared.b64 %rd2, [%r2], 256;
        cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r3+64], [%out+64], 192, [%r2], %rd1;
        cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%out], 64, [%r2];
    )");
}

// Bytes that are missing keep the phase open: an endless wait is reported.
TEST(BulkCopy, BytesThatNeverCome) {
    TestDevice gpu({.instruction_limit = 100'000});
    gpu.load_body(turned("mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 512;\n" + std::string(copy)));
    const auto fault = gpu.try_run("kernel", 1, 64, {gpu.buffer<uint32_t>(128), 64u});
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::timeout);
}

// As read on an H200 with Nsight Compute: 64 blocks that bring 4096 bytes each count 8192 sectors read from L2 and nothing else, those that send as
// many nothing. Here 256 bytes are 8 sectors each way.
TEST(BulkCopy, CountsSectorsOfL2Only) {
    TestDevice gpu;
    gpu.load_body(turned(std::string(copy) + "mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 256;\n"));
    gpu.run("kernel", 1, 64, {gpu.buffer<uint32_t>(128), 64u});
    EXPECT_EQ(gpu.counters.l2_read_sectors, 8u);
    EXPECT_EQ(gpu.counters.global_load.requests, 0u);
    EXPECT_EQ(gpu.counters.global_store.requests, 0u);
    EXPECT_EQ(gpu.counters.shared_load.wavefronts, 2u);    // of the two warps' own loads
    EXPECT_EQ(gpu.counters.shared_store.wavefronts, 2u);
}

std::string report_of(const std::string& bring, FaultKind kind) {
    TestDevice gpu;
    gpu.load_body(turned(bring));
    const auto fault = gpu.try_run("kernel", 1, 64, {gpu.buffer<uint32_t>(128), 64u});
    if (!fault) return "no fault";
    EXPECT_EQ(fault->kind, kind);
    return fault->report;
}

TEST(BulkCopy, MistakesAreReported) {
    EXPECT_THAT(report_of("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r3], [%out+4], 16, [%r2];\n", FaultKind::misaligned_address),
                HasSubstr("misaligned read of 16 bytes by a bulk copy"));
    EXPECT_THAT(report_of("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r3], [%out], 20, [%r2];\n", FaultKind::illegal_instruction),
                HasSubstr("a bulk copy of 20 bytes, which is not a multiple of 16"));
    EXPECT_THAT(report_of("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r3], [%out+256], 1024, [%r2];\n", FaultKind::illegal_address),
                HasSubstr("illegal read of 1024 bytes by a bulk copy"));
    EXPECT_THAT(report_of("cp.async.bulk.global.shared::cta.bulk_group [%out], [%r3], 512000;\n", FaultKind::illegal_address),
                HasSubstr("illegal read of 512000 bytes by a bulk copy at byte"));
    EXPECT_THAT(report_of("mbarrier.expect_tx.shared.b64 [%r2], 2000000;\n", FaultKind::illegal_instruction), HasSubstr("counts up to 1048575"));
}

}  // namespace
}  // namespace lanescope::machine::test
