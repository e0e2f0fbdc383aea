// What kernels ask of the runtime (printf, assert, malloc), and how they end. Kernels: data/endings.cu.
#include <fmt/format.h>

#include <set>

#include "machine/test_device.h"

namespace lanescope::machine::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Endings : public testing::Test {
protected:
    Endings() { gpu.load_file("endings.ptx"); }
    TestDevice gpu;
};

// ---- printf ----

// Lanes of a warp print in order of their number. The default schedule starts block 0 first.
TEST_F(Endings, PrintfInOrder) {
    gpu.run("print_threads", 2, 3);
    EXPECT_EQ(
        gpu.device.take_printf_output(),
        "block 0 thread 0\nblock 0 thread 1\nblock 0 thread 2\nblock 1 thread 0\nblock 1 thread 1\nblock 1 thread 2\n");
    EXPECT_EQ(gpu.device.take_printf_output(), "");
}

TEST_F(Endings, PrintfOfAllTypes) {
    const auto name = gpu.buffer<char>(std::vector<char>{'a', 'b', 'c', '\0'});
    gpu.run("print_types", 1, 1, {name});
    EXPECT_EQ(gpu.device.take_printf_output(), "-3 4000000000 -5000000000 x abc  2.50 0x1234 %\n");
}

// It returns the number of arguments, as CUDA documents (not of characters).
TEST_F(Endings, PrintfResult) {
    const auto out = gpu.buffer<int>(2);
    gpu.run("print_result", 1, 1, {out});
    EXPECT_EQ(out[0], 0);
    EXPECT_EQ(out[1], 2);
}

// A record takes 8 bytes and 8 for each of its 2 arguments: 10 of them fit 240 bytes, the last 10 printed.
TEST_F(Endings, PrintfBufferLosesTheOldest) {
    gpu.device.set_printf_buffer_bytes(240);
    EXPECT_EQ(gpu.device.printf_buffer_bytes(), 240u);
    gpu.run("print_threads", 1, 32);
    std::string expected;
    for (int t = 22; t < 32; ++t) expected += fmt::format("block 0 thread {}\n", t);
    EXPECT_EQ(gpu.device.take_printf_output(), expected);
}

TEST_F(Endings, PrintfOfABadFormat) {
    gpu.load(R"(.version 8.6
.target sm_90
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.visible .entry kernel(.param .u64 format) {
    .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [format];
    { .param .b64 f; .param .b64 a; .param .b32 r;
      st.param.b64 [f], %rd0; st.param.b64 [a], 0; call (r), vprintf, (f, a); }
    ret;
})");
    gpu.run("kernel", 1, 1, {uint64_t{0}});
    EXPECT_EQ(gpu.device.take_printf_output(), "(unreadable)");
    const auto format = gpu.buffer<char>(std::vector<char>{'%', 'd', '\0'});
    const auto fault = gpu.try_run("kernel", 1, 1, {format});
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::illegal_address);
    EXPECT_THAT(fault->report, HasSubstr("printf reads its arguments at 0x0"));
}

// ---- Ends ----

TEST_F(Endings, Trap) {
    gpu.run("trap_at", 2, 32, {99});
    const auto fault = gpu.try_run("trap_at", 2, 32, {7});
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::trap);
    EXPECT_THAT(fault->report, AllOf(HasSubstr("__trap() was called"), HasSubstr("in kernel trap_at"),
                                     HasSubstr("endings.cu:14"), HasSubstr("thread (7,0,0)")));
}

// Each thread that fails prints its line on stderr, in the form of NVIDIA's runtime.
TEST_F(Endings, Assertion) {
    gpu.run("assert_below", 1, 32, {32});
    testing::internal::CaptureStderr();
    const auto fault = gpu.try_run("assert_below", 1, 32, {30});
    const std::string output = testing::internal::GetCapturedStderr();
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::assertion);
    EXPECT_THAT(output, AllOf(HasSubstr("endings.cu:16: "),
                              HasSubstr("block: [0,0,0], thread: [30,0,0] Assertion `threadIdx.x < n` failed.\n"),
                              HasSubstr("thread: [31,0,0]"), Not(HasSubstr("thread: [29,0,0]"))));
}

