#include "ptx/functions.h"

#include <gmock/gmock.h>

#include "ptx/syntax_error.h"

namespace lanescope::ptx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// `text` must be a string literal: the function views it.
Function parse(std::string_view text) {
    TokenStream tokens(text);
    Function function = parse_function(tokens, Linkage::internal);
    EXPECT_TRUE(tokens.at(Token::Kind::end)) << text;
    return function;
}
std::string error_in(std::string_view text) {
    return error_of([&] { parse(text); });
}

template <class T>
const T& statement(const Function& function, size_t index) {
    EXPECT_LT(index, function.body.size());
    EXPECT_TRUE(std::holds_alternative<T>(function.body.at(index))) << "statement " << index;
    return std::get<T>(function.body.at(index));
}

TEST(Function, Kernel) {
    const Function kernel = parse(".entry add(\n.param .u64 add_param_0\n) { ret; }");
    EXPECT_TRUE(kernel.is_entry);
    EXPECT_FALSE(kernel.is_declaration);
    EXPECT_EQ(kernel.name, "add");
    EXPECT_THAT(kernel.parameters, SizeIs(1));
    EXPECT_THAT(kernel.returns, IsEmpty());
    EXPECT_EQ(statement<Instruction>(kernel, 0).opcode, "ret");
}

TEST(Function, DeviceFunctionWithResult) {
    const Function function =
        parse(".func  (.param .b32 func_retval0) f(.param .b32 f_param_0, .param .b64 f_param_1) {}");
    EXPECT_FALSE(function.is_entry);
    EXPECT_THAT(function.returns, SizeIs(1));
    EXPECT_THAT(function.parameters, SizeIs(2));
    EXPECT_THAT(function.body, IsEmpty());
}

TEST(Function, Declaration) {
    EXPECT_TRUE(parse(".func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);").is_declaration);
    EXPECT_TRUE(parse(".func f;").is_declaration);
    EXPECT_TRUE(parse(".func trap_now() .noreturn;").no_return);
}

TEST(Function, WithoutParameterList) { EXPECT_THAT(parse(".entry k { ret; }").parameters, IsEmpty()); }

TEST(Function, LaunchLimits) {
    const Function kernel = parse(".entry k()\n.maxntid 256, 2, 1\n.minnctapersm 4\n.maxnreg 64\n{ ret; }");
    EXPECT_THAT(kernel.max_threads, ElementsAre(256, 2, 1));
    EXPECT_THAT(kernel.required_threads, ElementsAre(0, 0, 0));
    EXPECT_EQ(kernel.min_blocks_per_sm, 4);
    EXPECT_EQ(kernel.max_registers, 64);
}

TEST(Function, ExtentsThatAreLeftOutAreOne) {
    EXPECT_THAT(parse(".entry k() .maxntid 256 { }").max_threads, ElementsAre(256, 1, 1));
    EXPECT_THAT(parse(".entry k() .reqntid 32, 8 { }").required_threads, ElementsAre(32, 8, 1));
}

TEST(Function, OtherDirectivesOfNvcc) {
    const Function kernel = parse(
        ".entry k() .explicitcluster .reqnctapercluster 2, 1, 1 .maxclusterrank 8 .blocksareclusters"
        " .maxnctapersm 2 .pragma \"nounroll\"; { ret; }");
    EXPECT_THAT(kernel.required_cluster, ElementsAre(2, 1, 1));
    EXPECT_THAT(kernel.body, SizeIs(1));
    EXPECT_TRUE(parse(".func .attribute(.unified(1, 2)) (.param .b32 r) f() .abi_preserve 5 .abi_preserve_control 3 ;")
                    .is_declaration);
}

TEST(Body, Declarations) {
    const Function kernel = parse(".entry k() { .reg .b32 %r<3>; .local .align 8 .b8 depot[16]; .reg .pred p, q; }");
    EXPECT_EQ(statement<Variable>(kernel, 0).register_count, 3);
    EXPECT_EQ(statement<Variable>(kernel, 1).space, "local");
    EXPECT_EQ(statement<Variable>(kernel, 3).name, "q");
}

TEST(Body, LabelsAndGuards) {
    const Function kernel = parse(".entry k() { A: B: @!%p1 bra\tA; @%p2 bra.uni B;\n$L_end: }");
    EXPECT_EQ(statement<Label>(kernel, 0).name, "A");
    EXPECT_EQ(statement<Label>(kernel, 1).name, "B");
    const Instruction& branch = statement<Instruction>(kernel, 2);
    ASSERT_TRUE(branch.guard);
    EXPECT_EQ(branch.guard->name, "%p1");
    EXPECT_TRUE(branch.guard->negated);
    EXPECT_FALSE(statement<Instruction>(kernel, 3).guard->negated);
    EXPECT_EQ(statement<Label>(kernel, 4).location.ptx_line, 2);
}

TEST(Body, InlineAsmAsPeopleWriteIt) {
    const Function kernel = parse(
        ".entry k() {\n"
        "// begin inline asm\n"
        "{ .reg .pred p; setp.ne.s32 p, %r1, 0; @p bra L; mov.b32 %r2, 3; L: }\n"
        "// end inline asm\n"
        "{.reg .b32 t; mov.b32 t, {%rs1, %rs2};}\n"
        "}");
    statement<ScopeBegin>(kernel, 0);
    EXPECT_EQ(statement<Variable>(kernel, 1).type, "pred");
    EXPECT_EQ(statement<Instruction>(kernel, 2).opcode, "setp");
    EXPECT_EQ(statement<Label>(kernel, 5).name, "L");
    statement<ScopeEnd>(kernel, 6);
    statement<ScopeBegin>(kernel, 7);
    EXPECT_THAT(kernel.body, SizeIs(11));
}

