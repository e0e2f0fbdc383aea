#include "ptx/constants.h"

#include <gtest/gtest.h>

#include <bit>

#include "ptx/syntax_error.h"

namespace lanescope::ptx {
namespace {

Immediate value_of(std::string_view text) {
    TokenStream tokens(text);
    const Immediate value = parse_constant(tokens);
    EXPECT_TRUE(tokens.at(Token::Kind::end)) << text;
    return value;
}
int64_t integer_of(std::string_view text) { return static_cast<int64_t>(value_of(text).bits); }
double real_of(std::string_view text) {
    const Immediate value = value_of(text);
    EXPECT_EQ(value.kind, Immediate::Kind::f64) << text;
    return std::bit_cast<double>(value.bits);
}
std::string error_in(std::string_view text) {
    return error_of([&] { value_of(text); });
}

// Precedence without parentheses is what is tested.
#pragma GCC diagnostic ignored "-Wparentheses"

// The operators of C with integer operands mean the same in PTX, so the compiler is the reference.
#define EXPECT_AS_IN_CPP(expression) EXPECT_EQ(integer_of(#expression), (expression)) << #expression

TEST(Constant, OperatorsAndPrecedenceAsInCpp) {
    EXPECT_AS_IN_CPP(2 + 3 * 4);
    EXPECT_AS_IN_CPP((2 + 3) * 4);
    EXPECT_AS_IN_CPP(10 - 4 - 3);
    EXPECT_AS_IN_CPP(100 / 7 / 2);
    EXPECT_AS_IN_CPP(-7 / 2);
    EXPECT_AS_IN_CPP(-7 % 4);
    EXPECT_AS_IN_CPP(1 << 3 + 1);
    EXPECT_AS_IN_CPP(1 << 4 >> 2);
    EXPECT_AS_IN_CPP(-16 >> 2);
    EXPECT_AS_IN_CPP(1 | 6 & 3 ^ 5);
    EXPECT_AS_IN_CPP(3 & 2 == 2);
    EXPECT_AS_IN_CPP(1 < 2 == 1);
    EXPECT_AS_IN_CPP(5 >= 5 && 4 <= 3 || 1 != 2);
    EXPECT_AS_IN_CPP(0 || 0 && 1);
    EXPECT_AS_IN_CPP(1 ? 2 : 0 ? 3 : 4);
    EXPECT_AS_IN_CPP(0 ? 2 : 0 ? 3 : 4);
    EXPECT_AS_IN_CPP(1 > 2 ? 3 + 4 : 5 * 6);
    EXPECT_AS_IN_CPP(-+-5);
    EXPECT_AS_IN_CPP(!5 + !0);
    EXPECT_AS_IN_CPP(~0x0F & 0xFF);
    EXPECT_AS_IN_CPP(-2 * -3);
    EXPECT_AS_IN_CPP(5 % 3);
}

TEST(Constant, PercentMayTouchItsOperands) { EXPECT_EQ(integer_of("17%5%(1+1)"), 0); }  // 17 % 5 = 2; 2 % 2 = 0

TEST(Constant, WarpSize) { EXPECT_EQ(integer_of("WARP_SZ*2"), 64); }

TEST(Constant, UnsignedOperandsMakeUnsignedResults) {
    EXPECT_EQ(integer_of("-1 < 0U"), 0);  // -1 is 2^64 - 1
    EXPECT_EQ(value_of("0xFFFFFFFFFFFFFFFF / 2").bits, UINT64_MAX / 2);
    EXPECT_EQ(value_of("0U - 1").kind, Immediate::Kind::unsigned_integer);
    EXPECT_EQ(value_of("(.u64) -3").kind, Immediate::Kind::unsigned_integer);
    EXPECT_EQ(integer_of("(.s64) 0xFFFFFFFFFFFFFFFF < 0"), 1);
    EXPECT_EQ(value_of("-8 >> 1U").bits, static_cast<uint64_t>(-4));  // the amount's sign does not matter
}

TEST(Constant, EdgesOf64Bits) {
    EXPECT_EQ(integer_of("9223372036854775807 + 1"), INT64_MIN);
    EXPECT_EQ(integer_of("(-9223372036854775807 - 1) / -1"), INT64_MIN);
    EXPECT_EQ(integer_of("(-9223372036854775807 - 1) % -1"), 0);
    EXPECT_EQ(integer_of("1 << 63"), INT64_MIN);
    EXPECT_EQ(integer_of("1 << 64"), 0);
    EXPECT_EQ(integer_of("1 << -1"), 0);
    EXPECT_EQ(integer_of("-1 >> 64"), -1);
    EXPECT_EQ(integer_of("0xFFFFFFFFFFFFFFFF >> 64"), 0);
}

TEST(Constant, FloatingPoint) {
    EXPECT_EQ(real_of("1.5 + 2"), 3.5);
    EXPECT_EQ(real_of("-1.5 * 2.0 / 4 - 1"), -1.75);
    EXPECT_EQ(real_of("0f3FC00000 * 2"), 3.0);  // 1.5f * 2
    EXPECT_EQ(integer_of("1.5 < 2"), 1);
    EXPECT_EQ(integer_of("0.0 || 0d0000000000000000"), 0);
    EXPECT_EQ(integer_of("0.5 ? 7 : 8"), 7);
}

TEST(Constant, NegatesTheSignBitOfAFloat) {
    EXPECT_EQ(value_of("-0f3F800000").bits, 0xBF800000u);
    EXPECT_EQ(value_of("-0f3F800000").kind, Immediate::Kind::f32);
    EXPECT_EQ(value_of("-0d0000000000000000").bits, 1ull << 63);
}

TEST(Constant, StopsBeforeWhatIsNoOperator) {
    TokenStream tokens("5, 6");
    EXPECT_EQ(parse_constant(tokens).bits, 5u);
    EXPECT_TRUE(tokens.at(","));
}

TEST(Constant, Errors) {
    EXPECT_EQ(error_in("1 / 0"), "PTX line 1: division by zero in a constant expression");
    EXPECT_EQ(error_in("1 % 0U"), "PTX line 1: division by zero in a constant expression");
    EXPECT_EQ(error_in("1 +"), "PTX line 1: expected a constant but found the end of the text");
    EXPECT_EQ(error_in("(1 + 2"), "PTX line 1: expected ')' but found the end of the text");
    EXPECT_EQ(error_in("1 ? 2"), "PTX line 1: expected ':' but found the end of the text");
    EXPECT_EQ(error_in("12ab"), "PTX line 1: malformed number '12ab'");
    EXPECT_EQ(error_in("18446744073709551616"),
              "PTX line 1: the number '18446744073709551616' does not fit in 64 bits");
    EXPECT_EQ(error_in("1.5 & 1"), "PTX line 1: operator '&' takes integers only");
    EXPECT_EQ(error_in("~1.5"), "PTX line 1: operator '~' takes integers only");
    EXPECT_EQ(error_in("(.u64) 1.5"), "PTX line 1: a cast takes an integer");
    EXPECT_EQ(error_in("(.f32) 1"), "PTX line 1: expected '.s64' or '.u64' but found '.f32'");
    EXPECT_EQ(error_in("a"), "PTX line 1: expected a constant but found 'a'");
}

TEST(Constant, NestingIsLimited) {
    const std::string limit = "PTX line 1: nesting deeper than 256 levels";
    EXPECT_EQ(error_in(std::string(300, '-') + "1"), limit);
    EXPECT_EQ(error_in(std::string(100'000, '(') + "1"), limit);
    std::string conditions;
    for (int i = 0; i < 300; ++i) conditions += "1?";
    EXPECT_EQ(error_in(conditions), limit);
}

TEST(Constant, LongSumsNeedNoNesting) {
    std::string sum = "1";
    for (int i = 0; i < 10'000; ++i) sum += "+1";
    EXPECT_EQ(integer_of(sum), 10'001);
}

TEST(Count, AcceptsWhatFits) {
    TokenStream tokens("2*3");
    EXPECT_EQ(parse_count(tokens, 6, "a size"), 6u);
}

TEST(Count, RefusesWhatDoesNotFit) {
    const auto error = [](std::string_view text) {
        return error_of([&] {
            TokenStream tokens(text);
            parse_count(tokens, 6, "a size");
        });
    };
    EXPECT_EQ(error("7"), "PTX line 1: a size must be from 0 to 6, not 7");
    EXPECT_EQ(error("-1"), "PTX line 1: a size must be from 0 to 6, not -1");
    EXPECT_EQ(error("1.0"), "PTX line 1: a size must be an integer");
}

TEST(LiteralCount, TakesOneNumberOnly) {
    TokenStream tokens("11> 2");
    EXPECT_EQ(parse_literal_count(tokens, 100, "a count"), 11u);
    EXPECT_TRUE(tokens.at(">"));
}

TEST(Offset, AddsTermsAfterAName) {
    const auto offset = [](std::string_view text) {
        TokenStream tokens(text);
        return parse_offset(tokens);
    };
    EXPECT_EQ(offset("]"), 0);
    EXPECT_EQ(offset("+4]"), 4);
    EXPECT_EQ(offset("-4]"), -4);
    EXPECT_EQ(offset("+-4]"), -4);
    EXPECT_EQ(offset(" + 8 ]"), 8);
    EXPECT_EQ(offset("+4*2+(1<<4)-1]"), 23);
}

TEST(Offset, MustBeAnInteger) {
    EXPECT_EQ(error_of([] {
                  TokenStream tokens("+1.5]");
                  parse_offset(tokens);
              }),
              "PTX line 1: an address offset must be an integer");
}

}  // namespace
}  // namespace lanescope::ptx
