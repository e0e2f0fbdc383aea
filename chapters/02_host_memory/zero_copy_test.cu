// Kernels on mapped host memory: what they compute, and what the host sees before and after it has waited.
#include "guarded.cuh"
#include "program_output.h"

namespace {

using namespace lanescope::test;
using lanescope::tutorial::on_simulated_gpu;
using testing::ElementsAre;
using testing::HasSubstr;

__global__ void add(const int* a, const int* b, int* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

void launch(const int* a, const int* b, int* c, int n) {
    if (n > 0) add<<<(n + 127) / 128, 128>>>(a, b, c, n);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
}

// An array of ints that both sides reach, or only the device.
struct Ints {
    Guarded memory;
    int n;
    int* device = nullptr;

    Ints(Kind kind, int n) : memory(kind, n * sizeof(int)), n(n), device(memory.data<int>()) {
        if (kind != Kind::device) EXPECT_EQ(cudaHostGetDevicePointer(&device, memory.data<int>(), 0), cudaSuccess);
    }
    void set(int first, int step) {
        std::vector<unsigned char> bytes(n * sizeof(int));
        for (int i = 0; i < n; ++i) {
            const int value = first + step * i;
            std::memcpy(&bytes[i * sizeof value], &value, sizeof value);
        }
        memory.set(bytes);
    }
    std::vector<int> values() {
        const auto bytes = memory.contents();
        std::vector<int> values(n);
        if (n > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
};

struct Placement {
    const char* name;
    Kind inputs, output;
};

class Placements : public testing::TestWithParam<Placement> {};

TEST_P(Placements, GiveTheSameSums) {
    for (const int n : {0, 1, 31, 32, 33, 1000, 100003}) {
        SCOPED_TRACE(n);
        Ints a(GetParam().inputs, n), b(GetParam().inputs, n), c(GetParam().output, n);
        a.set(5, 1);
        b.set(-3, 7);
        launch(a.device, b.device, c.device, n);
        std::vector<int> sums(n);
        for (int i = 0; i < n; ++i) sums[i] = 2 + 8 * i;
        EXPECT_EQ(c.values(), sums);
        EXPECT_TRUE(a.memory.guards_are_untouched() && b.memory.guards_are_untouched() &&
                    c.memory.guards_are_untouched());
    }
}

INSTANTIATE_TEST_SUITE_P(All, Placements,
                         testing::Values(Placement{"device", Kind::device, Kind::device},
                                         Placement{"ab_mapped", Kind::mapped, Kind::device},
                                         Placement{"c_mapped", Kind::device, Kind::mapped},
                                         Placement{"abc_mapped", Kind::mapped, Kind::mapped},
                                         Placement{"abc_pinned", Kind::pinned, Kind::pinned},
                                         Placement{"abc_registered", Kind::registered, Kind::registered}),
                         [](const auto& info) { return info.param.name; });

// The host writes, a kernel reads; the host writes again, the next kernel reads that.
TEST(ZeroCopy, NothingIsKept) {
    Ints a(Kind::mapped, 100), b(Kind::mapped, 100), c(Kind::mapped, 100);
    for (const int round : {1, 2, 3}) {
        a.set(round, 0);
        b.set(10 * round, 0);
        launch(a.device, b.device, c.device, 100);
        EXPECT_THAT(c.values(), testing::Each(11 * round));
    }
}

// Each way to wait is enough, and without one the host reads old values.
TEST(ZeroCopy, TheHostMustWait) {
    constexpr int n = 1000;
    Ints a(Kind::mapped, n), b(Kind::mapped, n), c(Kind::mapped, n);
    a.set(1, 0);
    b.set(2, 0);
    cudaEvent_t event;
    ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
    Guarded other(Kind::device, 4);
    const auto waits = {+[](cudaEvent_t, void*) { return cudaDeviceSynchronize(); },
                        +[](cudaEvent_t, void*) { return cudaStreamSynchronize(nullptr); },
                        +[](cudaEvent_t event, void*) { return cudaEventSynchronize(event); },
                        +[](cudaEvent_t, void* device) {   // a copy to the host waits for what came before it
                            int value = 0;
                            return cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
                        }};
    const volatile int* const seen = c.memory.data<int>();
    const auto count = [&](int value) {
        int equal = 0;
        for (int i = 0; i < n; ++i) equal += seen[i] == value;
        return equal;
    };
    for (const auto wait : waits) {
        c.set(-1, 0);
        launch(a.device, b.device, c.device, n);
        ASSERT_EQ(cudaEventRecord(event), cudaSuccess);
        if (on_simulated_gpu()) EXPECT_EQ(count(-1), n);   // a real GPU may be fast enough to hide the mistake
        EXPECT_EQ(wait(event, other.data()), cudaSuccess);
        EXPECT_EQ(count(3), n);
    }
    EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
}

Finished zero_copy(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), PROGRAM_zero_copy);
    arguments.insert(arguments.end(), {"--repeats", "1"});
    return run_well(arguments);
}

// A and B are 4 MB each, read; C is 4 MB, written.
TEST(ZeroCopyProgram, Table) {
    const Finished run = zero_copy({"--n", "1000000"});
    EXPECT_THAT(run.out, testing::ContainsRegex("A, B, C in device memory +0.0 +0.0 +[0-9.]+\n"
                                                "A, B mapped host memory +8.0 +0.0 +[0-9.]+\n"
                                                "A, B, C mapped host memory +8.0 +4.0 +[0-9.]+\n"));
    EXPECT_THAT(run.out, HasSubstr(source_of_times()));
    EXPECT_THAT(run.out, HasSubstr("All sums are right."));
}

TEST(ZeroCopyProgram, AllSizes) {
    for (const char* n : {"1", "255", "257", "65537"}) {
        EXPECT_THAT(zero_copy({"--n", n}).out, HasSubstr("All sums are right.")) << n;
    }
    EXPECT_THAT(zero_copy({"--n", "0"}).out, HasSubstr("no launch"));
}

TEST(ZeroCopyProgram, Csv) {
    const auto rows = csv_rows(zero_copy({"--csv", "--n", "5000"}).out);
    ASSERT_EQ(rows.size(), 1u + 3 * 3);
    EXPECT_THAT(rows[0], ElementsAre("n", "placement", "milliseconds", "source"));
    const std::vector<std::string> sizes{"1024", "4096", "5000"}, names{"device", "ab_mapped", "abc_mapped"};
    for (std::size_t i = 1; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].size(), 4u);
        EXPECT_EQ(rows[i][0], sizes[(i - 1) / 3]);
        EXPECT_EQ(rows[i][1], names[(i - 1) % 3]);
        EXPECT_EQ(rows[i][3], source_of_times());
    }
    EXPECT_EQ(csv_rows(zero_copy({"--csv", "--n", "1"}).out).size(), 1u + 3);
    EXPECT_EQ(csv_rows(zero_copy({"--csv", "--n", "0"}).out).size(), 1u);
}

