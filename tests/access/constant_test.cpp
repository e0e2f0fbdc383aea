#include "access/constant.h"

#include <gtest/gtest.h>

#include "access/requests.h"

namespace lanescope::access {
namespace {

using namespace test;

// One address for all lanes is one pass; table[lane % 8] is eight addresses; table[lane] is 32.
TEST(Constant, APassForEachAddress) {
    EXPECT_EQ(constant_passes(request(lanes([](uint64_t) { return 64; }), 4)), 1u);
    EXPECT_EQ(constant_passes(request(lanes([](uint64_t lane) { return lane % 8 * 4; }), 4)), 8u);
    EXPECT_EQ(constant_passes(request(lanes([](uint64_t lane) { return lane * 4; }), 4)), 32u);
    EXPECT_EQ(constant_passes(request(lanes([](uint64_t lane) { return lane * 4; }), 4, 0)), 0u);
}

}  // namespace
}  // namespace lanescope::access
