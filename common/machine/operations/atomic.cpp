// atom and red: read, modify and write, one lane after the other.
//
// The lanes of a warp are served in lane order. All blocks run on one host thread, so nothing can come
// between a lane's read and its write.
#include <bit>
#include <cmath>
#include <cstring>

#include "machine/grid.h"
#include "machine/operations/half_float.h"
#include "machine/operations/locate.h"
#include "machine/operations/operations.h"

namespace lanescope::machine {

using program::Atomic;
using program::Opcode;
using program::Operation;
using program::Space;
using program::Type;
using program::Value;

namespace {

struct Bits128 {
    uint64_t low, high;
    bool operator==(const Bits128&) const = default;
};

template <class T>
using Function = T (*)(T old, T b, T c);   // the new value; c is used by cas alone

template <class T> T exchange(T, T b, T) { return b; }
template <class T> T compare_and_swap(T old, T b, T c) { return old == b ? c : old; }
template <class T> T add(T old, T b, T) { return old + b; }
template <class T> T bit_and(T old, T b, T) { return old & b; }
template <class T> T bit_or(T old, T b, T) { return old | b; }
template <class T> T bit_xor(T old, T b, T) { return old ^ b; }
template <class T> T minimum(T old, T b, T) { return std::min(old, b); }
template <class T> T maximum(T old, T b, T) { return std::max(old, b); }
template <class T> T increment(T old, T b, T) { return old >= b ? 0 : old + 1; }
template <class T> T decrement(T old, T b, T) { return old == 0 || old > b ? b : old - 1; }

// Floating point, on the bits. f32 atomics on global memory flush subnormals to zero (PTX ISA, "atom").
uint32_t add_f32(uint32_t old, uint32_t b, uint32_t) {
    const float sum = std::bit_cast<float>(old) + std::bit_cast<float>(b);
    return std::isnan(sum) ? 0x7FFFFFFFu : std::bit_cast<uint32_t>(sum);
}
uint32_t add_f32_ftz(uint32_t old, uint32_t b, uint32_t c) {
    auto flush = [](uint32_t bits) { return (bits & 0x7F800000u) == 0 ? bits & 0x80000000u : bits; };
    return flush(add_f32(flush(old), flush(b), c));
}
uint64_t add_f64(uint64_t old, uint64_t b, uint64_t) {
    return std::bit_cast<uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(b));
}

// A float has more than twice the digits of these formats, so rounding the float sum again gives the right result.
uint16_t add_f16(uint16_t old, uint16_t b, uint16_t) { return to_f16_rn(from_f16(old) + from_f16(b)); }
uint16_t min_f16(uint16_t old, uint16_t b, uint16_t) { return from_f16(b) < from_f16(old) ? b : old; }
uint16_t max_f16(uint16_t old, uint16_t b, uint16_t) { return from_f16(b) > from_f16(old) ? b : old; }
uint16_t add_bf16(uint16_t old, uint16_t b, uint16_t) { return to_bf16_rn(from_bf16(old) + from_bf16(b)); }
uint16_t min_bf16(uint16_t old, uint16_t b, uint16_t) { return from_bf16(b) < from_bf16(old) ? b : old; }
uint16_t max_bf16(uint16_t old, uint16_t b, uint16_t) { return from_bf16(b) > from_bf16(old) ? b : old; }

template <uint16_t (*f)(uint16_t, uint16_t, uint16_t)>
uint32_t both_halves(uint32_t old, uint32_t b, uint32_t) {
    const uint16_t low = f(static_cast<uint16_t>(old), static_cast<uint16_t>(b), 0);
    const uint16_t high = f(static_cast<uint16_t>(old >> 16), static_cast<uint16_t>(b >> 16), 0);
    return low | uint32_t{high} << 16;
}

template <class T>
T value_at(const Warp& warp, Value v, int lane) {
    const std::byte* slot = warp.base[v.base] + v.offset;
    T value;
    if constexpr (sizeof(T) == 16) std::memcpy(&value, slot + 16 * lane, 16);
    else value = load_lane<T>(reinterpret_cast<const Stored<T>*>(slot), lane);
    return value;
}
template <class T>
void set_value_at(Warp& warp, Value v, int lane, T value) {
    std::byte* slot = warp.base[0] + v.offset;
    if constexpr (sizeof(T) == 16) std::memcpy(slot + 16 * lane, &value, 16);
    else store_lane<T>(reinterpret_cast<Stored<T>*>(slot), lane, value);
}

template <class T, Function<T> f>
void modify(LaneState& lanes, const Operation& op) {
    Warp& warp = static_cast<Warp&>(lanes);
    Grid& grid = *warp.grid;
    const int width = op.vector_width;
    const bool returns = op.opcode == Opcode::atom;
    const auto& lists = grid.program().lists;
    uint64_t address[warp_size];
    uint32_t global_lanes = 0;
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        address[lane] = op.address_bits == 32 ? uint32_t(source<uint32_t>(warp, op.s[0])[lane] + op.immediate)
                                              : source<uint64_t>(warp, op.s[0])[lane] + op.immediate;
        bool global = false;
        std::byte* host = locate(warp, op, lane, address[lane], sizeof(T) * width, global);
        if (!host) return;
        global_lanes |= static_cast<uint32_t>(global) << lane;
        for (int i = 0; i < width; ++i) {
            const Value b = width == 1 ? op.s[1] : lists[op.list + i + (returns ? width : 0)];
            const Value d = width == 1 ? op.d[0] : lists[op.list + i];
            T old;
            std::memcpy(&old, host + i * sizeof(T), sizeof(T));
            const T now = f(old, value_at<T>(warp, b, lane), op.source_count > 2 ? value_at<T>(warp, op.s[2], lane) : T{});
            std::memcpy(host + i * sizeof(T), &now, sizeof(T));
            if (!(now == old)) grid.note_write();
            if (returns) set_value_at<T>(warp, d, lane, old);
        }
    }
    constexpr uint32_t element_bytes = sizeof(T);
    if (global_lanes != 0) grid.count_global(warp, {address, global_lanes, element_bytes * width});
    if (const uint32_t shared_lanes = warp.mask & ~global_lanes) {
        const uint64_t window = op.space == Space::shared ? 0 : grid.space().shared_window();
        for (uint32_t rest = shared_lanes; rest != 0; rest &= rest - 1) address[std::countr_zero(rest)] -= window;
        grid.count_shared(warp, {address, shared_lanes, element_bytes * width});
    }
}

