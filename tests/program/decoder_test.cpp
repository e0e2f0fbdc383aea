// What operands become: registers, literals, special registers, symbols, vectors, pairs and sinks.
#include "program/decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "program/parse.h"

namespace lanescope::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// The draft of a kernel with this body, before anything is moved or renamed.
struct Drafted {
    Image image;
    Program program;
    Addresses addresses;
    Draft draft;

    uint32_t lane_word(Value v, int lane = 0) const {
        uint32_t word;
        std::memcpy(&word, program.constants.data() + v.offset + 4 * lane, 4);
        return word;
    }
    uint64_t lane_long(Value v, int lane = 0) const {
        uint64_t word;
        std::memcpy(&word, program.constants.data() + v.offset + 8 * lane, 8);
        return word;
    }
    const Operation& operator[](size_t i) const { return draft.operations.at(i); }
    std::vector<Opcode> opcodes() const {
        std::vector<Opcode> result;
        for (const Operation& op : draft.operations) result.push_back(op.opcode);
        return result;
    }
    SlotClass class_of(Value v) const { return draft.registers.at(v.offset); }
};

std::unique_ptr<Drafted> decode(std::string_view body, std::string_view declarations = "",
                                std::string_view name = "kernel") {
    std::vector<ptx::Module> modules;
    modules.push_back(test::parse_module(std::string(declarations) + test::entry(body)));
    auto image = Image::link(std::move(modules));
    if (!image) throw std::runtime_error(image.error().text());
    auto drafted = std::make_unique<Drafted>(Drafted{std::move(*image), {}, {}, {}});
    drafted->addresses = {.variable = [](const ImageVariable& v) { return 0x1000ull * (v.index + 1); },
                          .function = [](const ImageFunction& f) { return 0x100000ull + 16ull * f.index; }};
    Building building{.image = drafted->image,
                      .addresses = drafted->addresses,
                      .program = drafted->program,
                      .constants = ConstantPool(drafted->program.constants),
                      .functions = {},
                      .shared_offsets = {},
                      .dynamic_shared_uses = {},
                      .files = {}};
    drafted->program.files.emplace_back();
    const ImageFunction& function = *drafted->image.function(name);
    building.functions.push_back(&function);
    drafted->program.functions.emplace_back();
    drafted->draft = Decoder(building, function, 0).decode();
    return drafted;
}

// Registers are numbered in order of declaration: parse.h declares 8 %p, 8 %h, 32 %r, 16 %rd, 8 %f, 8 %fd, 4 %q.
constexpr uint32_t p0 = 0, r0 = 16, rd0 = 48;

TEST(Decoder, Registers) {
    const auto d = decode("add.s32 %r3, %r1, %r2;");
    ASSERT_THAT(d->draft.operations, SizeIs(2));  // and the ret that ends every body
    const Operation& add = (*d)[0];
    EXPECT_EQ(add.d[0].offset, r0 + 3);
    EXPECT_EQ(add.s[0].offset, r0 + 1);
    EXPECT_EQ(add.s[1].offset, r0 + 2);
    EXPECT_EQ(add.source_count, 2);
    EXPECT_EQ(add.result_count, 1);
    EXPECT_EQ((*d)[1].opcode, Opcode::ret);
    EXPECT_EQ((*d)[1].weight, 0u);
}

TEST(Decoder, Guards) {
    const auto d = decode("@%p2 add.s32 %r0, %r1, %r2; @!%p3 add.s32 %r0, %r1, %r2; @%r1 add.s32 %r0, %r1, %r2;");
    EXPECT_EQ((*d)[0].guard, Guarded::if_true);
    EXPECT_EQ((*d)[0].guard_value.offset, p0 + 2);
    EXPECT_EQ((*d)[1].guard, Guarded::if_false);
    EXPECT_EQ((*d)[1].guard_value.offset, p0 + 3);
    EXPECT_EQ((*d)[2].opcode, Opcode::unsupported);
    EXPECT_THAT(d->program.messages.at(0), HasSubstr("%r1 is no predicate"));
}

