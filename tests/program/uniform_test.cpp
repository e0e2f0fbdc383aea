#include "program/uniform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "program/control_flow.h"
#include "program/decoder.h"
#include "program/parse.h"
#include "program/random_draft.h"

namespace lanescope::program {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Opcode> opcodes(const std::vector<Operation>& operations) {
    std::vector<Opcode> result;
    for (const Operation& op : operations) result.push_back(op.opcode);
    return result;
}
uint32_t total_weight(const std::vector<Operation>& operations) {
    uint32_t total = 0;
    for (const Operation& op : operations) total += op.weight;
    return total;
}

// Parameters, the shape of the launch, and what is computed from them alone, once for the launch. What depends
// on the thread stays. Six instructions of the text remain six when counted.
TEST(Uniform, LaunchValuesMoveToThePrologue) {
    const auto built = test::build_body(
        "ld.param.u64 %rd0, [out]; mov.u32 %r0, %ntid.x; mul.lo.u32 %r1, %r0, 4; mov.u32 %r2, %tid.x; st.global.u32 "
        "[%rd0], %r1; ret;");
    EXPECT_THAT(opcodes(built.program.prologue), ElementsAre(Opcode::ld, Opcode::read_special, Opcode::mul));
    EXPECT_THAT(opcodes(built.program.operations),
                ElementsAre(Opcode::read_special, Opcode::st, Opcode::ret, Opcode::ret));
    EXPECT_EQ(total_weight(built.program.operations), 6u);
    const Operation& store = built.program.operations[1];
    EXPECT_EQ(store.s[0].base, 1u);
    EXPECT_EQ(store.s[1].base, 1u);
    EXPECT_EQ(built.program.prologue[2].s[0].offset, built.program.prologue[1].d[0].offset);
}

// A literal that is moved to a register needs no operation at all.
TEST(Uniform, LiteralsArePropagated) {
    const auto built = test::build_body(
        "mov.u32 %r0, 7; add.u32 %r1, %r0, 1; st.global.u32 [%rd0], %r0; st.global.u32 [%rd0], %r1; ret;");
    EXPECT_THAT(opcodes(built.program.prologue), ElementsAre(Opcode::add));
    const Operation store = test::find_operation(built.program, Opcode::st);
    uint32_t word;
    std::memcpy(&word, built.program.constants.data() + store.s[1].offset, 4);
    EXPECT_EQ(word, 7u);
    EXPECT_EQ(total_weight(built.program.operations), 5u);
}

TEST(Uniform, WhatMustStay) {
    const auto prologue = [](std::string_view body) { return opcodes(test::build_body(body).program.prologue); };
    // written twice: a loop counter starts as a literal
    EXPECT_THAT(prologue("mov.u32 %r0, 0; LOOP: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 10; @%p0 bra LOOP; "
                         "st.global.u32 [%rd0], %r0; ret;"),
                IsEmpty());
    // under a guard
    EXPECT_THAT(prologue("@%p0 mov.u32 %r0, 5; st.global.u32 [%rd0], %r0; ret;"), IsEmpty());
    // depends on the thread or the block
    EXPECT_THAT(prologue("mov.u32 %r0, %ctaid.x; add.u32 %r1, %r0, 1; st.global.u32 [%rd0], %r1; ret;"), IsEmpty());
    // reads or sets the carry
    EXPECT_THAT(prologue("add.cc.u32 %r0, 1, 2; addc.u32 %r1, 3, 4; st.global.u32 [%rd0], %r1; ret;"), IsEmpty());
    // memory may change
    EXPECT_THAT(prologue("ld.global.u32 %r0, [4096]; st.global.u32 [%rd0], %r0; ret;"), IsEmpty());
}

// Functions are called with different arguments: their parameters are not the launch's.
TEST(Uniform, OnlyInTheKernel) {
    const auto built = test::build_body(
        "call f; ret;", ".func f() { .reg .b32 %x; mov.u32 %x, %ntid.x; st.global.u32 [4096], %x; ret; }\n");
    EXPECT_THAT(built.program.prologue, IsEmpty());
}

// A block in which everything moved still counts, each time that it is executed.
TEST(Uniform, EmptiedBlockKeepsItsWeight) {
    const auto built = test::build_body(
        "setp.eq.u32 %p0, %r0, 0; @%p0 bra SKIP; mov.u32 %r1, %ntid.x; add.u32 %r2, %r1, 1;\nSKIP: st.global.u32 "
        "[%rd0], %r2; ret;");
    EXPECT_EQ(total_weight(built.program.operations), 6u);
    const Operation& branch = test::find_operation(built.program, Opcode::bra);
    const Operation& behind = built.program.operations[2];
    EXPECT_EQ(behind.opcode, Opcode::reconverge);
    EXPECT_EQ(behind.weight, 2u);
    EXPECT_NE(branch.reconverge, 2u);
    EXPECT_NE(branch.target, 2u);
}

// Whatever way a warp takes, the weights on it add up to the instructions of the text.
TEST(Uniform, WeightsAddUpOnEveryWay) {
    std::mt19937 random(11);
    int moved = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        test::RandomFunction f = test::random_function(random);
        place_reconvergence(f.draft, f.tables);
        test::RandomFunction hoisted = f;
        std::vector<std::byte> bytes;
        ConstantPool constants(bytes);
        std::vector<Operation> prologue;
        hoist_launch_values(hoisted.draft, hoisted.tables, hoisted.lists, constants, prologue);
        moved += static_cast<int>(prologue.size());
        for (uint32_t way = 0; way < 4; ++way) {
            test::Walk before(f.draft, f.tables, trial * 4 + way),
                after(hoisted.draft, hoisted.tables, trial * 4 + way);
            // The same decisions are made at the same branches. A guarded operation does not move.
            uint64_t weight_before = 0, weight_after = 0;
            int branches = 0;
            const auto run = [&](test::Walk& walk, const Draft& draft, uint64_t& weight) {
                for (branches = 0; !walk.ended() && branches < 50;) {
                    const Operation& op = draft.operations[walk.pc()];
                    weight += op.weight;
                    branches += op.opcode == Opcode::bra || op.opcode == Opcode::brx;
                    walk.step();
                }
            };
            run(before, f.draft, weight_before);
            run(after, hoisted.draft, weight_after);
            ASSERT_EQ(weight_after, weight_before) << "trial " << trial;
        }
    }
    EXPECT_GT(moved, 500) << "the random functions give it something to move";
}

}  // namespace
}  // namespace lanescope::program
