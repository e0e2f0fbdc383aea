#include "support/process.h"

#include <gmock/gmock.h>

namespace {

using namespace lanescope;

Finished shell(const std::string& script, const Limits& limits) { return run_limited({"/bin/sh", "-c", script}, limits); }

TEST(RunAndCapture, BothStreamsAndTheStatus) {
    const Captured run = run_and_capture({"/bin/sh", "-c", "echo out; echo err >&2; exit 3"});
    EXPECT_EQ(run.exit_status, 3);
    EXPECT_EQ(run.output, "out\nerr\n");
    EXPECT_EQ(run_and_capture({"/nowhere/program"}).exit_status, 127);
}

TEST(RunLimited, StreamsApartStatusAndEnvironment) {
    const Finished run = shell("echo $COLOUR; echo err >&2; exit 3", {.environment = {{"COLOUR", "blue"}}});
    EXPECT_EQ(run.end, Finished::End::exited);
    EXPECT_EQ(run.status, 3);
    EXPECT_EQ(run.out, "blue\n");
    EXPECT_EQ(run.err, "err\n");
}

TEST(RunLimited, ASignal) {
    const Finished run = shell("kill -SEGV $$", {});
    EXPECT_EQ(run.end, Finished::End::signalled);
    EXPECT_EQ(run.status, 11);
}

TEST(RunLimited, ProcessorTime) { EXPECT_EQ(shell("while :; do :; done", {.processor_seconds = 1}).end, Finished::End::out_of_time); }

TEST(RunLimited, TimeByTheClock) { EXPECT_EQ(shell("echo started; sleep 1000", {.seconds = 1}).end, Finished::End::out_of_time); }

// "Z": it has ended, and only its parent has not asked for its status yet.
TEST(RunLimited, ChildrenEndWithTheProgram) {
    const Finished run = shell("sleep 1000 & echo $!", {});
    ASSERT_EQ(run.end, Finished::End::exited);
    const std::string status = "/proc/" + run.out.substr(0, run.out.find('\n')) + "/status";
    const std::string wait = "for i in 1 2 3 4 5 6 7 8; do test -e " + status + " || exit 0; grep -q '^State:.*Z' " + status +
                             " && exit 0; sleep 0.2; done; exit 1";
    EXPECT_EQ(run_and_capture({"/bin/sh", "-c", wait}).exit_status, 0);
}

TEST(RunLimited, Output) {
    const Finished run = shell("exec yes", {.output_bytes = 10'000});
    EXPECT_EQ(run.end, Finished::End::too_much_output);
    EXPECT_EQ(run.out.size(), 10'000u);
}

TEST(RunLimited, NothingToRead) { EXPECT_EQ(shell("cat", {}).out, ""); }

}  // namespace
