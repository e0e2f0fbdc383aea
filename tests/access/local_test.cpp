#include "access/local.h"

#include <gtest/gtest.h>

#include "access/requests.h"

namespace lanescope::access {
namespace {

using namespace test;

Rules h200() { return rules_of(**gpus::find("h200")); }

// All lanes use t[3]: the 32 copies of that word are one line, 4 sectors.
TEST(Local, OneIndexForAllLanes) {
    const MemoryTraffic traffic = local_traffic(request(lanes([](uint64_t) { return 12; }), 4), h200());
    EXPECT_EQ(traffic.requests, 1u);
    EXPECT_EQ(traffic.sectors, 4u);
    EXPECT_DOUBLE_EQ(traffic.efficiency_percent(), 100);
}

// t[lane]: every lane in a line of its own.
TEST(Local, AnIndexForEachLane) {
    EXPECT_EQ(local_traffic(request(lanes([](uint64_t lane) { return lane * 4; }), 4), h200()).sectors, 32u);
}

// t[(i + lane) & 15]: 16 lines, lanes l and l + 16 in the same line but 64 bytes apart: still 32 sectors.
TEST(Local, IndicesModulo16) {
    EXPECT_EQ(local_traffic(request(lanes([](uint64_t lane) { return lane % 16 * 4; }), 4), h200()).sectors, 32u);
}

// A double is two words, in two lines: two requests, 8 sectors for all lanes.
TEST(Local, Doubles) {
    const MemoryTraffic traffic = local_traffic(request(lanes([](uint64_t) { return 16; }), 8), h200());
    EXPECT_EQ(traffic.requests, 2u);
    EXPECT_EQ(traffic.sectors, 8u);
}

}  // namespace
}  // namespace lanescope::access