// A literal is the value in every lane, in the layout of its type.
TEST(Decoder, ImmediatesOfEachType) {
    const auto d = decode(
        "add.s32 %r0, %r1, -5; add.s64 %rd0, %rd1, -5; add.s16 %h0, %h1, -5; add.u16 %h0, %h1, -5; add.f32 %f0, %f1, "
        "0f3FC00000;"
        "add.f32 %f0, %f1, 1.5; add.f64 %fd0, %fd1, 0d3FF8000000000000; add.f64 %fd0, %fd1, 1.5; and.pred %p0, %p1, "
        "1;");
    for (const int lane : {0, 31}) {
        EXPECT_EQ(d->lane_word((*d)[0].s[1], lane), 0xFFFFFFFBu);
        EXPECT_EQ(d->lane_long((*d)[1].s[1], lane), 0xFFFFFFFFFFFFFFFBu);
        EXPECT_EQ(d->lane_word((*d)[2].s[1], lane), 0xFFFFFFFBu);  // s16: sign-extended
        EXPECT_EQ(d->lane_word((*d)[3].s[1], lane), 0x0000FFFBu);  // u16: zero-extended
        EXPECT_EQ(d->lane_word((*d)[4].s[1], lane), 0x3FC00000u);
        EXPECT_EQ(d->lane_word((*d)[5].s[1], lane), 0x3FC00000u);
        EXPECT_EQ(d->lane_long((*d)[6].s[1], lane), 0x3FF8000000000000u);
        EXPECT_EQ(d->lane_long((*d)[7].s[1], lane), 0x3FF8000000000000u);
    }
    EXPECT_EQ(d->lane_word((*d)[8].s[1]), 0xFFFFFFFFu);  // a predicate: one bit a lane
    for (int i = 0; i < 9; ++i) EXPECT_EQ((*d)[i].s[1].base, 1u);
    EXPECT_EQ((*d)[4].s[1].offset, (*d)[5].s[1].offset) << "equal literals share their place";
}

// mul.wide has a result twice as wide; mad.wide also a third operand.
TEST(Decoder, WideResults) {
    const auto d =
        decode("mul.wide.u32 %rd0, %r1, 4; mad.wide.s32 %rd0, %r1, -1, %rd2; mul.wide.u64 %rd0, %rd1, %rd2;");
    EXPECT_EQ(d->class_of((*d)[0].d[0]), SlotClass::bits64);
    EXPECT_EQ(d->lane_word((*d)[0].s[1]), 4u);
    EXPECT_EQ((*d)[1].s[2].offset, rd0 + 2);
    EXPECT_EQ((*d)[2].opcode, Opcode::unsupported);
}

// A store takes the low bits of a wider register; a load extends into one. The extra operations are not counted.
TEST(Decoder, RegistersWiderThanTheType) {
    const auto d = decode(
        "st.global.u32 [%rd0], %rd1; ld.global.s32 %rd2, [%rd0]; ld.global.u8 %r0, [%rd0]; @%p0 ld.global.u32 %rd2, "
        "[%rd0];");
    EXPECT_THAT(d->opcodes(), ElementsAre(Opcode::cvt, Opcode::st, Opcode::ld, Opcode::cvt, Opcode::ld, Opcode::ld,
                                          Opcode::cvt, Opcode::ret));
    EXPECT_EQ((*d)[0].type, Type::u32);
    EXPECT_EQ((*d)[0].type2, Type::u64);
    EXPECT_EQ((*d)[3].type, Type::s64);  // sign-extended, as ld.s32 says
    EXPECT_EQ((*d)[3].type2, Type::s32);
    EXPECT_EQ((*d)[3].d[0].offset, rd0 + 2);
    EXPECT_EQ((*d)[6].type, Type::u64);
    EXPECT_EQ((*d)[6].guard, Guarded::if_true);  // lanes that are guarded off keep what they have
    for (const int i : {0, 3, 6}) {
        EXPECT_EQ((*d)[i].weight, 0u);
        EXPECT_TRUE((*d)[i].has(flag::internal));
    }
    // A narrower register than the type is an error.
    EXPECT_THAT(test::refusals(test::build_body("add.u64 %rd0, %r1, %rd2; ret;").program), SizeIs(1));
    EXPECT_THAT(test::refusals(test::build_body("ld.global.u64 %r0, [%rd0]; ret;").program), SizeIs(1));
}

TEST(Decoder, SinksAndPairs) {
    const auto d = decode(
        "atom.global.add.u32 _, [%rd0], 1; setp.lt.s32 %p0|%p1, %r0, %r1; shfl.sync.down.b32 %r0|%p2, %r1, 1, 31, -1; "
        "setp.lt.s32 _|%p1, %r0, %r1;");
    EXPECT_GE((*d)[0].d[0].offset, 84u) << "a register that no name means";
    EXPECT_EQ((*d)[1].result_count, 2);
    EXPECT_EQ((*d)[1].d[0].offset, p0);
    EXPECT_EQ((*d)[1].d[1].offset, p0 + 1);
    EXPECT_EQ((*d)[2].d[0].offset, r0);
    EXPECT_EQ((*d)[2].d[1].offset, p0 + 2);
    EXPECT_EQ((*d)[3].d[1].offset, p0 + 1);
    EXPECT_EQ(d->class_of((*d)[3].d[0]), SlotClass::predicate);
}

