// Grades lost_updates: the count on many grids, then what it took to get it.
#include "grading/graded_test.h"
#include "lost_updates.h"

using namespace lanescope::grading;

namespace {

constexpr float limit = 100;

struct Case {
    int n, blocks, threads_per_block;
    int every;   // every how many-th reading is an alarm; 0: none
    std::string words() const {
        return text("n = ", n, ", ", blocks, " block(s) of ", threads_per_block, " thread(s), ",
                    every == 0 ? "no alarm" : every == 1 ? "all of them alarms" : text("one alarm in ", every, " readings"));
    }
    bool alarm(int i) const { return every > 0 && i % every == every - 1; }
};

std::vector<float> readings_of(const Case& c) {
    std::vector<float> readings(c.n);
    for (int i = 0; i < c.n; ++i) readings[i] = c.alarm(i) ? limit + 0.5f + i % 7 : limit - i % 90;   // limit itself is none
    return readings;
}

// Runs the learner's count and checks its result, and that the GPU counted: with the grid asked for, and without
// a copy of more than one number for each block to the host. The counters are those of this run.
lanescope::Counts check(const Case& c, const std::string& note = "") {
    const std::string input = c.words() + note;
    std::vector<int> expected(c.n);
    unsigned int expected_alarms = 0;
    for (int i = 0; i < c.n; ++i) expected_alarms += expected[i] = c.alarm(i);

    const DeviceArray<float> readings(readings_of(c));
    const DeviceArray<int> is_alarm(std::vector<int>(c.n, -1));   // so that an element that nobody writes shows
    unsigned int alarms = 12345;
    cudaError_t error = cudaSuccess;
    const lanescope::Counts counts = lanescope::count([&] {
        error = count_alarms(readings.data(), is_alarm.data(), c.n, limit, c.blocks, c.threads_per_block, &alarms);
    });
    if (expect_success(error, "count_alarms", input) && expect_equal(alarms, expected_alarms, "alarms", input) &&
        expect_equal(is_alarm.values(), expected, "is_alarm", input) && expect_launch(counts, c.blocks, c.threads_per_block, input))
        expect_at_most(counts.copied_to_host_bytes, sizeof alarms * c.blocks, "bytes copied to the host",
                       "one number for each block: the GPU counts, not the host", input);
    return counts;
}

// 128 blocks of 256 threads. Readings 255, 511, ... are alarms: one in each block, so one of the block's
// eight warps has one.
constexpr Case sparse{32768, 128, 256, 256};
constexpr char first_right[] = "\nhow it was counted is looked at when the count is right";

}  // namespace

GRADED_TEST(CountsWithinOneBlock, 3, "Six threads, one variable") {
    for (const Case& c : {Case{1, 1, 1, 1}, Case{32, 1, 32, 1}, Case{32, 1, 32, 0}, Case{100, 1, 128, 3}, Case{1024, 1, 1024, 2},
                          Case{0, 1, 32, 1}})
        check(c);
}

GRADED_TEST(CountsOnEveryGrid, 5, "Six threads, one variable") {
    for (const Case& c : {Case{6, 2, 3, 1}, Case{64, 64, 1, 1}, Case{64, 2, 32, 1}, Case{1000, 4, 256, 2}, Case{1000, 7, 160, 5},
                          Case{4097, 129, 32, 1}, Case{sparse}, Case{100'003, 391, 256, 3}, Case{5, 40, 64, 2}})
        check(c);
    check(Case{64, 2, 32, 1});   // and it starts from 0 every time
    check(Case{64, 2, 32, 1});
}

// Adding needs an atomic where several threads add to one address, and there alone. 128 warps find an alarm:
// one request for each, or one for each of the 128 blocks if a block adds up its own alarms first.
GRADED_TEST(NoAtomicWithoutNeed, 2, "The fix and what it costs") {
    SKIP_WITHOUT_COUNTERS();
    const lanescope::Counts counts = check(sparse, first_right);
    expect_at_most(counts, global_atomic_requests, 128, "one for each warp that finds an alarm", sparse.words());
}

// 1024 warps load 32 neighbouring readings each, with one request; twice as many leave room for other solutions,
// and a thread that goes through the readings alone makes 32768. A warp needs about 20 instructions for its 32
// readings; 300 leave room for adding up a block's alarms, and a block that does the work of all makes thousands.
GRADED_TEST(EveryThreadDoesItsShare, 2, "Six threads, one variable") {
    SKIP_WITHOUT_COUNTERS();
    const lanescope::Counts counts = check(sparse, first_right);
    expect_at_most(counts, global_load_requests, 2048, "two for each warp of 32 threads", sparse.words());
    expect_at_most(counts.busiest_warp_instructions, 300, "instructions of the busiest warp",
                   "about ten times what a warp needs for its 32 readings", sparse.words());
}
