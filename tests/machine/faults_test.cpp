// Kernels that stray: what stops them and what the report says. Kernels: data/faults.cu.
#include <fmt/format.h>

#include "machine/test_device.h"

namespace lanescope::machine::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Faults : public testing::Test {
protected:
    Faults() { gpu.load_file("faults.ptx"); }

    // The launch must end with that fault, and the report must hold all of these pieces.
    template <class... S>
    void expect_fault(const std::optional<Fault>& fault, FaultKind kind, S... pieces) {
        ASSERT_TRUE(fault) << "it was not noticed";
        EXPECT_EQ(fault->kind, kind) << fault->report;
        EXPECT_THAT(fault->report, AllOf(HasSubstr(std::string(pieces))...));
    }
    TestDevice gpu;
};

// 100 ints: index 99 is the last one, 100 is out of bounds by one element.
TEST_F(Faults, OneElementPastTheEnd) {
    const auto p = gpu.buffer<int>(100);
    gpu.run("read_at", 1, 1, {p, int64_t{99}});
    gpu.run("write_at", 1, 1, {p, int64_t{99}});
    gpu.run("atomic_at", 1, 1, {p, int64_t{99}});
    EXPECT_EQ(p[99], 2);
    const std::string where =
        fmt::format("address {:#x}: 0 bytes past the end of 400 bytes of device memory at {:#x} (test)",
                    p.address() + 400, p.address());
    expect_fault(gpu.try_run("read_at", 1, 1, {p, int64_t{100}}), FaultKind::illegal_address,
                 "illegal read of 4 bytes at", where, "in kernel read_at", "at faults.cu:4",
                 "by thread (0,0,0) of block (0,0,0)");
    expect_fault(gpu.try_run("write_at", 1, 1, {p, int64_t{100}}), FaultKind::illegal_address,
                 "illegal write of 4 bytes at", where, "faults.cu:5");
    expect_fault(gpu.try_run("atomic_at", 1, 1, {p, int64_t{100}}), FaultKind::illegal_address,
                 "illegal atomic of 4 bytes at", where, "faults.cu:10");
    expect_fault(gpu.try_run("read_at", 1, 1, {p, int64_t{-1}}), FaultKind::illegal_address,
                 "4 bytes before 400 bytes of device memory");
}

// 3 blocks of 64 threads write 150 ints: the first thread outside is number 150, thread 22 of block 2.
TEST_F(Faults, ReportNamesTheThread) {
    const auto p = gpu.buffer<int>(150);
    expect_fault(gpu.try_run("each_thread_writes", 3, 64, {p, 7}), FaultKind::illegal_address,
                 "by thread (22,0,0) of block (2,0,0)", "0 bytes past the end of 600 bytes");
}

// An access of 16 bytes that begins inside and ends outside.
TEST_F(Faults, WideAccessAcrossTheEnd) {
    const auto p = gpu.buffer<int>(6);
    gpu.run("write_wide", 1, 1, {p});
    expect_fault(gpu.try_run("write_wide", 1, 1, {p.address() + 16}), FaultKind::illegal_address,
                 "illegal write of 16 bytes", "byte 16 of 24 bytes");
    EXPECT_EQ(p[5], 0) << "nothing was written";
}

TEST_F(Faults, Misaligned) {
    const auto p = gpu.buffer<int>(64);
    expect_fault(gpu.try_run("read_at", 1, 1, {p.address() + 2, int64_t{0}}), FaultKind::misaligned_address,
                 "misaligned read of 4 bytes", "which is not a multiple of 4");
    expect_fault(gpu.try_run("write_wide", 1, 1, {p.address() + 8}), FaultKind::misaligned_address,
                 "misaligned write of 16 bytes", "not a multiple of 16", "faults.cu:9");
    expect_fault(gpu.try_run("atomic_at", 1, 1, {p.address() + 1, int64_t{0}}), FaultKind::misaligned_address,
                 "misaligned atomic of 4 bytes");
}