TEST(Decoder, NegatedPredicates) {
    const auto d = decode("setp.lt.and.s32 %p0, %r0, %r1, !%p1; selp.b32 %r0, %r1, %r2, %p0; mov.pred %p1, !%p2;");
    EXPECT_EQ((*d)[0].negated, 1u << 2);
    EXPECT_EQ((*d)[1].negated, 0u);
    EXPECT_EQ((*d)[2].negated, 1u);
}

// mov reads a special register itself; in other instructions it is read first, and converted to the width that is
// needed.
TEST(Decoder, SpecialRegisters) {
    const auto d = decode(
        "mov.u32 %r0, %tid.x; mad.lo.s32 %r1, %ctaid.x, %ntid.x, %tid.y; mov.u64 %rd0, %clock64; mov.u32 %r2, "
        "%clock64; mov.u32 %r3, %envreg2;");
    EXPECT_THAT(d->opcodes(), ElementsAre(Opcode::read_special, Opcode::read_special, Opcode::read_special,
                                          Opcode::read_special, Opcode::mad, Opcode::read_special, Opcode::read_special,
                                          Opcode::cvt, Opcode::mov, Opcode::read_special, Opcode::ret));
    EXPECT_EQ((*d)[0].special, Special::tid_x);
    EXPECT_EQ((*d)[0].weight, 1u);
    EXPECT_EQ((*d)[2].special, Special::ntid_x);
    EXPECT_EQ((*d)[2].weight, 0u);
    EXPECT_EQ((*d)[4].s[1].offset, (*d)[2].d[0].offset);
    EXPECT_EQ((*d)[5].type, Type::u64);
    EXPECT_EQ((*d)[9].immediate, 2);
}

TEST(Decoder, Vectors) {
    const auto d = decode(
        "ld.global.v4.u32 {%r0, _, %r2, %r3}, [%rd0+16]; st.shared.v2.f32 [%r1], {%f0, 1.5}; mov.b64 %rd0, {%r0, %r1}; "
        "mov.b64 {%r2, _}, %rd0; mov.b32 %r0, {%h0, %h1};");
    const Operation& load = (*d)[0];
    EXPECT_EQ(load.immediate, 16);
    EXPECT_EQ(load.list_count, 4);
    EXPECT_EQ(load.result_count, 0);
    EXPECT_EQ(d->program.lists[load.list].offset, r0);
    EXPECT_EQ(d->program.lists[load.list + 2].offset, r0 + 2);
    const Operation& store = (*d)[1];
    EXPECT_EQ(store.address_bits, 32);
    EXPECT_EQ(d->lane_word(d->program.lists[store.list + 1], 7), 0x3FC00000u);
    EXPECT_EQ((*d)[2].opcode, Opcode::pack);
    EXPECT_EQ((*d)[2].type2, Type::b32);
    EXPECT_EQ((*d)[3].opcode, Opcode::unpack);
    EXPECT_EQ((*d)[4].type2, Type::b16);
    EXPECT_EQ(results_in_list(load), 4);
    EXPECT_EQ(results_in_list(store), 0);
    EXPECT_EQ(results_in_list((*d)[3]), 2);
    EXPECT_THAT(test::refusals(test::build_body("ld.global.v4.u32 {%r0, %r1}, [%rd0]; ret;").program), SizeIs(1));
    EXPECT_THAT(test::refusals(test::build_body("mov.b64 %rd0, {%r0, %r1, %r2}; ret;").program), SizeIs(1));
}

// Variables 0, 1, ... of a module lie at 0x1000, 0x2000, ...; shared ones at offsets in the block's shared memory.
TEST(Decoder, Symbols) {
    const auto d = decode(
        ".local .align 16 .b8 frame[40]; .shared .f64 inner;"
        "mov.u64 %rd0, counter; mov.u64 %rd1, counter+4; ld.global.u32 %r0, [counter+8]; mov.u64 %rd2, f;"
        "mov.u32 %r1, tile; mov.u64 %rd3, inner; mov.u64 %rd4, frame; mov.u64 %rd5, missing;",
        ".global .u32 counter[4];\n.shared .align 4 .b8 tile[6];\n.visible .func f() { ret; }\n");
    EXPECT_EQ(d->lane_long((*d)[0].s[0]), 0x1000u);
    EXPECT_EQ(d->lane_long((*d)[1].s[0]), 0x1004u);
    EXPECT_EQ(d->lane_long((*d)[2].s[0]) + (*d)[2].immediate, 0x1008u);
    EXPECT_EQ(d->lane_long((*d)[3].s[0]), 0x100000u);
    EXPECT_EQ(d->lane_word((*d)[4].s[0]), 0u);
    EXPECT_EQ(d->lane_long((*d)[5].s[0]), 8u);  // 6 bytes, rounded up to the alignment of a double
    EXPECT_EQ(d->lane_long((*d)[6].s[0]), 0u);  // the kernel's own frame starts at 0
    EXPECT_EQ((*d)[7].opcode, Opcode::unsupported);
    EXPECT_THAT(d->program.messages.at(0), HasSubstr("unknown name missing"));
    EXPECT_EQ(d->program.functions[0].local_bytes, 48u);  // 40, rounded up to 16
}

