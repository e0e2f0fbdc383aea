#include "support/demangle.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(Demangled, NamesOfCpp) {
    EXPECT_EQ(demangled("_Z3addPii"), "add(int*, int)");
    EXPECT_EQ(demangled("_ZN6config5tableE"), "config::table");
}

// Names of extern "C" stay, also those that would be types to the demangler: i is int, f is float.
TEST(Demangled, OtherNames) {
    for (const char* name : {"i", "f", "x", "St", "kernel", "", "_Znonsense"}) EXPECT_EQ(demangled(name), name);
}

}  // namespace
}  // namespace lanescope
