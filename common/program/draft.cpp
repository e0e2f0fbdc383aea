#include "program/draft.h"

#include <algorithm>
#include <cstring>

namespace lanescope::program {

SlotClass slot_class(Type type) {
    if (type == Type::pred) return SlotClass::predicate;
    const int bits = bits_of(type);
    return bits <= 32 ? SlotClass::bits32 : bits == 64 ? SlotClass::bits64 : SlotClass::bits128;
}

uint32_t slot_bytes(SlotClass c) {
    switch (c) {
        case SlotClass::predicate: return 4;
        case SlotClass::bits32: return 128;
        case SlotClass::bits64: return 256;
        default: return 512;
    }
}

int results_in_list(const Operation& op) {
    switch (op.opcode) {
        case Opcode::ld:
        case Opcode::ldu:
        case Opcode::unpack: return op.list_count;
        case Opcode::atom: return op.list_count / 2;
        default: return 0;
    }
}

Value ConstantPool::reserve(SlotClass c) {
    Value v;
    v.base = 1;
    v.offset = static_cast<uint32_t>(bytes_.size());
    bytes_.resize(bytes_.size() + std::max<uint32_t>(slot_bytes(c), 128));   // vector loads like aligned slots
    return v;
}

void ConstantPool::patch(Value v, uint64_t bits, SlotClass c) {
    std::byte* slot = bytes_.data() + v.offset;
    switch (c) {
        case SlotClass::predicate: {
            const uint32_t mask = bits != 0 ? ~0u : 0;
            std::memcpy(slot, &mask, 4);
            break;
        }
        case SlotClass::bits32:
            for (int lane = 0; lane < 32; ++lane) std::memcpy(slot + 4 * lane, &bits, 4);
            break;
        default: {
            const int stride = c == SlotClass::bits64 ? 8 : 16;   // the high half of a 128-bit literal is 0
            for (int lane = 0; lane < 32; ++lane) std::memcpy(slot + stride * lane, &bits, 8);
        }
    }
}

Value ConstantPool::literal(uint64_t bits, SlotClass c) {
    auto& known = known_[static_cast<int>(c)];
    if (const auto found = known.find(bits); found != known.end()) {
        Value v;
        v.base = 1;
        v.offset = found->second;
        return v;
    }
    const Value v = reserve(c);
    patch(v, bits, c);
    known.emplace(bits, v.offset);
    return v;
}


}  // namespace lanescope::program