// Kernel parameters lie one behind the other, each aligned to its type.
TEST(Decoder, KernelParameters) {
    std::vector<ptx::Module> modules;
    const auto built = test::build_text(
        ".visible .entry kernel(.param .u8 a, .param .u64 b, .param .u32 c, .param .align 16 .b8 d[20], .param .u16 e) "
        "{ .reg .b32 %r<4>;"
        "ld.param.u32 %r0, [c]; ld.param.u32 %r1, [d+16]; st.global.u32 [0], %r0; st.global.u32 [0], %r1; ret; }\n");
    const auto& parameters = built.program.parameters;
    ASSERT_THAT(parameters, SizeIs(5));
    EXPECT_EQ(parameters[1].offset, 8u);
    EXPECT_EQ(parameters[2].offset, 16u);
    EXPECT_EQ(parameters[3].offset, 32u);
    EXPECT_EQ(parameters[3].bytes, 20u);
    EXPECT_EQ(parameters[4].offset, 52u);
    EXPECT_EQ(built.program.parameter_bytes, 54u);
    ASSERT_THAT(built.program.prologue, SizeIs(2));
    EXPECT_EQ(built.program.prologue[0].immediate, 16);
    EXPECT_EQ(built.program.prologue[1].immediate, 48);
}

// The last operand of a copy with a cache hint is the policy, not the number of bytes to read.
TEST(Decoder, CachePolicyOfAnAsynchronousCopy) {
    const auto sources = [](std::string_view body) {
        return int{test::find_operation(test::build_body(body).program, Opcode::cp_async).source_count};
    };
    EXPECT_EQ(sources("cp.async.cg.shared.global [%r0], [%rd0], 16; ret;"), 2);
    EXPECT_EQ(sources("cp.async.cg.shared.global [%r0], [%rd0], 16, %r1; ret;"), 3);
    EXPECT_EQ(sources("cp.async.cg.shared.global.L2::cache_hint [%r0], [%rd0], 16, %rd1; ret;"), 2);
    EXPECT_EQ(sources("cp.async.cg.shared.global.L2::cache_hint [%r0], [%rd0], 16, %r1, %rd1; ret;"), 3);
}

// A cache policy is a value that only hints use: any will do.
TEST(Decoder, CachePolicies) {
    for (const char* text : {"createpolicy.fractional.L2::evict_first.b64 %rd0, 1.0;",
                             "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd0;",
                             "createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %rd0, [%rd1], %r0, %r1;",
                             "createpolicy.cvt.L2.b64 %rd0, 0x10F0000000000000;"}) {
        const auto d = decode(std::string(text) + " ld.global.L2::cache_hint.u32 %r2, [%rd1], %rd0; ret;");
        EXPECT_EQ((*d)[0].opcode, Opcode::mov) << text;
        EXPECT_EQ((*d)[0].type, Type::b64) << text;
        EXPECT_EQ(int{(*d)[0].result_count}, 1) << text;
        EXPECT_EQ((*d)[1].opcode, Opcode::ld) << text;
    }
    EXPECT_THAT(test::refusals(test::build_body("createpolicy.fractional.L2::evict_first.b64 %r0, 1.0; ret;").program), SizeIs(1));
    EXPECT_THAT(test::refusals(test::build_body("createpolicy.flavour.b64 %rd0; ret;").program), SizeIs(1));
}

TEST(Decoder, LabelsOfInlinePtx) {
    // Twice the same text in scopes of its own: each branch goes to the label of its scope.
    const char* text = "{ .reg .pred p; setp.eq.u32 p, %r0, 0; @p bra SKIP; add.u32 %r0, %r0, 1; SKIP: }";
    const auto d = decode(std::string(text) + text + "ret;");
    EXPECT_EQ((*d)[1].target, 3u);
    EXPECT_EQ((*d)[4].target, 6u);
    EXPECT_NE((*d)[0].d[0].offset, (*d)[3].d[0].offset);
}

TEST(Decoder, Provenance) {
    const auto built =
        test::build_text(".file 1 \"some.cu\"\n" + test::entry(".loc 1 42 3\nst.global.u32 [%rd0], %r0;\nret;"));
    const Operation store = test::find_operation(built.program, Opcode::st);
    EXPECT_EQ(store.source_line, 42u);
    EXPECT_EQ(built.program.files.at(store.source_file), "some.cu");
    EXPECT_GT(store.ptx_line, 4u);
}

}  // namespace
}  // namespace lanescope::program
