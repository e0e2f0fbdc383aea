#include "ptx/instructions.h"

#include <gmock/gmock.h>

#include "ptx/syntax_error.h"

namespace lanescope::ptx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Kind = Operand::Kind;

// Views into `text`, which must be a string literal.
Instruction parse(std::string_view text) {
    TokenStream tokens(text);
    const std::string_view opcode = tokens.expect_identifier("an opcode").text;
    Instruction instruction = parse_instruction(tokens, opcode, {});
    EXPECT_TRUE(tokens.at(Token::Kind::end)) << text;
    return instruction;
}
std::string error_in(std::string_view text) {
    return error_of([&] { parse(text); });
}
Operand operand(std::string_view text) {
    Instruction instruction = parse(text);
    EXPECT_THAT(instruction.operands, SizeIs(1)) << text;
    return std::move(instruction.operands.at(0));
}
void expect_name(const Operand& operand, std::string_view name, int64_t offset = 0) {
    EXPECT_EQ(operand.kind, Kind::name);
    EXPECT_EQ(operand.name, name);
    EXPECT_EQ(operand.offset, offset);
    EXPECT_FALSE(operand.negated);
}
void expect_address(const Operand& operand, std::string_view name, int64_t offset) {
    EXPECT_EQ(operand.kind, Kind::address);
    EXPECT_EQ(operand.name, name);
    EXPECT_EQ(operand.offset, offset);
}

TEST(Instruction, OpcodeAndModifiers) {
    const Instruction load = parse("ld.global.L1::no_allocate.L2::128B.v4.f32 x;");
    EXPECT_EQ(load.opcode, "ld");
    EXPECT_THAT(load.modifiers, ElementsAre("global", "L1::no_allocate", "L2::128B", "v4", "f32"));
}

TEST(Instruction, NeedsNoOperands) {
    const Instruction ret = parse("ret ;");
    EXPECT_EQ(ret.opcode, "ret");
    EXPECT_THAT(ret.modifiers, IsEmpty());
    EXPECT_THAT(ret.operands, IsEmpty());
}

TEST(Instruction, OperandsInTheOrderWritten) {
    const Instruction add = parse("add.s32 %r1, %r2, 5;");
    ASSERT_THAT(add.operands, SizeIs(3));
    expect_name(add.operands[0], "%r1");
    expect_name(add.operands[1], "%r2");
    EXPECT_EQ(add.operands[2].kind, Kind::immediate);
    EXPECT_EQ(add.operands[2].immediate.bits, 5u);
}

TEST(Instruction, SpreadsOverLines) {
    EXPECT_THAT(parse("add\n.s32 // comment\n %r1,\n%r2, /* */ 5\n;").operands, SizeIs(3));
}

TEST(Operand, SpecialRegistersKeepTheirComponent) {
    expect_name(operand("mov.u32 %tid.x;"), "%tid.x");
    expect_name(operand("mov.u32 %clock64;"), "%clock64");
    expect_name(operand("mov.f32 vector.w;"), "vector.w");
}

TEST(Operand, NameWithOffset) {
    expect_name(operand("mov.u64 table+16;"), "table", 16);
    expect_name(operand("mov.u64 table - 8;"), "table", -8);
}

TEST(Operand, NegatedPredicate) {
    const Operand negated = operand("not.pred !%p1;");
    EXPECT_EQ(negated.kind, Kind::name);
    EXPECT_EQ(negated.name, "%p1");
    EXPECT_TRUE(negated.negated);
}

TEST(Operand, ConstantExpressions) {
    EXPECT_EQ(operand("mov -1;").immediate.bits, UINT64_MAX);
    EXPECT_EQ(operand("mov 3|4;").immediate.bits, 7u);
    EXPECT_EQ(operand("mov !5;").immediate.bits, 0u);
    EXPECT_EQ(operand("mov !0 + 2;").immediate.bits, 3u);
    EXPECT_EQ(operand("mov (1<2) ? 5 : 6;").immediate.bits, 5u);
    EXPECT_EQ(operand("mov WARP_SZ - 1;").immediate.bits, 31u);
    EXPECT_EQ(operand("mov 0f3F800000;").immediate.kind, Immediate::Kind::f32);
    EXPECT_EQ(operand("mov 0d3FF0000000000000;").immediate.kind, Immediate::Kind::f64);
}

TEST(Operand, Addresses) {
    expect_address(operand("ld [%rd1];"), "%rd1", 0);
    expect_address(operand("ld [%rd1+8];"), "%rd1", 8);
    expect_address(operand("ld [%rd1+-4];"), "%rd1", -4);
    expect_address(operand("ld [%rd1 + 8];"), "%rd1", 8);
    expect_address(operand("ld [sym-4];"), "sym", -4);
    expect_address(operand("ld [16];"), "", 16);
    expect_address(operand("ld [4*4-1];"), "", 15);
    expect_address(operand("ld [-16];"), "", -16);
}

