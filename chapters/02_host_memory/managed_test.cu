// Managed memory: one pointer, no copy, but a wait.
#include <algorithm>

#include "guarded.cuh"
#include "program_output.h"

namespace {

using namespace lanescope::test;
using lanescope::tutorial::on_simulated_gpu;
using testing::HasSubstr;

__global__ void add_one(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += 1;
}

void launch(int* values, int n) {
    if (n > 0) add_one<<<(n + 255) / 256, 256>>>(values, n);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(Managed, BothSidesUseThePointer) {
    for (const int n : {0, 1, 31, 1000, 1000003}) {
        SCOPED_TRACE(n);
        Guarded memory(Kind::managed, n * sizeof(int));
        int* const values = memory.data<int>();
        for (const int round : {1, 2}) {
            for (int i = 0; i < n; ++i) values[i] = round * i;
            launch(values, n);
            ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
            int right = 0;
            for (int i = 0; i < n; ++i) right += values[i] == round * i + 1;
            EXPECT_EQ(right, n);
        }
        EXPECT_TRUE(memory.guards_are_untouched());
    }
}

// A GPU without concurrent access to managed memory would end the program here; the others read old values or new ones.
TEST(Managed, TheHostMustWait) {
    if (!on_simulated_gpu()) GTEST_SKIP() << "a real GPU may be fast enough to hide the mistake, or end the program";
    Guarded memory(Kind::managed, 1000 * sizeof(int));
    int* const values = memory.data<int>();
    std::fill_n(values, 1000, 6);
    launch(values, 1000);
    EXPECT_EQ(std::count(values, values + 1000, 6), 1000);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(std::count(values, values + 1000, 7), 1000);
}

TEST(ManagedProgram, AllSizes) {
    for (const char* n : {"0", "1", "257", "1000003"}) {
        const Finished run = run_well({PROGRAM_managed, "--n", n, "--repeats", "1"}, {{"LANESCOPE_GPU", "h200"}});
        EXPECT_THAT(run.out, HasSubstr(std::string("1. The host wrote ") + n + " ints, a kernel added 1 to each"));
        if (on_simulated_gpu()) EXPECT_THAT(run.out, HasSubstr("2. The same with a prefetch"));
    }
}

// A K80 moves managed memory as a whole.
TEST(ManagedProgram, SaysWhereThereIsNoPrefetch) {
    if (!on_simulated_gpu()) GTEST_SKIP() << "for the simulated K80";
    const Finished run = run_well({PROGRAM_managed, "--n", "1000"}, {{"LANESCOPE_GPU", "k80"}});
    EXPECT_THAT(run.out, HasSubstr("concurrentManagedAccess is 0"));
}

// The simulated GPU moves no pages, so it must not show what moving them costs.
TEST(ManagedProgram, ShowsTimesOnlyWhereTheyAreMeasured) {
    const Finished run = run_well({PROGRAM_managed, "--n", "100000", "--repeats", "1"});
    EXPECT_EQ(run.out.find(" ms\n") == std::string::npos, on_simulated_gpu()) << run.out;
}

TEST(ManagedProgram, HelpAndRefusals) {
    expect_help(PROGRAM_managed, {"--n", "--repeats"});
    expect_refused(PROGRAM_managed, {"--n", "one"}, "--n must be a whole number from 0");
    expect_refused(PROGRAM_managed, {"--prefetch"}, "--prefetch is not an option");
}

}   // namespace
