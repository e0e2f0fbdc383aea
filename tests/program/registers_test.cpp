#include "program/registers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "program/parse.h"
#include "program/random_draft.h"

namespace lanescope::program {
namespace {

Value reg(uint32_t number) {
    Value v;
    v.offset = number;
    return v;
}
Operation add(uint32_t d, std::vector<uint32_t> sources) {
    Operation op;
    op.opcode = Opcode::add;
    op.d[0] = reg(d);
    op.result_count = 1;
    for (const uint32_t s : sources) op.s[op.source_count++] = reg(s);
    return op;
}
Operation ret() {
    Operation op;
    op.opcode = Opcode::ret;
    return op;
}
FrameLayout assign(Draft& draft) {
    std::vector<Value> lists;
    return assign_slots(draft, {}, lists);
}

// A chain 0 -> 1 -> 2 -> 3: each register dies where the next is written, so one slot of 128 bytes is enough.
TEST(AssignSlots, ChainSharesOneSlot) {
    Draft d;
    d.registers.assign(4, SlotClass::bits32);
    d.operations = {add(0, {}), add(1, {0}), add(2, {1}), add(3, {2}), ret()};
    const FrameLayout layout = assign(d);
    EXPECT_EQ(layout.frame_bytes, 128u);
    EXPECT_EQ(layout.registers, 1);
}

// Four values that are all read at the end: four slots.
TEST(AssignSlots, LiveAtOnce) {
    Draft d;
    d.registers.assign(5, SlotClass::bits32);
    d.operations = {add(0, {}), add(1, {}), add(2, {}), add(3, {}), add(4, {0, 1, 2, 3}), ret()};
    const FrameLayout layout = assign(d);
    EXPECT_EQ(layout.frame_bytes, 4 * 128u);
    EXPECT_EQ(layout.registers, 4);
}

// Frame: parameters, then slots of 512 (b128), 256 (b64), 128 (b32) and 4 bytes (predicates), rounded up to 64.
TEST(AssignSlots, ClassesDoNotMix) {
    Draft d;
    d.parameter_area_bytes = 128;
    d.registers = {SlotClass::predicate, SlotClass::bits32, SlotClass::bits64, SlotClass::bits128};
    d.operations = {add(0, {}), add(1, {0}), add(2, {1}), add(3, {2}), add(3, {3}), ret()};
    const FrameLayout layout = assign(d);
    EXPECT_EQ(d.operations[3].d[0].offset, 128u);
    EXPECT_EQ(d.operations[2].d[0].offset, 128u + 512);
    EXPECT_EQ(d.operations[1].d[0].offset, 128u + 512 + 256);
    EXPECT_EQ(d.operations[0].d[0].offset, 128u + 512 + 256 + 128);
    EXPECT_EQ(layout.frame_bytes, 128u + 512 + 256 + 128 + 64);
    EXPECT_EQ(layout.registers, 4);  // one value lives at a time; the largest takes four registers of 32 bits
}

TEST(AssignSlots, NothingAtAll) {
    Draft d;
    d.operations = {ret()};
    EXPECT_EQ(assign(d).frame_bytes, 0u);
}

// No two registers that are live at once share a slot: whatever way a lane takes through the function, each
// operation reads from the slots what it would read from registers of its own. (What was never written is
// undefined: 0 here, and not compared.)
TEST(AssignSlots, EveryReadSeesItsOwnRegister) {
    std::mt19937 random(3);
    for (int trial = 0; trial < 3000; ++trial) {
        const test::RandomFunction original = test::random_function(random);
        test::RandomFunction assigned = original;
        const FrameLayout layout = assign_slots(assigned.draft, assigned.tables, assigned.lists);
        for (uint32_t way = 0; way < 4; ++way) {
            std::vector<uint64_t> registers(original.draft.registers.size(), 0);
            std::map<uint32_t, uint64_t> slots;
            test::Walk walk(original.draft, original.tables, trial * 4 + way);
            uint64_t written = 0;
            for (int step = 0; step < 200 && !walk.ended(); ++step) {
                const uint32_t pc = walk.pc();
                Operation before = original.draft.operations[pc], after = assigned.draft.operations[pc];
                std::vector<Value> before_lists = original.lists, after_lists = assigned.lists;
                std::vector<uint32_t> number, offset;
                std::vector<bool> result;
                for_each_register(before, before_lists,
                                  [&](Value& v, bool r) { number.push_back(v.offset), result.push_back(r); });
                for_each_register(after, after_lists, [&](Value& v, bool) { offset.push_back(v.offset); });
                ASSERT_EQ(number.size(), offset.size());
                const bool holds = walk.step();
                for (size_t i = 0; i < number.size(); ++i) {
                    ASSERT_LE(offset[i] + slot_bytes(original.draft.registers[number[i]]), layout.frame_bytes);
                    ASSERT_GE(offset[i], original.draft.parameter_area_bytes);
                    if (result[i] || registers[number[i]] == 0) continue;
                    ASSERT_EQ(slots[offset[i]], registers[number[i]]) << "trial " << trial << ", operation " << pc;
                }
                // With several results, one is written before a source of another may have been read.
                for (size_t i = 0; i < number.size() && before.result_count + before.list_count > 1; ++i)
                    for (size_t k = 0; k < number.size(); ++k) {
                        if (!result[i] || number[i] == number[k]) continue;
                        ASSERT_NE(offset[i], offset[k]) << "trial " << trial << ", operation " << pc;
                    }
                for (size_t i = 0; holds && i < number.size(); ++i)
                    if (result[i]) registers[number[i]] = slots[offset[i]] = ++written;
            }
        }
    }
}

// Slots lie apart: no two of one frame overlap.
TEST(AssignSlots, SlotsDoNotOverlap) {
    std::mt19937 random(4);
    for (int trial = 0; trial < 500; ++trial) {
        const test::RandomFunction original = test::random_function(random);
        test::RandomFunction assigned = original;
        assign_slots(assigned.draft, assigned.tables, assigned.lists);
        std::map<uint32_t, uint32_t> bytes_at;
        for (size_t i = 0; i < original.draft.operations.size(); ++i) {
            Operation before = original.draft.operations[i], after = assigned.draft.operations[i];
            std::vector<Value> before_lists = original.lists, after_lists = assigned.lists;
            std::vector<uint32_t> bytes;
            for_each_register(before, before_lists,
                              [&](Value& v, bool) { bytes.push_back(slot_bytes(original.draft.registers[v.offset])); });
            size_t k = 0;
            for_each_register(after, after_lists, [&](Value& v, bool) {
                const auto [there, added] = bytes_at.emplace(uint32_t{v.offset}, bytes[k]);
                ASSERT_EQ(there->second, bytes[k]) << "two classes in one slot";
                ++k;
            });
        }
        uint32_t end = 0;
        for (const auto& [offset, bytes] : bytes_at) {
            ASSERT_GE(offset, end);
            end = offset + bytes;
        }
    }
}

}  // namespace
}  // namespace lanescope::program
