#include "ptx/parser.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace lanescope::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Module parse_ok(std::string text) {
    Result<Module> module = parse(std::move(text));
    if (!module) {
        ADD_FAILURE() << module.error().text();
        return {};
    }
    return std::move(*module);
}
std::string error_in(std::string text) {
    const Result<Module> module = parse(std::move(text));
    return module ? "" : module.error().where + ": " + module.error().what;
}

TEST(Module, Header) {
    const Module module = parse_ok(".version 8.5\n.target sm_90a, debug\n.address_size 64\n");
    EXPECT_EQ(module.version_major, 8);
    EXPECT_EQ(module.version_minor, 5);
    EXPECT_EQ(module.target, "sm_90a");
    EXPECT_EQ(module.address_bits, 64);
    EXPECT_THAT(module.files, ElementsAre(""));
}

TEST(Module, MayBeEmpty) {
    EXPECT_THAT(parse_ok("").functions, IsEmpty());
    EXPECT_THAT(parse_ok("\n\n// nothing\n").functions, IsEmpty());
}

TEST(Module, Files) {
    const Module module = parse_ok(".file 1 \"a.cu\"\n.file 3 \"/usr/c.h\", 1689, 2000\n.file 0 \"folder\"\n");
    EXPECT_THAT(module.files, ElementsAre("", "a.cu", "", "/usr/c.h"));
}

TEST(Module, VariablesWithLinkage) {
    const Module module = parse_ok(
        ".global .u32 a;\n.visible .const .u32 b;\n.extern .shared .b8 c[];\n.weak .global .u32 d;\n"
        ".common .global .u32 e;\n");
    ASSERT_THAT(module.variables, SizeIs(5));
    EXPECT_EQ(module.variables[0].linkage, Linkage::internal);
    EXPECT_EQ(module.variables[1].linkage, Linkage::visible);
    EXPECT_EQ(module.variables[2].linkage, Linkage::external);
    EXPECT_EQ(module.variables[3].linkage, Linkage::weak);
    EXPECT_EQ(module.variables[4].linkage, Linkage::common);
    EXPECT_EQ(module.variables[4].location.ptx_line, 5);
}

TEST(Module, FunctionsWithLinkage) {
    const Module module = parse_ok(".extern .func f;\n.weak .func g { }\n.visible .entry k { }\n.func h { }\n");
    ASSERT_THAT(module.functions, SizeIs(4));
    EXPECT_EQ(module.functions[0].linkage, Linkage::external);
    EXPECT_EQ(module.functions[1].linkage, Linkage::weak);
    EXPECT_EQ(module.functions[2].linkage, Linkage::visible);
    EXPECT_EQ(module.functions[3].linkage, Linkage::internal);
    EXPECT_EQ(module.functions[3].location.ptx_line, 4);
}

TEST(Module, Aliases) {
    const Module module = parse_ok(".func f { }\n.func g;\n.alias g, f;\n");
    ASSERT_THAT(module.aliases, SizeIs(1));
    EXPECT_EQ(module.aliases[0].name, "g");
    EXPECT_EQ(module.aliases[0].target, "f");
}

TEST(Module, DebugSectionsAndPragmasAreSkipped) {
    const Module module = parse_ok(
        ".section .debug_info\n{\n.b32 609\n.b32 .debug_abbrev\n.b64 $L__func_begin0\n.b8 1,2\n{ } }\n.pragma \"x\", "
        "\"y\";\n");
    EXPECT_THAT(module.variables, IsEmpty());
    EXPECT_THAT(module.functions, IsEmpty());
}

TEST(Module, ViewsStayValidWhenMoved) {
    Module first = parse_ok(".visible .entry k { ret; }");
    const Module second = std::move(first);
    EXPECT_EQ(second.functions.at(0).name, "k");
    EXPECT_EQ(std::get<Instruction>(second.functions.at(0).body.at(0)).opcode, "ret");
}

TEST(Module, Errors) {
    EXPECT_EQ(error_in("hello"), "PTX line 1: expected a directive such as .entry or .global but found 'hello'");
    EXPECT_EQ(error_in("\x7f"
                       "ELF"),
              "PTX line 1: unexpected byte 0x7F");
    EXPECT_EQ(error_in("\n.foo"), "PTX line 2: unknown directive '.foo'");
    EXPECT_EQ(error_in(".visible .foo"), "PTX line 1: unknown directive '.foo'");
    EXPECT_EQ(error_in(".visible 3"), "PTX line 1: expected a declaration but found '3'");
    EXPECT_EQ(error_in(".version x"), "PTX line 1: expected a version such as 9.0 but found 'x'");
    EXPECT_EQ(error_in(".version 9"), "PTX line 1: '9' is no PTX version");
    EXPECT_EQ(error_in(".version 9.0e1"), "PTX line 1: '9.0e1' is no PTX version");
    EXPECT_EQ(error_in(".version 99999999999.0"), "PTX line 1: '99999999999.0' is no PTX version");
    EXPECT_EQ(error_in(".address_size 16"), "PTX line 1: address size 16 is neither 32 nor 64");
    EXPECT_EQ(error_in(".file 1"), "PTX line 1: expected a path but found the end of the text");
    EXPECT_EQ(error_in(".file 4000000000 \"a\""), "PTX line 1: a file number must be from 0 to 100000, not 4000000000");
    EXPECT_EQ(error_in("\n.section .debug_info {\n.b8 1"), "PTX line 2: the section that starts with '{' has no '}'");
    EXPECT_EQ(error_in(".section .debug_info ;"), "PTX line 1: expected '{' but found ';'");
    EXPECT_EQ(error_in(".alias a b;"), "PTX line 1: expected ',' but found 'b'");
}

TEST(Module, ErrorsNameTheNextStep) {
    const Result<Module> module = parse("hello");
    ASSERT_FALSE(module);
    EXPECT_THAT(module.error().next, HasSubstr("nvcc -ptx"));
}

TEST(Module, LongTokensAreShortenedInErrors) {
    EXPECT_EQ(error_in(std::string(1000, 'a')),
              "PTX line 1: expected a directive such as .entry or .global but found '" + std::string(40, 'a') + "...'");
}

}  // namespace
}  // namespace lanescope::ptx
