// Whole kernels: what is refused and how, calls, shared memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "program/parse.h"

namespace lanescope::program {
namespace {

using test::build_body;
using test::refusals;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// A kernel with an instruction that is not supported is built; only that instruction refuses to run.
// Its message names the opcode with its modifiers and the line of the PTX text.
TEST(Build, RefusedInstructions) {
    // The text: 3 lines of header, 2 of entry and brace, 7 of registers; the body starts on line 13.
    const auto built = build_body("add.u32 %r0, %r1, %r2;\nwgmma.fence.sync.aligned;\nadd.u32 %r0, %r1, %r2;\nret;");
    EXPECT_THAT(refusals(built.program), ElementsAre(AllOf(HasSubstr("wgmma.fence.sync.aligned"),
                                                           HasSubstr("PTX line 14"), HasSubstr("not supported"))));
    EXPECT_EQ(test::find_operation(built.program, Opcode::unsupported).ptx_line, 14u);
    EXPECT_EQ(test::find_operation(built.program, Opcode::add, 1).opcode, Opcode::add);
}

TEST(Build, ReasonsForRefusal) {
    const auto reason = [](std::string_view body) {
        const auto messages = refusals(build_body(body).program);
        return messages.size() == 1 ? messages[0] : "instead of one refusal: " + std::to_string(messages.size());
    };
    EXPECT_THAT(reason("add.flavour.u32 %r0, %r1, %r2; ret;"), HasSubstr("the word .flavour"));
    EXPECT_THAT(reason("add.u32 %r0, %r1, %unknown; ret;"), HasSubstr("unknown name %unknown"));
    EXPECT_THAT(reason("add.u32 %r0, %r1; ret;"), HasSubstr("2 operands"));
    EXPECT_THAT(reason("add.u32 5, %r1, %r2; ret;"), HasSubstr("no register"));
    EXPECT_THAT(reason("add %r0, %r1, %r2; ret;"), HasSubstr("no type"));
    EXPECT_THAT(reason("add.u64 %rd0, %rd1, %r2; ret;"), HasSubstr("%r2 has the wrong width"));
    EXPECT_THAT(reason("bra NOWHERE; ret;"), HasSubstr("unknown label"));
    EXPECT_THAT(reason("brx.idx %r0, NO_TABLE; ret;"), HasSubstr("unknown table"));
    EXPECT_THAT(reason("tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [image, {%f4, %f5}]; ret;"),
                HasSubstr("tex.2d.v4.f32.f32"));
    EXPECT_THAT(reason("st.param.u32 [n], %r0; ret;"), HasSubstr("parameter of the kernel"));
    EXPECT_THAT(reason("ld.global.u32 %r0, %rd0; ret;"), HasSubstr("address operand"));
    EXPECT_THAT(reason("cp.async.ca.shared.global [%r0], [%rd0], 5; ret;"), HasSubstr("a copy of this size"));
}

TEST(Build, CallsThatCannotBeMade) {
    const auto reason = [](std::string_view body, std::string_view declarations) {
        const auto messages = refusals(build_body(body, declarations).program);
        return messages.size() == 1 ? messages[0] : "instead of one refusal: " + std::to_string(messages.size());
    };
    EXPECT_THAT(reason("call missing; ret;", ".extern .func missing();\n"),
                HasSubstr("the function missing is defined nowhere"));
    // What a kernel that launches a kernel calls: its author never wrote this name.
    EXPECT_THAT(reason("call __cuda_syscall_cnpv2LaunchDeviceV2; ret;", ".extern .func __cuda_syscall_cnpv2LaunchDeviceV2();\n"),
                AllOf(HasSubstr("dynamic parallelism"), HasSubstr("__cuda_syscall_cnpv2LaunchDeviceV2")));
    EXPECT_THAT(reason("call f; ret;", ".func f(.param .b32 a) { ret; }\n"), HasSubstr("another number of arguments"));
    EXPECT_THAT(reason("call %r0, (), proto; ret;", ""), HasSubstr("not 64 bits wide"));
    // Arguments in registers (PTX of before 2.0): neither the call nor the function runs with wrong values.
    EXPECT_THAT(refusals(build_body("call f, (%r0); ret;", ".func f(.reg .b32 a) { ret; }\n").program), Not(IsEmpty()));
}

TEST(Build, MoreRegistersThanAnyKernelHas) {
    const auto built = build_body(
        ".reg .b32 %many<2000000>; .reg .b32 %more<2000000>; .reg .b32 %too<2000000>; mov.u32 %more0, 1; mov.u32 "
        "%too0, 1; ret;");
    EXPECT_THAT(refusals(built.program), ElementsAre(AllOf(HasSubstr("%too"), HasSubstr("that many registers")),
                                                     HasSubstr("%too0 is no register")));
}

TEST(Build, ParametersOfAbsurdSize) {
    const auto built = build_body("{ .param .b8 big[1073741824]; st.param.b32 [big], %r0; } ret;");
    EXPECT_THAT(refusals(built.program), Contains(HasSubstr("parameters of that size")));
    EXPECT_LT(built.program.functions[0].frame_bytes, 1u << 20);
}

// ---- Calls ----

constexpr std::string_view call_twice =
    "{ .param .b32 a; .param .b32 result; st.param.b32 [a], %r0; call (result), twice, (a); ld.param.b32 %r1, "
    "[result]; }"
    "st.global.u32 [%rd0], %r1; ret;";
constexpr std::string_view twice =
    ".func (.param .b32 result) twice(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; add.u32 %x, %x, %x; "
    "st.param.b32 [result], %x; ret; }\n";

TEST(Build, DirectCall) {
    const auto built = build_body(call_twice, twice);
    ASSERT_THAT(built.program.functions, SizeIs(2));
    ASSERT_THAT(built.program.calls, SizeIs(1));
    const Call& call = built.program.calls[0];
    EXPECT_EQ(call.kind, Call::Kind::direct);
    EXPECT_EQ(built.program.functions[call.function].name, "twice");
    EXPECT_THAT(call.arguments, SizeIs(1));
    EXPECT_THAT(call.returns, SizeIs(1));
    EXPECT_NE(call.arguments[0].frame_offset, call.returns[0].frame_offset);
    const uint32_t entry = built.program.functions[1].entry;
    EXPECT_EQ(built.program.function_of(entry).name, "twice");
    EXPECT_EQ(built.program.function_of(entry - 1).name, "kernel");
    // Frames start with the parameters of 32 lanes, 4 bytes each; registers follow.
    EXPECT_EQ(built.program.functions[1].parameters[0].lane_stride_bytes, 4u);
    EXPECT_GE(built.program.functions[1].frame_bytes, 2 * 128u + 128u);
}

// A call through a pointer can reach each function whose address is taken, and those that they call.
TEST(Build, IndirectCall) {
    const auto built = build_body("mov.u64 %rd1, first; prototype: .callprototype _ (); call %rd1, prototype; ret;",
                                  ".func helper() { ret; }\n.func first() { call helper; ret; }\n.func other() { ret; "
                                  "}\n.global .u64 table = other;\n.func unused() { ret; }\n");
    std::vector<std::string> names;
    for (const FunctionCode& function : built.program.functions) names.push_back(function.name);
    EXPECT_THAT(names, testing::UnorderedElementsAre("kernel", "first", "other", "helper"));
    EXPECT_EQ(built.program.calls[0].kind, Call::Kind::indirect);
    const ImageFunction& first = *built.image.function("first");
    EXPECT_EQ(built.program.functions[built.program.function_at.at(0x100000 + 16 * first.index)].name, "first");
}

TEST(Build, Recursion) {
    const auto built = build_body("call f; ret;", ".func f() { call f; ret; }\n");
    EXPECT_THAT(built.program.functions, SizeIs(2));
    EXPECT_EQ(built.program.calls[0].function, built.program.calls[1].function);
}

TEST(Build, BuiltinFunctions) {
    const auto built = build_body(
        "{ .param .b64 a; .param .b64 b; .param .b32 r; st.param.b64 [a], %rd0; st.param.b64 [b], %rd1; call.uni (r), "
        "vprintf, (a, b); } ret;",
        ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n");
    ASSERT_THAT(built.program.calls, SizeIs(1));
    EXPECT_EQ(built.program.calls[0].kind, Call::Kind::builtin);
    EXPECT_EQ(built.program.calls[0].builtin, "vprintf");
}

// ---- Shared memory ----

// Static variables in order of use, each aligned; dynamic memory behind them, aligned to 16 at least.
TEST(Build, SharedMemory) {
    const auto built = build_body(
        "st.shared.u8 [a], %r0; st.shared.f64 [b], %fd0; st.shared.u32 [dynamic+4], %r0; ret;",
        ".shared .u8 a;\n.shared .f64 b;\n.shared .f64 unused[100];\n.extern .shared .align 4 .b8 dynamic[];\n");
    EXPECT_EQ(built.program.static_shared_bytes, 16u);  // 1, padding to 8, 8
    EXPECT_EQ(built.program.dynamic_shared_offset, 16u);
    const Operation store = test::find_operation(built.program, Opcode::st, 2);
    uint64_t address;
    std::memcpy(&address, built.program.constants.data() + store.s[0].offset, 8);
    EXPECT_EQ(address + store.immediate, 20u);
}
TEST(Build, DynamicSharedMemoryWithALargeAlignment) {
    const auto built = build_body("st.shared.u8 [a], %r0; st.shared.u32 [dynamic], %r0; ret;",
                                  ".shared .u8 a;\n.extern .shared .align 128 .b8 dynamic[];\n");
    EXPECT_EQ(built.program.static_shared_bytes, 1u);
    EXPECT_EQ(built.program.dynamic_shared_offset, 128u);
}

TEST(Build, Limits) {
    const auto built = test::build_text(".visible .entry kernel() .maxntid 128, 2 .reqntid 64 { ret; }\n");
    EXPECT_THAT(built.program.max_threads, ElementsAre(128, 2, 1));
    EXPECT_EQ(built.program.required_threads[0], 64);
    EXPECT_EQ(built.program.ptx_target, 90);
}

TEST(Build, ClustersOfSeveralBlocksAreRefused) {
    EXPECT_EQ(test::build_text(".visible .entry kernel() .explicitcluster .reqnctapercluster 1, 1, 1 { ret; }\n").program.name, "kernel");
    try {
        test::build_text(".visible .entry _Z1kPi(.param .b64 p) .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }\n", "_Z1kPi");
        FAIL() << "was built";
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("clusters"), HasSubstr("kernel k(int*)"), HasSubstr("__cluster_dims__")));
    }
}

TEST(Build, TextWithoutRet) {
    const auto built = build_body("add.u32 %r0, %r0, 1;");
    EXPECT_EQ(built.program.operations.back().opcode, Opcode::ret);
    EXPECT_THAT(refusals(build_body("").program), IsEmpty());
}

}  // namespace
}  // namespace lanescope::program
