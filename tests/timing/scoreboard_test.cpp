#include "timing/scoreboard.h"

#include <gtest/gtest.h>

namespace lanescope::timing {
namespace {

// Register r is sources[r]; an operation reads register `from` and writes register `to`.
class Chain : public testing::Test {
protected:
    void run(uint16_t from, uint16_t to, double latency, float interval) {
        const uint16_t registers[] = {from, to};
        TimedOperation op;
        op.sources = op.results = 1;
        op.interval = interval;
        clock.issue(op, registers);
        clock.result_after(op, registers, latency);
    }
    Scoreboard clock;
};

// Each waits 4 cycles for the one before: issued at 0, 4, 8, ...
TEST_F(Chain, DependentInstructionsWaitForTheirOperand) {
    clock.start(1, 0);
    for (int i = 0; i < 10; ++i) run(0, 0, 4, 1);
    EXPECT_EQ(clock.now(), 37);   // the tenth issues at 36 and takes the scheduler for one cycle
    EXPECT_EQ(clock.end(), 40);
    EXPECT_EQ(clock.busy(), 10);
}

// Two chains: 2 cycles each. Four: the scheduler is never free.
TEST_F(Chain, IndependentInstructionsHideTheLatency) {
    for (const int chains : {2, 4, 8}) {
        clock.start(8, 100);
        for (int i = 0; i < 800; ++i) run(static_cast<uint16_t>(i % chains), static_cast<uint16_t>(i % chains), 4, 1);
        EXPECT_NEAR((clock.now() - 100) / 800, chains == 2 ? 2 : 1, 0.01) << chains;
    }
}

TEST_F(Chain, ASlowUnitTakesItsIntervalHoweverManyChains) {
    clock.start(8, 0);
    for (int i = 0; i < 80; ++i) run(static_cast<uint16_t>(i % 8), static_cast<uint16_t>(i % 8), 17, 8);
    EXPECT_EQ(clock.now(), 640);
}

TEST_F(Chain, WaitingForOthers) {
    clock.start(1, 0);
    run(0, 0, 4, 1);
    clock.wait_until(50);
    run(0, 0, 4, 1);
    EXPECT_EQ(clock.end(), 54);
    clock.occupy(31);
    EXPECT_EQ(clock.now(), 82);
    EXPECT_EQ(clock.busy(), 33);
}

}  // namespace
}  // namespace lanescope::timing
