#include "ptx/initializers.h"

#include <gmock/gmock.h>

#include "ptx/declarations.h"
#include "ptx/syntax_error.h"

namespace lanescope::ptx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// `text` must be a string literal: the variable views it.
Variable parse(std::string_view text) {
    TokenStream tokens(text);
    std::vector<Variable> variables;
    parse_variables(tokens, {}, Linkage::internal, variables);
    return std::move(variables.at(0));
}
std::vector<uint64_t> numbers(std::string_view text) {
    std::vector<uint64_t> bits;
    for (const InitialValue& value : parse(text).initial) {
        EXPECT_EQ(value.kind, InitialValue::Kind::number);
        bits.push_back(value.number.bits);
    }
    return bits;
}
std::string error_in(std::string_view text) {
    return error_of([&] { parse(text); });
}

TEST(Initializer, Scalar) {
    EXPECT_THAT(numbers(".global .u32 x = 7;"), ElementsAre(7));
    EXPECT_THAT(numbers(".global .f32 x = 0f40490FDB;"), ElementsAre(0x40490FDB));
    EXPECT_THAT(numbers(".global .s32 x = (4 - 5) * 2;"), ElementsAre(static_cast<uint64_t>(-2)));
}

TEST(Initializer, Row) {
    EXPECT_THAT(numbers(".global .b8 s[4] = {97, 98, 99, 0};"), ElementsAre(97, 98, 99, 0));
    EXPECT_THAT(numbers(".global .b8 s[4] = {97};"), ElementsAre(97));  // the rest is zero without being written
    EXPECT_THAT(numbers(".global .b8 s[4] = {};"), IsEmpty());
}

TEST(Initializer, RowsArePaddedToTheirLength) {
    EXPECT_THAT(numbers(".global .u32 m[2][3] = {{1}, {4, 5, 6}};"), ElementsAre(1, 0, 0, 4, 5, 6));
    EXPECT_THAT(numbers(".global .u32 m[2][2][2] = {{{1}}, {{5}, {7}}};"), ElementsAre(1, 0, 0, 0, 5, 0, 7));
}

TEST(Initializer, VectorsAreTheInnermostRow) {
    EXPECT_THAT(numbers(".global .v2 .u32 v = {1, 2};"), ElementsAre(1, 2));
    EXPECT_THAT(numbers(".global .v4 .u32 v[2] = {{1, 2}, {5}};"), ElementsAre(1, 2, 0, 0, 5));
}

TEST(Initializer, GivesTheMissingSize) {
    const Variable row = parse(".global .b8 s[] = {1, 2, 3};");
    EXPECT_EQ(row.element_count, 3u);
    EXPECT_FALSE(row.unsized);
    EXPECT_EQ(parse(".global .u32 m[][4] = {{1}, {2}};").element_count, 8u);
    EXPECT_EQ(parse(".global .v2 .u32 v[] = {{1, 2}, {3, 4}, {5, 6}};").element_count, 3u);
}

TEST(Initializer, Addresses) {
    const Variable variable = parse(".global .u64 p[5] = {generic(table)+12, table, f - 4, generic(table+8), 0};");
    ASSERT_THAT(variable.initial, SizeIs(5));
    EXPECT_EQ(variable.initial[0].kind, InitialValue::Kind::symbol);
    EXPECT_EQ(variable.initial[0].symbol, "table");
    EXPECT_EQ(variable.initial[0].offset, 12);
    EXPECT_TRUE(variable.initial[0].generic);
    EXPECT_EQ(variable.initial[1].symbol, "table");
    EXPECT_FALSE(variable.initial[1].generic);
    EXPECT_EQ(variable.initial[2].offset, -4);
    EXPECT_EQ(variable.initial[3].offset, 8);
    EXPECT_EQ(variable.initial[4].kind, InitialValue::Kind::number);
}

TEST(Initializer, BytesOfAddresses) {
    const Variable variable = parse(".global .b8 p[3] = {0xFF(table), 0xFF00(generic(table)+8), 0xFF0000(f)};");
    ASSERT_THAT(variable.initial, SizeIs(3));
    EXPECT_EQ(variable.initial[0].mask, 0xFFu);
    EXPECT_EQ(variable.initial[0].symbol, "table");
    EXPECT_EQ(variable.initial[1].mask, 0xFF00u);
    EXPECT_EQ(variable.initial[1].offset, 8);
    EXPECT_TRUE(variable.initial[1].generic);
    EXPECT_EQ(variable.initial[2].mask, 0xFF0000u);
}

TEST(Initializer, AVariableMayBeNamedGeneric) {
    EXPECT_EQ(parse(".global .u64 p = generic+4;").initial.at(0).symbol, "generic");
}

TEST(Initializer, Errors) {
    EXPECT_EQ(error_in(".global .u32 x[2] = {1, 2, 3};"), "PTX line 1: 'x' has more than 2 initial values in a row");
    EXPECT_EQ(error_in(".global .u32 x[2][2] = {{1, 2, 3}};"),
              "PTX line 1: 'x' has more than 2 initial values in a row");
    EXPECT_EQ(error_in(".global .u32 x[2] = 1;"), "PTX line 1: expected '{' but found '1'");
    EXPECT_EQ(error_in(".global .u32 x[2][2] = {1};"), "PTX line 1: expected '{' but found '1'");
    EXPECT_EQ(error_in(".global .u32 x = {1};"), "PTX line 1: expected a number or a name but found '{'");
    EXPECT_EQ(error_in(".global .b8 x[4] = \"abc\";"), "PTX line 1: expected '{' but found \"abc\"");
    EXPECT_EQ(error_in(".global .u32 x[2] = {1,};"), "PTX line 1: expected a number or a name but found '}'");
    EXPECT_EQ(error_in(".global .b8 x = 0(f);"),
              "PTX line 1: a mask must be an integer that selects a byte of the address");
    EXPECT_EQ(error_in(".global .b8 x = 1.5(f);"),
              "PTX line 1: a mask must be an integer that selects a byte of the address");
}

// A short text must not ask for gigabytes.
TEST(Initializer, PaddingIsLimited) {
    const std::string limit = "PTX line 1: the initializers of this module leave out more than 2^20 values";
    EXPECT_EQ(error_in(".global .b8 x[2][1000000000] = {{1}, {2}};"), limit);
    EXPECT_EQ(error_in(".global .b8 x[4][500000] = {{1}, {2}, {3}, {4}};"), limit);  // 3 * 499,999 zeros
    EXPECT_EQ(error_in(".global .b8 x[2][500000] = {{1}, {2}};"), "");
}

}  // namespace
}  // namespace lanescope::ptx
