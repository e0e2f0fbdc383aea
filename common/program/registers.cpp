#include "program/registers.h"

#include <algorithm>
#include <bit>

namespace lanescope::program {
namespace {

constexpr uint32_t never = 0xFFFFFFFF;

class Bits {
public:
    explicit Bits(size_t count) : words_((count + 63) / 64) {}
    void set(size_t i) { words_[i / 64] |= 1ull << (i % 64); }
    void clear(size_t i) { words_[i / 64] &= ~(1ull << (i % 64)); }
    bool test(size_t i) const { return (words_[i / 64] >> (i % 64)) & 1; }
    // this |= (other & ~without); true if that added anything.
    bool merge(const Bits& other, const Bits* without = nullptr) {
        bool changed = false;
        for (size_t w = 0; w < words_.size(); ++w) {
            const uint64_t add = without ? other.words_[w] & ~without->words_[w] : other.words_[w];
            changed |= (add & ~words_[w]) != 0;
            words_[w] |= add;
        }
        return changed;
    }
    template <class F>
    void for_each(F f) const {
        for (size_t w = 0; w < words_.size(); ++w)
            for (uint64_t rest = words_[w]; rest != 0; rest &= rest - 1) f(w * 64 + std::countr_zero(rest));
    }

private:
    std::vector<uint64_t> words_;
};

// A guarded write keeps the old value in the lanes that are guarded off, so it does not end its life.
bool kills(const Operation& op) { return op.guard == Guarded::no; }

// PTX may declare far more registers than it uses. Numbers those in use 0, 1, 2, ... and returns their classes.
std::vector<SlotClass> number_used_registers(Draft& draft, std::vector<Value>& lists) {
    std::vector<uint32_t> number(draft.registers.size(), never);
    std::vector<SlotClass> classes;
    for (Operation& op : draft.operations)
        for_each_register(op, lists, [&](Value& v, bool) {
            uint32_t& n = number[v.offset];
            if (n == never) {
                n = static_cast<uint32_t>(classes.size());
                classes.push_back(draft.registers[v.offset]);
            }
            v.offset = n;
        });
    return classes;
}

struct Interval {
    uint32_t first = never, last = 0;   // operations between which the register must keep its slot
    bool live_before = false;           // it has a value already when `first` is reached (from a loop, or undefined)
    void cover(uint32_t i) { first = std::min(first, i), last = std::max(last, i); }
};

}  // namespace

FrameLayout assign_slots(Draft& draft, const std::vector<std::vector<uint32_t>>& branch_tables, std::vector<Value>& lists) {
    auto& ops = draft.operations;
    const std::vector<SlotClass> classes = number_used_registers(draft, lists);
    const size_t count = classes.size();
    const std::vector<Block> blocks = split_into_blocks(draft, branch_tables);

    // Which registers each block reads before it writes them, and writes.
    std::vector<Bits> reads(blocks.size(), Bits(count)), writes(blocks.size(), Bits(count));
    for (size_t b = 0; b < blocks.size(); ++b)
        for (uint32_t i = blocks[b].first; i <= blocks[b].last; ++i) {
            const bool kill = kills(ops[i]);
            for_each_register(ops[i], lists, [&](Value& v, bool is_result) {
                if ((!is_result || !kill) && !writes[b].test(v.offset)) reads[b].set(v.offset);
            });
            for_each_register(ops[i], lists, [&](Value& v, bool is_result) {
                if (is_result && kill) writes[b].set(v.offset);
            });
        }
    // Live at the end of each block: what any successor needs.
    std::vector<Bits> live_out(blocks.size(), Bits(count)), live_in = reads;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t b = blocks.size(); b-- > 0;) {
            bool grew = false;
            for (const uint32_t s : blocks[b].successors) grew |= live_out[b].merge(live_in[s]);
            if (grew) changed |= live_in[b].merge(live_out[b], &writes[b]);
        }
    }
    // One interval a register, and the pressure at each operation.
    std::vector<Interval> intervals(count);
    FrameLayout layout;
    auto weight = [&](size_t reg) {
        switch (classes[reg]) {
            case SlotClass::predicate: return 0;
            case SlotClass::bits32: return 1;
            case SlotClass::bits64: return 2;
            default: return 4;
        }
    };
    for (size_t b = 0; b < blocks.size(); ++b) {
        live_in[b].for_each([&](size_t reg) {
            if (intervals[reg].first == never) intervals[reg].live_before = true;
            intervals[reg].cover(blocks[b].first);
        });
        int pressure = 0;
        live_out[b].for_each([&](size_t reg) { intervals[reg].cover(blocks[b].last); pressure += weight(reg); });
        Bits live = live_out[b];
        layout.registers = std::max(layout.registers, pressure);
        for (uint32_t i = blocks[b].last + 1; i-- > blocks[b].first;) {
            const bool kill = kills(ops[i]);
            for_each_register(ops[i], lists, [&](Value& v, bool is_result) {
                intervals[v.offset].cover(i);
                if (is_result && live.test(v.offset)) ops[i].result_used = true;
                if (is_result && kill && live.test(v.offset)) live.clear(v.offset), pressure -= weight(v.offset);
            });
            for_each_register(ops[i], lists, [&](Value& v, bool is_result) {
                if (!is_result && !live.test(v.offset)) live.set(v.offset), pressure += weight(v.offset);
            });
            layout.registers = std::max(layout.registers, pressure);
        }
    }
    // Linear scan: registers in order of their first operation take the first slot that is free.
    // An operation with one result may write it over a source that dies there (lane by lane, it reads
    // before it writes); one with several results may not.
    std::vector<uint32_t> by_start;
    for (uint32_t reg = 0; reg < count; ++reg)
        if (intervals[reg].first != never) by_start.push_back(reg);
    std::sort(by_start.begin(), by_start.end(), [&](uint32_t a, uint32_t b) {
        return std::pair(intervals[a].first, a) < std::pair(intervals[b].first, b);
    });
    std::vector<uint32_t> slot_of(count, 0);
    std::vector<uint32_t> slots_end[4];   // by class and slot: the last operation that needs it
    for (const uint32_t reg : by_start) {
        auto& ends = slots_end[static_cast<int>(classes[reg])];
        const Operation& op = ops[intervals[reg].first];
        const bool may_overwrite = !intervals[reg].live_before && op.result_count == 1 && op.list_count == 0 && op.guard == Guarded::no;
        const auto slot = std::find_if(ends.begin(), ends.end(), [&](uint32_t end) {
            return end < intervals[reg].first || (may_overwrite && end == intervals[reg].first);
        });
        slot_of[reg] = static_cast<uint32_t>(slot - ends.begin());
        if (slot == ends.end()) ends.push_back(intervals[reg].last);
        else *slot = intervals[reg].last;
    }
    // The frame: parameters, then 128-, 64-, 32-bit slots and predicates.
    uint32_t start[4];
    uint32_t offset = draft.parameter_area_bytes;
    for (int c = 3; c >= 0; --c) {
        start[c] = offset;
        offset += static_cast<uint32_t>(slots_end[c].size()) * slot_bytes(static_cast<SlotClass>(c));
    }
    layout.frame_bytes = (offset + 63) / 64 * 64;
    for (Operation& op : ops)
        for_each_register(op, lists, [&](Value& v, bool) {
            const auto c = classes[v.offset];
            v.offset = start[static_cast<int>(c)] + slot_of[v.offset] * slot_bytes(c);
        });
    return layout;
}

}  // namespace lanescope::program
