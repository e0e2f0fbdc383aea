// What each usual mistake looks like. The reports of the simulated GPU come on top of what a GPU shows.
#include <cuda_runtime.h>
#include <gmock/gmock.h>

#include "support/run_program.h"
#include "tutorial/simulated.h"

namespace {

using lanescope::test::Finished;
using lanescope::test::run_program;
using lanescope::tutorial::on_simulated_gpu;
using testing::ContainsRegex;
using testing::HasSubstr;

Finished make(const char* mistake) { return run_program({PROGRAM_usual_errors, mistake}); }

TEST(UsualErrors, WrongSymbolsEndWithPlaceErrorAndNextStep) {
    for (const char* mistake : {"quotes", "address_of_name", "hidden"}) {
        const Finished run = make(mistake);
        EXPECT_EQ(run.exit_status, 1) << mistake;
        EXPECT_EQ(run.out, "") << mistake;
        EXPECT_THAT(run.err, ContainsRegex("chapters/01_global_symbols/usual_errors.cu:[0-9]+: cudaMemcpyToSymbol.*failed: "
                                           "cudaErrorInvalidSymbol \\(invalid device symbol\\)\n  next: pass the"));
    }
}

// The variable was never set: it starts at 0, and a kernel adds 2.
TEST(UsualErrors, AnErrorThatNobodyChecksIsAWrongNumber) {
    const Finished run = make("unchecked");
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_EQ(run.out, "3.14 + 2 = 2.00\n");
    EXPECT_EQ(run.err, "");
}

TEST(UsualErrors, HostCodeReadsTheStandInWhichIsZero) {
    const Finished run = make("read_on_host");
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_EQ(run.out, "value is 0.00\n");
    EXPECT_EQ(run.err, "");
}

TEST(UsualErrors, AKernelCannotReachTheStandIn) {
    int reaches_host_memory = 0;
    ASSERT_EQ(cudaDeviceGetAttribute(&reaches_host_memory, cudaDevAttrPageableMemoryAccess, 0), cudaSuccess);
    if (reaches_host_memory) GTEST_SKIP() << "this GPU reads ordinary host memory";
    const Finished run = make("stand_in_to_kernel");
    EXPECT_EQ(run.exit_status, 1);
    EXPECT_THAT(run.err, HasSubstr("cudaDeviceSynchronize() failed: cudaErrorIllegalAddress"));
    if (on_simulated_gpu()) {
        EXPECT_THAT(run.err, ContainsRegex("illegal read of 4 bytes at address 0x[0-9a-f]+: .*ordinary host memory"));
        EXPECT_THAT(run.err, ContainsRegex("in kernel add_two_at.*\n  at .*usual_errors.cu:[0-9]+"));
    }
}

TEST(UsualErrors, HostCodeCannotFollowTheAddress) {
    const Finished run = make("follow_on_host");
    EXPECT_NE(run.exit_status, 0);
    EXPECT_EQ(run.out, "");
    if (on_simulated_gpu()) {
        EXPECT_THAT(run.err, ContainsRegex("host code used the device pointer 0x[0-9a-f]+: .*variable value"));
    }
}

TEST(UsualErrors, WithoutWaitingTheKernelPrintsNothing) {
    const Finished run = make("no_wait");
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_EQ(run.out, "done\n");
    if (on_simulated_gpu()) {
        EXPECT_THAT(run.err, HasSubstr("1 operation was never waited for and did not run (kernel greet())"));
    }
}

TEST(UsualErrors, ListsItsMistakesAndRefusesOthers) {
    EXPECT_EQ(run_program({PROGRAM_usual_errors}).exit_status, 0);
    EXPECT_THAT(make("--help").out, HasSubstr("no_wait"));
    const Finished run = make("typo");
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_EQ(run.err, "usual_errors: there is no mistake \"typo\"\n  next: usual_errors --help\n");
}

}  // namespace
