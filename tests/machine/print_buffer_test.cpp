#include "machine/print_buffer.h"

#include <gtest/gtest.h>

namespace lanescope::machine {
namespace {

TEST(PrintBuffer, KeepsTheOrder) {
    PrintBuffer buffer;
    EXPECT_EQ(buffer.limit_bytes(), 1u << 20);
    buffer.add("one ", 16);
    buffer.add("two", 16);
    EXPECT_EQ(buffer.take(), "one two");
    EXPECT_EQ(buffer.take(), "");
}

// Room for three records of 16 bytes: of five, the first two are lost.
TEST(PrintBuffer, LosesTheOldest) {
    PrintBuffer buffer;
    buffer.set_limit_bytes(3 * 16 + 15);
    for (const char* text : {"a", "b", "c", "d", "e"}) buffer.add(text, 16);
    EXPECT_EQ(buffer.take(), "cde");
    buffer.add("f", 16);
    EXPECT_EQ(buffer.take(), "f") << "taking makes room";
}

TEST(PrintBuffer, RecordLargerThanTheBuffer) {
    PrintBuffer buffer;
    buffer.set_limit_bytes(32);
    buffer.add("a", 16);
    buffer.add("huge", 33);
    EXPECT_EQ(buffer.take(), "");
    buffer.add("b", 16);
    EXPECT_EQ(buffer.take(), "b");
}

}  // namespace
}  // namespace lanescope::machine