TEST_F(Endings, StackOverflow) {
    const auto p = gpu.buffer<int>(2);
    const auto fault = gpu.try_run("recurse_for_ever", 4, 64, {p});
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::stack_overflow);
    EXPECT_THAT(fault->report,
                AllOf(HasSubstr("stack overflow"), HasSubstr("calls deep"), HasSubstr("recurse_for_ever")));
}

// ---- malloc and free in kernels ----

TEST_F(Endings, MallocGivesEachThreadMemoryOfItsOwn) {
    const auto address = gpu.buffer<int64_t>(64);
    gpu.run("allocate", 1, 64, {address, 100});
    EXPECT_EQ(std::set<int64_t>(&address[0], &address[0] + 64).size(), 64u);
    EXPECT_EQ(gpu.space.find(address[5])->kind, MemoryKind::device_heap);
    EXPECT_EQ(gpu.space.find(address[5])->bytes, 100u);
    // It outlives the launch, and other kernels may use and free it.
    gpu.run("use", 1, 64, {address, 1000});
    EXPECT_EQ(*reinterpret_cast<int*>(gpu.space.find(address[63])->host), 1063);
    const int64_t first = address[0];
    gpu.run("release", 1, 64, {address});
    EXPECT_EQ(gpu.space.find(first), nullptr);
}

// 8 MiB unless set: 64 threads of 200,000 bytes get 41 of 64 (41 * 200,000 = 8,200,000 <= 8,388,608).
TEST_F(Endings, HeapHasALimit) {
    EXPECT_EQ(gpu.device.heap_bytes(), 8u << 20);
    const auto address = gpu.buffer<int64_t>(64);
    gpu.run("allocate", 1, 64, {address, 200'000});
    EXPECT_EQ(std::count(&address[0], &address[0] + 64, 0), 64 - 41);
    gpu.run("release", 1, 64, {address});  // free(nullptr) does nothing
    gpu.device.set_heap_bytes(400'000);
    gpu.run("allocate", 1, 64, {address, 200'000});
    EXPECT_EQ(std::count(&address[0], &address[0] + 64, 0), 62);
}

// 31 nodes each in 64 threads: 0 + 1 + ... + 30. All are freed, so that any number of rounds fits.
TEST_F(Endings, ListsInTheHeap) {
    const auto out = gpu.buffer<int>(64);
    const uint64_t used = gpu.space.device_bytes_used(0);
    for (int round = 0; round < 3; ++round) gpu.run("list_in_heap", 2, 64, {out, 31});
    for (int t = 0; t < 64; ++t) EXPECT_EQ(out[t], 30 * 31 / 2);
    EXPECT_EQ(gpu.space.device_bytes_used(0), used);
}

TEST_F(Endings, BadFrees) {
    const auto address = gpu.buffer<int64_t>(1);
    gpu.run("allocate", 1, 1, {address, 64});
    gpu.run("release", 1, 1, {address});
    const auto twice = gpu.try_run("release", 1, 1, {address});
    ASSERT_TRUE(twice);
    EXPECT_EQ(twice->kind, FaultKind::illegal_address);
    EXPECT_THAT(twice->report, AllOf(HasSubstr("free() of"), HasSubstr("which malloc() in a kernel did not return")));
    const auto used = gpu.try_run("use", 1, 1, {address, 5});
    ASSERT_TRUE(used) << "use after free";
    EXPECT_EQ(used->kind, FaultKind::illegal_address);
    const auto other = gpu.buffer<int>(16);  // from cudaMalloc
    address[0] = static_cast<int64_t>(other.address());
    EXPECT_TRUE(gpu.try_run("release", 1, 1, {address}));
    EXPECT_NE(gpu.space.find(other.address()), nullptr) << "it is still there";
}

}  // namespace
}  // namespace lanescope::machine::test
