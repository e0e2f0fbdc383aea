#include "ptx/source_lines.h"

#include <gtest/gtest.h>

#include "ptx/syntax_error.h"

namespace lanescope::ptx {
namespace {

void loc(SourceLines& lines, std::string_view text) {
    TokenStream tokens(text);
    lines.parse_loc(tokens);
    EXPECT_TRUE(tokens.at(Token::Kind::end)) << text;
}
void expect_location(const SourceLines& lines, int file, int line, int inlined_file, int inlined_line) {
    const Location location = lines.at(99);
    EXPECT_EQ(location.ptx_line, 99);
    EXPECT_EQ(location.file, file);
    EXPECT_EQ(location.line, line);
    EXPECT_EQ(location.inlined_file, inlined_file);
    EXPECT_EQ(location.inlined_line, inlined_line);
}

TEST(SourceLines, UnknownBeforeTheFirstLoc) { expect_location(SourceLines(), 0, 0, 0, 0); }

TEST(SourceLines, HoldsUntilTheNextLoc) {
    SourceLines lines;
    loc(lines, "1 17 5");
    expect_location(lines, 1, 17, 0, 0);
    expect_location(lines, 1, 17, 0, 0);
    loc(lines, "2 3 0");
    expect_location(lines, 2, 3, 0, 0);
}

TEST(SourceLines, InlinedIntoItsCaller) {
    SourceLines lines;
    loc(lines, "1 7 30");
    loc(lines, "2 518 5, function_name $L__info_string0, inlined_at 1 7 30");
    expect_location(lines, 2, 518, 1, 7);
    loc(lines, "1 8 1");
    expect_location(lines, 1, 8, 0, 0);
}

// As nvcc writes nested inlining: each location names its direct caller.
TEST(SourceLines, NamesTheOutermostCaller) {
    SourceLines lines;
    loc(lines, "1 7 30");
    loc(lines, "2 518 5, function_name $L__info_string0, inlined_at 1 7 30");
    loc(lines, "3 124 9, function_name $L__info_string1+24, inlined_at 2 518 5");
    loc(lines, "4 106 3, function_name $L__info_string2, inlined_at 3 124 9");
    expect_location(lines, 4, 106, 1, 7);
}

// The same helper inlined twice: the later call counts.
TEST(SourceLines, FollowsTheLatestCall) {
    SourceLines lines;
    loc(lines, "2 5 1, function_name $L__info_string0, inlined_at 1 7 3");
    loc(lines, "2 5 1, function_name $L__info_string0, inlined_at 1 9 3");
    loc(lines, "3 8 1, function_name $L__info_string1, inlined_at 2 5 1");
    expect_location(lines, 3, 8, 1, 9);
}

TEST(SourceLines, ARecursiveFunctionInlinedIntoItself) {
    SourceLines lines;
    loc(lines, "3 146 5, function_name $L__info_string7, inlined_at 1 9 3");
    loc(lines, "3 146 5, function_name $L__info_string7, inlined_at 3 146 5");
    expect_location(lines, 3, 146, 1, 9);
}

TEST(SourceLines, APlainLocationForgetsItsCaller) {
    SourceLines lines;
    loc(lines, "2 5 1, function_name $L__info_string0, inlined_at 1 7 3");
    loc(lines, "2 5 1");
    expect_location(lines, 2, 5, 0, 0);
    loc(lines, "3 8 1, function_name $L__info_string1, inlined_at 2 5 1");
    expect_location(lines, 3, 8, 2, 5);
}

TEST(SourceLines, Errors) {
    const auto error = [](std::string_view text) {
        return error_of([&] {
            SourceLines lines;
            loc(lines, text);
        });
    };
    EXPECT_EQ(error("1 2"), "PTX line 1: expected a column number but found the end of the text");
    EXPECT_EQ(error("1 -2 3"), "PTX line 1: expected a line number but found '-'");
    EXPECT_EQ(error("1 2 3, foo"), "PTX line 1: expected 'function_name' or 'inlined_at' in a .loc directive");
    EXPECT_EQ(error("1 99999999999 3"), "PTX line 1: a line number must be from 0 to 2147483647, not 99999999999");
}

}  // namespace
}  // namespace lanescope::ptx