// On the simulated GPU nothing has run yet, so all that the host looks at is old: up to 1000 elements.
TEST(ZeroCopyProgram, ForgetSync) {
    const std::vector<std::pair<const char*, int>> cases{{"0", 0}, {"1", 1}, {"999", 999}, {"100003", 1000}};
    for (const auto& [n, looked_at] : cases) {
        const Finished run = zero_copy({"--forget-sync", "--n", n});
        const std::string old = on_simulated_gpu() ? std::to_string(looked_at) : "[0-9]+";
        const std::string all = std::to_string(looked_at);
        EXPECT_THAT(run.out, testing::ContainsRegex("Without waiting +the host looks at +" + all +
                                                    " elements and finds +" + old +
                                                    " old ones\\.\n"
                                                    "After the wait +the host looks at +" +
                                                    all + " elements and finds +0 old ones\\."));
    }
}

TEST(ZeroCopyProgram, HelpAndRefusals) {
    expect_help(PROGRAM_zero_copy, {"--forget-sync", "--csv", "--n", "--repeats"});
    expect_refused(PROGRAM_zero_copy, {"--n", "-1"}, "--n must be a whole number from 0");
    expect_refused(PROGRAM_zero_copy, {"--n", "67108865"}, "--n must be a whole number from 0 to 67108864");
    expect_refused(PROGRAM_zero_copy, {"--mapped"}, "--mapped is not an option");
    expect_refused(PROGRAM_zero_copy, {"--csv", "--forget-sync"}, "--forget-sync and --csv exclude each other");
}

}   // namespace