template <class T>
Handler select_bits(Atomic atomic) {   // and, or, xor, exch, cas
    switch (atomic) {
        case Atomic::exch: return modify<T, exchange<T>>;
        case Atomic::cas: return modify<T, compare_and_swap<T>>;
        case Atomic::and_: return modify<T, bit_and<T>>;
        case Atomic::or_: return modify<T, bit_or<T>>;
        case Atomic::xor_: return modify<T, bit_xor<T>>;
        default: return nullptr;
    }
}
template <class T>
Handler select_numbers(Atomic atomic) {   // add, min, max; inc and dec of u32
    switch (atomic) {
        case Atomic::add: return modify<T, add<T>>;
        case Atomic::min: return modify<T, minimum<T>>;
        case Atomic::max: return modify<T, maximum<T>>;
        case Atomic::inc: if constexpr (std::is_same_v<T, uint32_t>) return modify<T, increment<T>>; else return nullptr;
        case Atomic::dec: if constexpr (std::is_same_v<T, uint32_t>) return modify<T, decrement<T>>; else return nullptr;
        default: return nullptr;
    }
}
template <uint16_t (*sum)(uint16_t, uint16_t, uint16_t), uint16_t (*low)(uint16_t, uint16_t, uint16_t), uint16_t (*high)(uint16_t, uint16_t, uint16_t)>
Handler select_half_floats(Atomic atomic, bool pair) {
    switch (atomic) {
        case Atomic::add: return pair ? modify<uint32_t, both_halves<sum>> : modify<uint16_t, sum>;
        case Atomic::min: return pair ? modify<uint32_t, both_halves<low>> : modify<uint16_t, low>;
        case Atomic::max: return pair ? modify<uint32_t, both_halves<high>> : modify<uint16_t, high>;
        default: return nullptr;
    }
}

}  // namespace

Handler select_atomic(const Operation& op) {
    if (op.opcode != Opcode::atom && op.opcode != Opcode::red) return nullptr;
    if (op.space != Space::generic && op.space != Space::global && op.space != Space::shared) return nullptr;
    if (!op.only_flags(program::flag::noftz)) return nullptr;
    switch (op.type) {
        case Type::b16: return op.atomic == Atomic::cas ? modify<uint16_t, compare_and_swap<uint16_t>> : nullptr;
        case Type::b32: return select_bits<uint32_t>(op.atomic);
        case Type::b64: return select_bits<uint64_t>(op.atomic);
        case Type::b128:
            if (op.atomic == Atomic::exch) return modify<Bits128, exchange<Bits128>>;
            if (op.atomic == Atomic::cas) return modify<Bits128, compare_and_swap<Bits128>>;
            return nullptr;
        case Type::u32: return select_numbers<uint32_t>(op.atomic);
        case Type::s32: return select_numbers<int32_t>(op.atomic);
        case Type::u64: return select_numbers<uint64_t>(op.atomic);
        case Type::s64: return select_numbers<int64_t>(op.atomic);
        case Type::f32:
            if (op.atomic != Atomic::add) return nullptr;
            return op.space == Space::shared ? modify<uint32_t, add_f32> : modify<uint32_t, add_f32_ftz>;
        case Type::f64: return op.atomic == Atomic::add ? modify<uint64_t, add_f64> : nullptr;
        case Type::f16: return select_half_floats<add_f16, min_f16, max_f16>(op.atomic, false);
        case Type::f16x2: return select_half_floats<add_f16, min_f16, max_f16>(op.atomic, true);
        case Type::bf16: return select_half_floats<add_bf16, min_bf16, max_bf16>(op.atomic, false);
        case Type::bf16x2: return select_half_floats<add_bf16, min_bf16, max_bf16>(op.atomic, true);
        default: return nullptr;
    }
}

}  // namespace lanescope::machine
