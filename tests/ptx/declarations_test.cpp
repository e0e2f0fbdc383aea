#include "ptx/declarations.h"

#include <gmock/gmock.h>

#include "ptx/syntax_error.h"

namespace lanescope::ptx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<Variable> parse(std::string_view text) {
    TokenStream tokens(text);
    std::vector<Variable> variables;
    parse_variables(tokens, {}, Linkage::internal, variables);
    EXPECT_TRUE(tokens.at(Token::Kind::end)) << text;
    return variables;
}
Variable parse_one(std::string_view text) {
    std::vector<Variable> variables = parse(text);
    EXPECT_THAT(variables, SizeIs(1)) << text;
    return std::move(variables.at(0));
}
std::string error_in(std::string_view text) {
    return error_of([&] { parse(text); });
}

TEST(Variable, Scalar) {
    const Variable variable = parse_one(".global .align 4 .u32 counter;");
    EXPECT_EQ(variable.space, "global");
    EXPECT_EQ(variable.type, "u32");
    EXPECT_EQ(variable.name, "counter");
    EXPECT_EQ(variable.alignment_bytes, 4);
    EXPECT_EQ(variable.vector_width, 1);
    EXPECT_FALSE(variable.is_array);
    EXPECT_EQ(variable.element_count, 1u);
    EXPECT_EQ(variable.register_count, 0);
    EXPECT_THAT(variable.initial, IsEmpty());
}

TEST(Variable, Array) {
    const Variable variable = parse_one(".shared .align 16 .b8 tile[(1 << 4) * 2][3];");
    EXPECT_TRUE(variable.is_array);
    EXPECT_FALSE(variable.unsized);
    EXPECT_EQ(variable.element_count, 96u);  // 32 * 3
}

TEST(Variable, ArrayOfUnknownSize) {
    const Variable variable = parse_one(".shared .align 16 .b8 dynamic[];");
    EXPECT_TRUE(variable.is_array);
    EXPECT_TRUE(variable.unsized);
    EXPECT_EQ(variable.element_count, 0u);
}

TEST(Variable, Vector) {
    EXPECT_EQ(parse_one(".reg .v4 .f32 v;").vector_width, 4);
    EXPECT_EQ(parse_one(".global .v2 .u32 v;").vector_width, 2);
}

TEST(Variable, RangeOfRegisters) {
    const Variable registers = parse_one(".reg .b32 \t%r<11>;");
    EXPECT_EQ(registers.space, "reg");
    EXPECT_EQ(registers.name, "%r");
    EXPECT_EQ(registers.register_count, 11);
}

TEST(Variable, SeveralInOneDeclaration) {
    const std::vector<Variable> variables = parse(".reg .b32 a, %r<3>, c;");
    ASSERT_THAT(variables, SizeIs(3));
    EXPECT_EQ(variables[0].name, "a");
    EXPECT_EQ(variables[1].name, "%r");
    EXPECT_EQ(variables[1].register_count, 3);
    EXPECT_EQ(variables[2].name, "c");
    EXPECT_EQ(variables[2].register_count, 0);
    EXPECT_EQ(variables[2].type, "b32");
}

TEST(Variable, InitialValuesBelongToTheirName) {
    const std::vector<Variable> variables = parse(".global .u32 a = 1, b[2] = {2, 3}, c;");
    ASSERT_THAT(variables, SizeIs(3));
    EXPECT_THAT(variables[0].initial, SizeIs(1));
    EXPECT_THAT(variables[1].initial, SizeIs(2));
    EXPECT_THAT(variables[2].initial, IsEmpty());
}

TEST(Variable, Attributes) {
    EXPECT_TRUE(parse_one(".global .attribute(.managed) .align 4 .u32 m;").managed);
    EXPECT_FALSE(parse_one(".global .attribute(.unified(0x1234, 0xABCD)) .u32 u;").managed);
    EXPECT_TRUE(parse_one(".global .attribute(.unified(1, 2), .managed) .u32 u;").managed);
}

TEST(Variable, OpaqueTypes) {
    EXPECT_EQ(parse_one(".global .texref t;").type, "texref");
    EXPECT_EQ(parse_one(".global .samplerref s = { addr_mode_0 = clamp_to_border, filter_mode = nearest };").name, "s");
}