TEST(Body, CallSequence) {
    const Function kernel = parse(
        ".entry k() {\n"
        "{ // callseq 0, 0\n"
        ".reg .b32 temp_param_reg;\n"
        ".param .b64 param0;\n"
        "st.param.b64 [param0+0], %rd1;\n"
        ".param .b32 retval0;\n"
        "call.uni (retval0), vprintf, (param0);\n"
        "ld.param.b32 %r1, [retval0+0];\n"
        "} // callseq 0\n"
        "}");
    EXPECT_EQ(statement<Variable>(kernel, 2).space, "param");
    EXPECT_EQ(statement<Variable>(kernel, 2).location.ptx_line, 4);
    EXPECT_EQ(statement<Instruction>(kernel, 5).opcode, "call");
    statement<ScopeEnd>(kernel, 7);
}

TEST(Body, BranchAndCallTargets) {
    const Function kernel =
        parse(".entry k() { $L_brx_0: .branchtargets\n $L1,\n $L2; brx.idx %r1, $L_brx_0; t: .calltargets f, g; }");
    const Targets& branches = statement<Targets>(kernel, 0);
    EXPECT_EQ(branches.name, "$L_brx_0");
    EXPECT_THAT(branches.targets, ElementsAre("$L1", "$L2"));
    EXPECT_THAT(statement<Targets>(kernel, 2).targets, ElementsAre("f", "g"));
}

TEST(Body, CallPrototypes) {
    const Function kernel = parse(
        ".entry k() { prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[16]) ;"
        " prototype_1: .callprototype ()_ () .noreturn .abi_preserve 3; p2: .callprototype _; }");
    const CallPrototype& prototype = statement<CallPrototype>(kernel, 0);
    EXPECT_EQ(prototype.name, "prototype_0");
    EXPECT_THAT(prototype.returns, SizeIs(1));
    ASSERT_THAT(prototype.parameters, SizeIs(2));
    EXPECT_EQ(prototype.parameters[1].element_count, 16u);
    EXPECT_THAT(statement<CallPrototype>(kernel, 1).returns, IsEmpty());
    EXPECT_EQ(statement<CallPrototype>(kernel, 2).name, "p2");
}

TEST(Body, SourceLinesReachTheStatements) {
    const Function kernel = parse(
        ".entry k() {\n"
        "nop;\n"
        ".loc 1 7 30\n"
        "nop;\n"
        ".loc 2 518 5, function_name $L__info_string0, inlined_at 1 7 30\n"
        "@p nop;\n"
        "}");
    EXPECT_EQ(statement<Instruction>(kernel, 0).location.file, 0);
    EXPECT_EQ(statement<Instruction>(kernel, 1).location.line, 7);
    const Location& inlined = statement<Instruction>(kernel, 2).location;
    EXPECT_EQ(inlined.ptx_line, 6);
    EXPECT_EQ(inlined.file, 2);
    EXPECT_EQ(inlined.line, 518);
    EXPECT_EQ(inlined.inlined_file, 1);
    EXPECT_EQ(inlined.inlined_line, 7);
}

TEST(Body, PragmasAreSkipped) { EXPECT_THAT(parse(".entry k() { .pragma \"nounroll\"; ret; }").body, SizeIs(1)); }

TEST(Function, Errors) {
    EXPECT_EQ(error_in(".entry k() { ret;"),
              "PTX line 1: expected an instruction, a declaration or '}' but found the end of the text");
    EXPECT_EQ(error_in(".entry k() { { ret; }"),
              "PTX line 1: expected an instruction, a declaration or '}' but found the end of the text");
    EXPECT_EQ(error_in(".entry k() { ; }"), "PTX line 1: expected an instruction, a declaration or '}' but found ';'");
    EXPECT_EQ(error_in(".entry k() { .foo 3; }"), "PTX line 1: unknown directive '.foo'");
    EXPECT_EQ(error_in(".entry k() { @p }"), "PTX line 1: expected an instruction but found '}'");
    EXPECT_EQ(error_in(".entry k() .foo { }"), "PTX line 1: expected a function's body but found '.foo'");
    EXPECT_EQ(error_in(".entry k()"), "PTX line 1: expected a function's body but found the end of the text");
    EXPECT_EQ(error_in(".entry () { }"), "PTX line 1: expected a function's name but found '{'");
    EXPECT_EQ(error_in(".entry k() .maxntid 1, 2, 3, 4 { }"), "PTX line 1: more than three sizes");
    EXPECT_EQ(error_in(".entry k() .maxntid -1 { }"),
              "PTX line 1: a number of threads or blocks must be from 0 to 2147483647, not -1");
    EXPECT_EQ(error_in(".entry k() { t: .branchtargets ; }"), "PTX line 1: expected a label or function but found ';'");
    EXPECT_EQ(error_in(".entry k() { .pragma nounroll; }"), "PTX line 1: expected a string but found 'nounroll'");
    EXPECT_EQ(error_in(".entry k() " + std::string(100'000, '{')), "PTX line 1: nesting deeper than 256 levels");
}

}  // namespace
}  // namespace lanescope::ptx