TEST(Operand, VectorsMayHoldSinksAndConstants) {
    const Operand vector = operand("mov.b64 {%r1, _, 7};");
    EXPECT_EQ(vector.kind, Kind::vector);
    ASSERT_THAT(vector.elements, SizeIs(3));
    expect_name(vector.elements[0], "%r1");
    EXPECT_EQ(vector.elements[1].kind, Kind::sink);
    EXPECT_EQ(vector.elements[2].immediate.bits, 7u);
}

TEST(Operand, Pairs) {
    const Operand pair = operand("shfl %r1|%p1;");
    EXPECT_EQ(pair.kind, Kind::pair);
    ASSERT_THAT(pair.elements, SizeIs(2));
    expect_name(pair.elements[0], "%r1");
    expect_name(pair.elements[1], "%p1");
    EXPECT_EQ(operand("setp _ | %p1;").elements.at(0).kind, Kind::sink);
    EXPECT_EQ(operand("shfl %r1|_;").elements.at(1).kind, Kind::sink);
}

TEST(Operand, Sink) { EXPECT_EQ(operand("atom _;").kind, Kind::sink); }

TEST(Operand, BracketedListsAreTextureOperands) {
    const Operand texture = operand("tex.2d.v4.f32.f32 [tex, sampler, {%f1, %f2}];");
    EXPECT_EQ(texture.kind, Kind::texture);
    ASSERT_THAT(texture.elements, SizeIs(3));
    EXPECT_EQ(texture.elements[2].kind, Kind::vector);
    EXPECT_EQ(operand("ld [{%r1, %r2}];").kind, Kind::texture);
    EXPECT_EQ(operand("ld [!%p1];").kind, Kind::texture);
    EXPECT_EQ(operand("ld [];").kind, Kind::texture);
}

TEST(Call, AllForms) {
    EXPECT_THAT(parse("call f;").operands, SizeIs(1));

    const Instruction arguments_only = parse("call.uni f, (a, 5);");
    ASSERT_THAT(arguments_only.operands, SizeIs(2));
    EXPECT_EQ(arguments_only.operands[1].kind, Kind::list);
    EXPECT_THAT(arguments_only.operands[1].elements, SizeIs(2));

    const Instruction direct = parse("call.uni \n(retval0), \nf, \n(\nparam0, \nparam1\n);");
    ASSERT_THAT(direct.operands, SizeIs(3));
    EXPECT_EQ(direct.operands[0].kind, Kind::list);
    expect_name(direct.operands[0].elements.at(0), "retval0");
    expect_name(direct.operands[1], "f");
    expect_name(direct.operands[2].elements.at(1), "param1");

    const Instruction indirect = parse("call (r), %rd1, (a), prototype_0;");
    ASSERT_THAT(indirect.operands, SizeIs(4));
    expect_name(indirect.operands[1], "%rd1");
    expect_name(indirect.operands[3], "prototype_0");

    EXPECT_THAT(parse("call (), f, ();").operands[0].elements, IsEmpty());
}

TEST(Call, ArgumentsMayBeExpressions) {
    EXPECT_EQ(parse("call f, ((1+2));").operands[1].elements.at(0).immediate.bits, 3u);
}

TEST(Guard, PlainAndNegated) {
    TokenStream tokens("@%p1 @!%p2 @ ! p");
    EXPECT_FALSE(parse_guard(tokens).negated);
    const Guard negated = parse_guard(tokens);
    EXPECT_TRUE(negated.negated);
    EXPECT_EQ(negated.name, "%p2");
    EXPECT_EQ(parse_guard(tokens).name, "p");
}

TEST(Instruction, Errors) {
    EXPECT_EQ(error_in("add a b;"), "PTX line 1: expected ';' but found 'b'");
    EXPECT_EQ(error_in("add a,\n;"), "PTX line 2: expected an operand but found ';'");
    EXPECT_EQ(error_in("ret"), "PTX line 1: expected an operand but found the end of the text");
    EXPECT_EQ(error_in("ld {a, b;"), "PTX line 1: expected '}' but found ';'");
    EXPECT_EQ(error_in("ld [a;"), "PTX line 1: expected ']' but found ';'");
    EXPECT_EQ(error_in("ld [1.5];"), "PTX line 1: an address must be an integer");
    EXPECT_EQ(error_in("ld a[1];"),
              "PTX line 1: the indexed variable 'a[...]' is not supported; write its address as [a+bytes]");
    EXPECT_EQ(error_in("mov \"s\";"), "PTX line 1: expected an operand but found \"s\"");
    EXPECT_EQ(error_in("mov " + std::string(100'000, '{')), "PTX line 1: nesting deeper than 256 levels");
    EXPECT_EQ(error_in("mov " + std::string(100'000, '[')), "PTX line 1: nesting deeper than 256 levels");
}

}  // namespace
}  // namespace lanescope::ptx