TEST_F(Faults, NullPointers) {
    expect_fault(gpu.try_run("read_at", 1, 1, {uint64_t{0}, int64_t{0}}), FaultKind::illegal_address,
                 "at address 0x0: a null pointer");
    expect_fault(gpu.try_run("write_at", 1, 1, {uint64_t{0}, int64_t{25}}), FaultKind::illegal_address,
                 "at address 0x64: a null pointer plus an offset");
}

TEST_F(Faults, FreedMemory) {
    gpu.buffer<int>(1);
    const auto p = gpu.buffer<int>(100'000);
    const uint64_t address = p.address();
    gpu.run("write_at", 1, 1, {p, int64_t{50'000}});
    gpu.space.release(address);
    expect_fault(gpu.try_run("read_at", 1, 1, {address, int64_t{50'000}}), FaultKind::illegal_address,
                 "byte 200000 of 400000 bytes of device memory", "which was freed");
}

TEST_F(Faults, OrdinaryHostMemory) {
    std::vector<int> host(100);
    expect_fault(gpu.try_run("read_at", 1, 1, {reinterpret_cast<uint64_t>(host.data()), int64_t{3}}),
                 FaultKind::illegal_address, "ordinary host memory (malloc, new, stack)");
    const auto pinned = gpu.buffer<int>(100, MemoryKind::pinned);
    gpu.run("write_at", 1, 1, {pinned, int64_t{3}});
    EXPECT_EQ(pinned[3], 1);
}

// Memory of another device that this one may not access.
TEST_F(Faults, MemoryOfAnotherDevice) {
    const Allocation* a = gpu.space.allocate({.bytes = 64, .device = 1, .name = "other"});
    expect_fault(gpu.try_run("read_at", 1, 1, {a->address, int64_t{0}}), FaultKind::illegal_address,
                 "byte 0 of 64 bytes of device memory");
    gpu.space.find(a->address)->device_mask |= 1;
    gpu.run("read_at", 1, 1, {a->address, int64_t{0}});
}

// Constant memory: kernels read it (also through pointers), never write it.
TEST_F(Faults, ConstantMemory) {
    const auto out = gpu.buffer<int>(1);
    gpu.run("read_constant", 1, 1, {out, 2});
    EXPECT_EQ(out[0], 3);
    const auto table = gpu.symbol<int>("table");
    gpu.run("read_at", 1, 1, {table, int64_t{3}});
    EXPECT_EQ(gpu.symbol<int>("sink")[0], 4);
    expect_fault(gpu.try_run("write_at", 1, 1, {table, int64_t{1}}), FaultKind::illegal_address, "illegal write",
                 "byte 4 of the __constant__ variable table");
    expect_fault(gpu.try_run("atomic_at", 1, 1, {table, int64_t{1}}), FaultKind::illegal_address, "illegal atomic",
                 "__constant__ variable table");
    expect_fault(gpu.try_run("read_constant", 1, 1, {out, 4}), FaultKind::illegal_address, "illegal read",
                 "0 bytes past the end of the __constant__ variable table");
    EXPECT_EQ(table[1], 2);
}

// 64 bytes of dynamic shared memory: 16 ints.
TEST_F(Faults, SharedMemory) {
    gpu.launch.dynamic_shared_bytes = 64;
    gpu.run("write_shared", 1, 32, {15});
    expect_fault(gpu.try_run("write_shared", 1, 32, {16}), FaultKind::illegal_address,
                 "illegal write of 4 bytes at byte 64 of shared memory, of which the block has 64");
    expect_fault(gpu.try_run("write_shared", 1, 32, {-1}), FaultKind::illegal_address, "illegal write",
                 "shared memory");
    expect_fault(gpu.try_run("atomic_shared", 1, 32, {16}), FaultKind::illegal_address,
                 "illegal atomic of 4 bytes at byte 64 of shared memory");
    gpu.launch.dynamic_shared_bytes = 0;
    expect_fault(gpu.try_run("atomic_shared", 1, 32, {0}), FaultKind::illegal_address, "of which the block has 0");
}

// int a[8]: 32 bytes of local memory.
TEST_F(Faults, LocalMemory) {
    gpu.run("write_local", 1, 32, {7, 5});
    EXPECT_EQ(gpu.symbol<int>("sink")[0], 5);
    expect_fault(gpu.try_run("write_local", 1, 32, {8, 5}), FaultKind::illegal_address,
                 "illegal write of 4 bytes at byte 32 of local memory, of which the thread has 32");
    expect_fault(gpu.try_run("write_local", 1, 32, {-1, 5}), FaultKind::illegal_address, "local memory");
    expect_fault(gpu.try_run("write_local", 1, 32, {100'000'000, 5}), FaultKind::illegal_address, "local memory");
}

// Pointers to shared and local memory, mixed in one warp: even lanes add to their own l[0] = t, odd ones to
// s[t] = 100 + t.
TEST_F(Faults, GenericAddressesWork) {
    const auto out = gpu.buffer<int64_t>(32);
    gpu.run("addresses", 1, 32, {out});
    for (int t = 0; t < 32; ++t) EXPECT_EQ(out[t], t % 2 ? 1100 + t : 1000 + t) << t;
}

TEST_F(Faults, KernelParametersHaveAnEnd) {
    gpu.load_body("ld.param.u64 %rd0, [n]; st.global.u64 [%out], %rd0; ret;");  // n has 4 bytes
    const auto out = gpu.buffer<int64_t>(1);
    expect_fault(gpu.try_run("kernel", 1, 1, {out, 1}), FaultKind::illegal_address, "read of 8 bytes at byte 8 of the",
                 "parameters, of which", "12", "block (0,0,0)");
}

// Without -lineinfo the report says how to get the source line.
TEST_F(Faults, WithoutSourceLines) {
    gpu.load_body("st.global.u32 [16], 1;\nret;");
    expect_fault(gpu.try_run("kernel", 1, 1, {uint64_t{0}, 1}), FaultKind::illegal_address, "at PTX line 11",
                 "-lineinfo");
}

// After a fault the device goes on with the next launch; nothing is left behind.
TEST_F(Faults, DeviceSurvives) {
    const auto p = gpu.buffer<int>(100);
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(gpu.try_run("read_at", 100, 64, {p, int64_t{1'000'000}}));
        gpu.run("write_at", 1, 1, {p, int64_t{i}});
        EXPECT_EQ(p[i], 1);
    }
}

// Instructions that are not supported: refused when a warp comes to them, by name, also if their value is the
// same for the whole launch and would be computed before it.
TEST_F(Faults, UnsupportedInstructions) {
    gpu.load_body("setp.eq.u32 %p0, %tid.x, 40;\n@%p0 bra BAD;\nret;\nBAD: wgmma.fence.sync.aligned;\nret;");
    gpu.run("kernel", 1, 40, {uint64_t{0}, 1});
    expect_fault(gpu.try_run("kernel", 1, 64, {uint64_t{0}, 1}), FaultKind::unsupported, "wgmma.fence.sync.aligned",
                 "PTX line 14", "by thread (40,0,0)");
    gpu.load_body("add.sat.u32 %r0, %tid.x, 1;\nst.global.u32 [%out], %r0;\nret;");
    expect_fault(gpu.try_run("kernel", 1, 64, {uint64_t{0}, 1}), FaultKind::unsupported, "add.u32", "PTX line 11");
    gpu.load_body("add.sat.u32 %r0, 2, 1;\nst.global.u32 [%out], %r0;\nret;");
    expect_fault(gpu.try_run("kernel", 1, 64, {uint64_t{0}, 1}), FaultKind::unsupported, "add.u32", "PTX line 11");
}

}  // namespace
}  // namespace lanescope::machine::test
