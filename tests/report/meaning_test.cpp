// The one sentence below a table.
#include <gmock/gmock.h>

#include "report/report.h"

namespace lanescope::report {
namespace {

using counters::LaunchCounts;

// Of `requests` requests, each: sectors, bytes asked for.
MemoryTraffic traffic(uint64_t requests, uint64_t sectors, uint64_t asked) { return {requests, requests * sectors, requests * sectors, 0, requests * asked, requests * sectors * 32}; }

TEST(Meaning, OfGlobalMemory) {
    LaunchCounts c;
    c.global_load = traffic(10, 4, 128);
    EXPECT_EQ(meaning(c), "Every byte that global loads move was asked for.");
    c.global_store = traffic(10, 4, 128);
    EXPECT_EQ(meaning(c), "Every byte that global loads and stores move was asked for.");
    c.global_load = traffic(10, 8, 128);   // every second int
    EXPECT_EQ(meaning(c), "Half of the bytes that global loads move are not asked for.");
    c.global_store = traffic(10, 32, 128);   // worse: every eighth
    EXPECT_EQ(meaning(c), "87.50 % of the bytes that global stores move are not asked for.");
    c.global_store = {};
    c.global_load = traffic(10, 1, 4);   // all lanes the same int: there is no request with fewer sectors, so none is promised
    EXPECT_EQ(meaning(c), "87.50 % of the bytes that global loads move are not asked for.");
}

TEST(Meaning, OnAKeplerOfLines) {
    LaunchCounts c;
    c.global_load = {1024, 2048, 4096, 0, 1024 * 128, 1024 * 128};   // from the middle of a line on, L1 off
    EXPECT_EQ(meaning(c), "Every byte that global loads move was asked for, but on average they touch 2 lines of 128 bytes for each request where "
                          "1 would hold as many bytes.");
    c.global_load = {1024, 2048, 5120, 0, 1024 * 128, 2048 * 128};   // L1 on: whole lines move
    EXPECT_EQ(meaning(c), "Half of the bytes that global loads move are not asked for.");
}

TEST(Meaning, OfSharedMemory) {
    LaunchCounts c;
    c.shared_load = {10, 10, 0, 1280};
    EXPECT_EQ(meaning(c), "Shared memory has no bank conflicts.");
    c.global_load = traffic(10, 4, 128);
    EXPECT_EQ(meaning(c), "Every byte that global loads move was asked for, and shared memory has no bank conflicts.");
    c.shared_load = {10, 40, 20, 2560};   // lanes of 8 bytes: 2 passes would do, 4 are needed
    EXPECT_EQ(meaning(c), "Shared loads take 2 passes on average where 1 would do without bank conflicts: lanes that want different words of one bank "
                          "take turns.");
    c.shared_atomic = {10, 320, 310, 40};
    EXPECT_EQ(meaning(c), "Shared atomics take 32 passes on average where 1 would do without bank conflicts: lanes that share a bank take turns.");
}

TEST(Meaning, OfWhatIsLeft) {
    LaunchCounts c;
    EXPECT_EQ(meaning(c), "It makes no request to global, local or shared memory.");
    c.local_store = traffic(1, 4, 128);
    EXPECT_EQ(meaning(c), "It uses no memory but local memory, which each thread has for itself.");
    c.local_load = traffic(16, 32, 128);   // each lane another element of its array
    EXPECT_EQ(meaning(c), "87.50 % of the bytes that local loads move are not asked for.");
    c.local_load = {};
    c.global_reduction = traffic(2, 1, 4);
    c.global_reduction.requested_bytes = c.global_reduction.moved_bytes = 0;   // not counted of atomics
    EXPECT_EQ(meaning(c), "Its atomic operations take 1 sector for each request on average, at the L2 cache, which carries them out.");
    c.global_reduction = traffic(2, 3, 12);
    EXPECT_EQ(meaning(c), "Its atomic operations take 3 sectors for each request on average, at the L2 cache, which carries them out.");
}

}  // namespace
}  // namespace lanescope::report
