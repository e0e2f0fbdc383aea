#include "support/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace lanescope {
namespace {

Result<int> half_of(int value) {
    if (value % 2 != 0) return Diagnostic{"odd", "half_of", "pass an even number"};
    return value / 2;
}

Result<void> require_even(int value) {
    if (value % 2 != 0) return Diagnostic{"odd", "", ""};
    return {};
}

TEST(Result, HoldsAValue) {
    const Result<int> result = half_of(8);
    ASSERT_TRUE(result);
    EXPECT_EQ(*result, 4);
}

TEST(Result, HoldsADiagnostic) {
    const Result<int> result = half_of(7);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().what, "odd");
    EXPECT_EQ(result.error().where, "half_of");
    EXPECT_EQ(result.error().next, "pass an even number");
}

TEST(Result, CarriesValuesThatCanOnlyBeMoved) {
    Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
    ASSERT_TRUE(result);
    const std::unique_ptr<int> taken = std::move(*result);
    EXPECT_EQ(*taken, 3);
}

TEST(Result, ReachesMembersOfTheValue) {
    Result<std::string> result = std::string("warp");
    ASSERT_TRUE(result);
    EXPECT_EQ(result->size(), 4u);
}

// A Diagnostic is an aggregate of strings; a Result of a string must still tell the two apart.
TEST(Result, OfAStringTellsValueFromDiagnostic) {
    const Result<std::string> value = std::string("text");
    const Result<std::string> error = Diagnostic{"text", "", ""};
    EXPECT_TRUE(value);
    EXPECT_FALSE(error);
}

TEST(ResultOfVoid, SaysWhetherItSucceeded) {
    EXPECT_TRUE(require_even(2));
    const Result<void> result = require_even(3);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().what, "odd");
}

TEST(Diagnostic, PrintsWhereWhatAndNext) {
    EXPECT_EQ((Diagnostic{"unknown word", "PTX line 3", "fix it"}.text()), "PTX line 3: unknown word\n  next: fix it");
}

TEST(Diagnostic, LeavesOutWhatIsEmpty) {
    EXPECT_EQ((Diagnostic{"unknown word", "", ""}.text()), "unknown word");
    EXPECT_EQ((Diagnostic{"unknown word", "here", ""}.text()), "here: unknown word");
    EXPECT_EQ((Diagnostic{"unknown word", "", "fix it"}.text()), "unknown word\n  next: fix it");
}

}  // namespace
}  // namespace lanescope