TEST(Variable, Errors) {
    EXPECT_EQ(error_in(".global .foo x;"), "PTX line 1: unknown word '.foo' in a declaration");
    EXPECT_EQ(error_in(".global .u32 .s32 x;"), "PTX line 1: unknown word '.s32' in a declaration");
    EXPECT_EQ(error_in(".global x;"), "PTX line 1: expected a type but found 'x'");
    EXPECT_EQ(error_in(".global .u32;"), "PTX line 1: expected a name but found ';'");
    EXPECT_EQ(error_in(".global .u32 x"), "PTX line 1: expected ';' but found the end of the text");
    EXPECT_EQ(error_in(".global .align 3 .u32 x;"), "PTX line 1: alignment 3 is not a power of two");
    EXPECT_EQ(error_in(".global .align 0 .u32 x;"), "PTX line 1: alignment 0 is not a power of two");
    EXPECT_EQ(error_in(".global .u32 x[2][];"), "PTX line 1: expected a constant but found ']'");
    EXPECT_EQ(error_in(".global .u32 x[-1];"), "PTX line 1: an array size must be from 0 to 281474976710656, not -1");
    EXPECT_EQ(error_in(".global .u32 x[1<<40][1<<40];"), "PTX line 1: 'x' has more than 2^48 elements");
    EXPECT_EQ(error_in(".global .u32 x[][1<<40][1<<40];"), "PTX line 1: 'x' has more than 2^48 elements");
    EXPECT_EQ(error_in(".reg .b32 %r<2+3>;"), "PTX line 1: expected '>' but found '+'");
    EXPECT_EQ(error_in(".reg .b32 %r<4294967296>;"),
              "PTX line 1: a number of registers must be from 0 to 2147483647, not 4294967296");
    EXPECT_EQ(error_in(".global .attribute(.foo) .u32 x;"),
              "PTX line 1: expected an attribute (.managed or .unified) but found '.foo'");
}

std::vector<Variable> parse_list(std::string_view text) {
    TokenStream tokens(text);
    std::vector<Variable> parameters = parse_parameters(tokens, {});
    EXPECT_TRUE(tokens.at(Token::Kind::end)) << text;
    return parameters;
}

TEST(Parameters, AsNvccWritesThem) {
    const std::vector<Variable> parameters = parse_list(
        "(\n\t.param .u64 .ptr .global .align 16 k_param_0,\n\t.param .u64 .ptr .align 1 k_param_1,\n"
        "\t.param .align 8 .b8 k_param_2[40],\n\t.param .b32 _\n)");
    ASSERT_THAT(parameters, SizeIs(4));
    EXPECT_EQ(parameters[0].type, "u64");
    EXPECT_EQ(parameters[0].name, "k_param_0");
    EXPECT_EQ(parameters[0].alignment_bytes, 0);  // 16 is the alignment of what it points to
    EXPECT_EQ(parameters[1].name, "k_param_1");
    EXPECT_EQ(parameters[2].alignment_bytes, 8);
    EXPECT_EQ(parameters[2].element_count, 40u);
    EXPECT_EQ(parameters[2].location.ptx_line, 4);
    EXPECT_EQ(parameters[3].name, "_");
}

TEST(Parameters, MayBeRegistersOrNone) {
    EXPECT_EQ(parse_list("(.reg .u32 a)").at(0).space, "reg");
    EXPECT_THAT(parse_list("()"), IsEmpty());
    EXPECT_TRUE(parse_list("(.param .align 8 .b8 rest[])").at(0).unsized);
}

TEST(Parameters, Errors) {
    const auto error = [](std::string_view text) { return error_of([&] { parse_list(text); }); };
    EXPECT_EQ(error("(.global .u32 x)"), "PTX line 1: expected '.param' or '.reg' but found '.global'");
    EXPECT_EQ(error("(.param .u32 x"), "PTX line 1: expected ')' but found the end of the text");
    EXPECT_EQ(error("(.param .u32)"), "PTX line 1: expected a parameter's name but found ')'");
}

TEST(Linkage, IsOptional) {
    TokenStream tokens(".visible .extern .weak .common .global");
    EXPECT_EQ(parse_linkage(tokens), Linkage::visible);
    EXPECT_EQ(parse_linkage(tokens), Linkage::external);
    EXPECT_EQ(parse_linkage(tokens), Linkage::weak);
    EXPECT_EQ(parse_linkage(tokens), Linkage::common);
    EXPECT_EQ(parse_linkage(tokens), Linkage::internal);
    EXPECT_TRUE(at_state_space(tokens));
}

}  // namespace
}  // namespace lanescope::ptx
