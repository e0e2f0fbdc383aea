#include "program/words.h"

#include <gtest/gtest.h>

#include <bit>

#include "program/parse.h"

namespace lanescope::program {
namespace {

// The words of one instruction. `rest` is the word that was not understood.
struct Decoded {
    Operation op;
    std::string rest;
};
Decoded decode(std::string_view text) {
    const ptx::Module module = test::parse_module(test::entry(text));
    for (const ptx::Statement& statement : module.functions[0].body)
        if (const auto* instruction = std::get_if<ptx::Instruction>(&statement)) {
            Decoded decoded;
            decoded.rest = decode_words(*instruction, decoded.op);
            return decoded;
        }
    ADD_FAILURE() << "no instruction in " << text;
    return {};
}
Operation operation(std::string_view text) {
    const Decoded decoded = decode(text);
    EXPECT_EQ(decoded.rest, "") << text;
    return decoded.op;
}

TEST(Words, OpcodeTypeAndFlags) {
    const Operation add = operation("add.sat.s32 %r0, %r1, %r2;");
    EXPECT_EQ(add.opcode, Opcode::add);
    EXPECT_EQ(add.type, Type::s32);
    EXPECT_EQ(add.flags, uint64_t{flag::sat});

    const Operation fma = operation("fma.rz.ftz.sat.f32 %f0, %f1, %f2, %f3;");
    EXPECT_EQ(fma.rounding, Rounding::rz);
    EXPECT_EQ(fma.flags, uint64_t{flag::ftz | flag::sat});

    // C++ keywords: the opcode is and_, its word "and".
    EXPECT_EQ(operation("and.b32 %r0, %r1, %r2;").opcode, Opcode::and_);
    EXPECT_EQ(operation("not.b64 %rd0, %rd1;").opcode, Opcode::not_);
}

// The first type word is the result's, the second the source's.
TEST(Words, TwoTypes) {
    const Operation cvt = operation("cvt.rn.f32.s64 %f0, %rd0;");
    EXPECT_EQ(cvt.type, Type::f32);
    EXPECT_EQ(cvt.type2, Type::s64);
    EXPECT_EQ(cvt.rounding, Rounding::rn);
    EXPECT_EQ(decode("cvt.rn.f32.s64.u32 %f0, %rd0;").rest, "u32");
}

// "hi" is a comparison of unsigned numbers in setp and the upper half in mul.
TEST(Words, MeaningDependsOnTheOpcode) {
    EXPECT_EQ(operation("setp.hi.u32 %p0, %r0, %r1;").compare, Compare::gt);
    EXPECT_EQ(operation("mul.hi.u32 %r0, %r1, %r2;").flags, uint64_t{flag::hi});
    const Operation setp = operation("setp.lt.and.f32 %p0, %f0, %f1, %p1;");
    EXPECT_EQ(setp.compare, Compare::lt);
    EXPECT_EQ(setp.boolean, Boolean::and_);
    EXPECT_EQ(operation("atom.global.and.b32 %r0, [%rd0], %r1;").atomic, Atomic::and_);
    EXPECT_EQ(operation("barrier.red.and.pred %p0, 0, %p1;").boolean, Boolean::and_);
    EXPECT_EQ(operation("bar.red.popc.u32 %r0, 0, %p1;").flags, uint64_t{flag::red | flag::popc});
}

TEST(Words, MemoryAccess) {
    const Operation load = operation("ld.relaxed.gpu.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0];");
    EXPECT_EQ(load.order, Order::relaxed);
    EXPECT_EQ(load.scope, Scope::gpu);
    EXPECT_EQ(load.space, Space::global);
    EXPECT_EQ(load.vector_width, 4);
    const Operation cached = operation("ld.global.nc.cg.L1::no_allocate.L2::128B.u32 %r0, [%rd0];");
    EXPECT_EQ(cached.flags, flag::nc);
    EXPECT_EQ(cached.cache, Cache::cg);
    EXPECT_EQ(operation("ld.volatile.shared.u32 %r0, [%r1];").order, Order::volatile_);
    EXPECT_EQ(operation("ld.shared::cta.u32 %r0, [%r1];").space, Space::shared);
    EXPECT_EQ(operation("ld.u32 %r0, [%rd0];").space, Space::generic);

    const Operation atom = operation("atom.acq_rel.cta.shared.cas.b64 %rd0, [%r0], %rd1, %rd2;");
    EXPECT_EQ(atom.atomic, Atomic::cas);
    EXPECT_EQ(atom.order, Order::acq_rel);
    EXPECT_EQ(atom.scope, Scope::cta);
    EXPECT_EQ(atom.type, Type::b64);
}

TEST(Words, TwoSpaces) {
    const Operation copy = operation("cp.async.ca.shared.global [%r0], [%rd0], 16;");
    EXPECT_EQ(copy.opcode, Opcode::cp_async);
    EXPECT_EQ(copy.space, Space::shared);
    EXPECT_EQ(copy.space2, Space::global);
    EXPECT_EQ(copy.cache, Cache::ca);
    EXPECT_TRUE(operation("cp.async.commit_group;").has(flag::sync));
}

TEST(Words, BarriersAndCollectives) {
    EXPECT_EQ(operation("barrier.sync.aligned 0;").opcode, Opcode::bar);
    EXPECT_TRUE(operation("bar.arrive 1, 64;").has(flag::arrive));
    EXPECT_TRUE(operation("bar.warp.sync 0xffffffff;").has(flag::warp));
    const Operation shuffle = operation("shfl.sync.bfly.b32 %r0|%p0, %r1, 1, 31, -1;");
    EXPECT_TRUE(shuffle.has(flag::sync) && shuffle.has(flag::bfly));
    EXPECT_TRUE(operation("vote.sync.ballot.b32 %r0, %p0, -1;").has(flag::ballot));
    EXPECT_EQ(operation("redux.sync.max.s32 %r0, %r1, -1;").atomic, Atomic::max);
}

// Words of instructions that change no value. nvcc puts griddepcontrol into kernels of Thrust and CUB for sm_90 and later.
TEST(Words, HintsOfControl) {
    EXPECT_EQ(operation("griddepcontrol.wait;").opcode, Opcode::griddepcontrol);
    EXPECT_EQ(operation("griddepcontrol.launch_dependents;").opcode, Opcode::griddepcontrol);
    EXPECT_EQ(operation("setmaxnreg.inc.sync.aligned.u32 240;").opcode, Opcode::setmaxnreg);
    EXPECT_EQ(operation("setmaxnreg.dec.sync.aligned.u32 40;").opcode, Opcode::setmaxnreg);
    EXPECT_EQ(operation("pmevent.mask 0xff;").opcode, Opcode::pmevent);
    EXPECT_EQ(decode("griddepcontrol.flavour;").rest, "flavour");
}

// The first word that has no meaning comes back, so that the refusal can name it.
TEST(Words, WhatIsNotUnderstood) {
    EXPECT_EQ(decode("wgmma.fence.sync.aligned;").rest, "wgmma");
    EXPECT_EQ(decode("add.flavour.s32 %r0, %r1, %r2;").rest, "flavour");
    EXPECT_EQ(decode("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd0], [%r1], %r2;").rest, "cp");
    EXPECT_EQ(decode("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r0], [%rd0, {%r1, %r2}], [%r3];").rest, "tensor");
    EXPECT_EQ(decode("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r0], [%rd0], %r1, [%r2], %rs0;").rest, "multicast::cluster");
    // Names of internal operations are no PTX.
    EXPECT_EQ(decode("unpack.b64 %rd0, %rd1;").rest, "unpack");
    EXPECT_EQ(decode("reconverge;").rest, "reconverge");
    EXPECT_EQ(decode("unsupported;").rest, "unsupported");
    // cache operators belong to loads and stores
    EXPECT_EQ(decode("add.cg.s32 %r0, %r1, %r2;").rest, "cg");
}

TEST(Words, Types) {
    EXPECT_EQ(type_word("u8"), Type::u8);
    EXPECT_EQ(type_word("bf16x2"), Type::bf16x2);
    EXPECT_EQ(type_word("pred"), Type::pred);
    EXPECT_EQ(type_word("u128"), Type::none);
    EXPECT_EQ(type_word(""), Type::none);
    for (int t = static_cast<int>(Type::pred); t <= static_cast<int>(Type::e5m2x2); ++t)
        EXPECT_EQ(type_word(name_of(static_cast<Type>(t))), static_cast<Type>(t));
}

TEST(Words, SpecialRegisters) {
    int number = -1;
    EXPECT_EQ(special_word("%tid.x", &number), Special::tid_x);
    EXPECT_EQ(special_word("%nctaid.z", &number), Special::nctaid_z);
    EXPECT_EQ(special_word("%envreg31", &number), Special::envreg);
    EXPECT_EQ(number, 31);
    EXPECT_EQ(special_word("%envreg", &number), std::nullopt);
    EXPECT_EQ(special_word("%envreg3x", &number), std::nullopt);
    EXPECT_EQ(special_word("%tid", &number), std::nullopt);
    EXPECT_EQ(special_word("%r1", &number), std::nullopt);
    EXPECT_EQ(type_of(Special::clock64), Type::u64);
    EXPECT_EQ(type_of(Special::clock), Type::u32);
    EXPECT_EQ(type_of(Special::gridid), Type::u64);
}

// ---- Literals ----

ptx::Immediate integer(int64_t value) { return {ptx::Immediate::Kind::integer, static_cast<uint64_t>(value)}; }
ptx::Immediate single(float value) { return {ptx::Immediate::Kind::f32, std::bit_cast<uint32_t>(value)}; }
ptx::Immediate real(double value) { return {ptx::Immediate::Kind::f64, std::bit_cast<uint64_t>(value)}; }

// Narrow types are kept in 32 bits: signed ones sign-extended, all others zero-extended (operation.h).
TEST(LiteralBits, IntegersOfEachWidth) {
    EXPECT_EQ(literal_bits(integer(-1), Type::u8), 0xFFu);
    EXPECT_EQ(literal_bits(integer(-1), Type::s8), 0xFFFFFFFFu);
    EXPECT_EQ(literal_bits(integer(0x1FF), Type::s8), 0xFFFFFFFFu);  // the low 8 bits are -1
    EXPECT_EQ(literal_bits(integer(0x17F), Type::s8), 0x7Fu);
    EXPECT_EQ(literal_bits(integer(-2), Type::u16), 0xFFFEu);
    EXPECT_EQ(literal_bits(integer(-2), Type::b16), 0xFFFEu);
    EXPECT_EQ(literal_bits(integer(-2), Type::s16), 0xFFFFFFFEu);
    EXPECT_EQ(literal_bits(integer(-2), Type::s32), 0xFFFFFFFEu);
    EXPECT_EQ(literal_bits(integer(-2), Type::b32), 0xFFFFFFFEu);
    EXPECT_EQ(literal_bits(integer(-2), Type::u64), 0xFFFFFFFFFFFFFFFEu);
}

TEST(LiteralBits, FloatingPoint) {
    EXPECT_EQ(literal_bits(single(1.5f), Type::f32), 0x3FC00000u);
    EXPECT_EQ(literal_bits(real(1.5), Type::f64), 0x3FF8000000000000u);
    EXPECT_EQ(literal_bits(real(1.5), Type::f32), 0x3FC00000u);  // a decimal in an f32 operand
    EXPECT_EQ(literal_bits(real(0.1), Type::f32), std::bit_cast<uint32_t>(0.1f));
    EXPECT_EQ(literal_bits(single(1.5f), Type::f64), 0x3FF8000000000000u);
    EXPECT_EQ(literal_bits(single(1.5f), Type::b32), 0x3FC00000u);  // bits, where the type is bits
}

TEST(LiteralBits, Predicates) {
    EXPECT_EQ(literal_bits(integer(0), Type::pred), 0u);
    EXPECT_EQ(literal_bits(integer(1), Type::pred), ~0ull);
    EXPECT_EQ(literal_bits(integer(-1), Type::pred), ~0ull);
}

}  // namespace
}  // namespace lanescope::program
