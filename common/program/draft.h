/// \file
/// A function while it is being built: operations on virtual registers.
///
/// In a draft, a Value with base 0 holds the number of a virtual register; registers.cpp replaces it
/// by the byte offset of a slot. Values with base 1 (constants) are final from the start.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"

namespace lanescope::program {

/// What a register's lanes take: see operation.h.
enum class SlotClass : uint8_t { predicate, bits32, bits64, bits128 };
SlotClass slot_class(Type type);
uint32_t slot_bytes(SlotClass);   ///< of 32 lanes: 4, 128, 256, 512

struct Draft {
    std::vector<Operation> operations;     ///< branch targets are indices into this vector
    std::vector<SlotClass> registers;      ///< by virtual register number
    uint32_t parameter_area_bytes = 0;     ///< at the start of the frame: FrameVariables
};

/// How many registers at the start of the operation's list it writes; the rest it reads.
/// ld and unpack write all, st, pack and red read all; atom on vectors has its results first.
int results_in_list(const Operation& op);

/// Calls visit(Value&, bool is_result) for every virtual register that the operation reads or writes:
/// sources, results, guard and list. Constants are skipped.
template <class F>
void for_each_register(Operation& op, std::vector<Value>& lists, F visit);

/// The operations, and the constants they share, of one program under construction.
class ConstantPool {
public:
    explicit ConstantPool(std::vector<std::byte>& bytes) : bytes_(bytes) {}
    Value literal(uint64_t bits, SlotClass);           ///< the value repeated for 32 lanes; equal ones are shared
    Value reserve(SlotClass);                          ///< room for a value that the prologue computes
    void patch(Value, uint64_t bits, SlotClass);

private:
    std::vector<std::byte>& bytes_;
    std::unordered_map<uint64_t, uint32_t> known_[4];
};

template <class F>
void for_each_register(Operation& op, std::vector<Value>& lists, F visit) {
    auto source = [&](Value& v) { if (v.base == 0) visit(v, false); };
    for (int i = 0; i < op.source_count; ++i) source(op.s[i]);
    if (op.guard != Guarded::no) source(op.guard_value);
    for (int i = 0; i < op.list_count; ++i) {
        Value& v = lists[op.list + i];
        if (v.base == 0) visit(v, i < results_in_list(op));
    }
    for (int i = 0; i < op.result_count; ++i) visit(op.d[i], true);
}

}  // namespace lanescope::program
