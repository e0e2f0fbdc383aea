// Loads and stores of every space, prefetches, fences and asynchronous copies.
#include <bit>
#include <cstring>

#include "machine/grid.h"
#include "machine/operations/operations.h"
#include "machine/operations/request.h"

namespace lanescope::machine {

using program::Opcode;
using program::Operation;
using program::Space;
using program::Type;
using program::Value;

namespace {

struct Bits128 {
    uint64_t low, high;
};

// Value of one lane, read from or written to a slot as operation.h lays it out. M: the type in memory.
template <class M>
void put_lane(std::byte* slot, int lane, M value) {
    if constexpr (sizeof(M) == 16) std::memcpy(slot + 16 * lane, &value, 16);
    else store_lane<M>(reinterpret_cast<Stored<M>*>(slot), lane, value);
}
template <class M>
M get_lane(const std::byte* slot, int lane) {
    M value;
    if constexpr (sizeof(M) == 16) std::memcpy(&value, slot + 16 * lane, 16);
    else value = load_lane<M>(reinterpret_cast<const Stored<M>*>(slot), lane);
    return value;
}

// Calls copy(lane, host) for each active lane. The loop over neighbouring lanes becomes vector code.
template <uint64_t bytes, class F>
void for_each_lane_memory(const Warp& warp, const LaneMemory& memory, F copy) {
    // In registers: for all the compiler knows, copy might write to `memory`.
    std::byte* const first = memory.first;
    const uint64_t base = memory.base;
    if (first) {
#pragma GCC ivdep
        for (int lane = 0; lane < warp_size; ++lane) copy(lane, first + lane * bytes);
    } else {
        for_active_lanes(warp, [&](int lane) { copy(lane, reinterpret_cast<std::byte*>(base + memory.address[lane])); });
    }
}

template <class M, int N>
void load(LaneState& lanes, const Operation& op) {
    Warp& warp = static_cast<Warp&>(lanes);
    LaneMemory memory;
    memory.first = locate_neighbours<sizeof(M) * N, false>(warp, op);
    if (!memory.first && !locate_lanes(warp, op, sizeof(M) * N, false, memory)) return;
    std::byte* to[N];
    for (int i = 0; i < N; ++i) to[i] = warp.base[0] + (N == 1 ? op.d[0] : warp.grid->program().lists[op.list + i]).offset;
    for_each_lane_memory<sizeof(M) * N>(warp, memory, [&](int lane, const std::byte* host) {
        for (int i = 0; i < N; ++i) {
            M value;
            std::memcpy(&value, host + i * sizeof(M), sizeof(M));
            put_lane<M>(to[i], lane, value);
        }
    });
}

template <class M, int N>
void store(LaneState& lanes, const Operation& op) {
    Warp& warp = static_cast<Warp&>(lanes);
    LaneMemory memory;
    memory.first = locate_neighbours<sizeof(M) * N, true>(warp, op);
    if (!memory.first && !locate_lanes(warp, op, sizeof(M) * N, true, memory)) return;
    warp.grid->note_write();
    const std::byte* from[N];
    for (int i = 0; i < N; ++i) {
        const Value v = N == 1 ? op.s[1] : warp.grid->program().lists[op.list + i];
        from[i] = warp.base[v.base] + v.offset;
    }
    for_each_lane_memory<sizeof(M) * N>(warp, memory, [&](int lane, std::byte* host) {
        for (int i = 0; i < N; ++i) {
            const M value = get_lane<M>(from[i], lane);
            std::memcpy(host + i * sizeof(M), &value, sizeof(M));
        }
    });
}

// Parameters of functions: each lane has its own copy in the frame (bounds were checked when decoded).
template <class M, int N>
void load_frame_parameter(LaneState& lanes, const Operation& op) {
    Warp& warp = static_cast<Warp&>(lanes);
    const std::byte* from = warp.base[0] + op.frame_offset + op.immediate;
    for (int i = 0; i < N; ++i) {
        const Value v = N == 1 ? op.d[0] : warp.grid->program().lists[op.list + i];
        for_active_lanes(warp, [&](int lane) {
            M value;
            std::memcpy(&value, from + lane * op.lane_stride_bytes + i * sizeof(M), sizeof(M));
            put_lane<M>(warp.base[0] + v.offset, lane, value);
        });
    }
}
template <class M, int N>
void store_frame_parameter(LaneState& lanes, const Operation& op) {
    Warp& warp = static_cast<Warp&>(lanes);
    std::byte* to = warp.base[0] + op.frame_offset + op.immediate;
    for (int i = 0; i < N; ++i) {
        const Value v = N == 1 ? op.s[1] : warp.grid->program().lists[op.list + i];
        for_active_lanes(warp, [&](int lane) {
            const M value = get_lane<M>(warp.base[v.base] + v.offset, lane);
            std::memcpy(to + lane * op.lane_stride_bytes + i * sizeof(M), &value, sizeof(M));
        });
    }
}

// cp.async: the copy is made at once, which is a legal moment for it.
template <class M>
void copy_to_shared(LaneState& lanes, const Operation& op) {
    Warp& warp = static_cast<Warp&>(lanes);
    LaneMemory from, to;
    Operation global = op, shared = op;
    global.s[0] = op.s[1];
    global.immediate = 0;
    global.address_bits = 64;
    global.space = Space::global;
    shared.space = Space::shared;
    if (!locate_lanes(warp, global, sizeof(M), false, from) || !locate_lanes(warp, shared, sizeof(M), true, to)) return;
    warp.grid->note_write();
    const uint32_t* bytes = op.source_count == 3 ? source<uint32_t>(warp, op.s[2]) : nullptr;
    M value[warp_size] = {};
    for_each_lane_memory<sizeof(M)>(warp, from, [&](int lane, const std::byte* host) {
        std::memcpy(&value[lane], host, bytes ? std::min<size_t>(bytes[lane], sizeof(M)) : sizeof(M));
    });
    for_each_lane_memory<sizeof(M)>(warp, to, [&](int lane, std::byte* host) { std::memcpy(host, &value[lane], sizeof(M)); });
}

void nothing(LaneState&, const Operation&) {}

template <class M, int N>
Handler select_access(const Operation& op) {
    const bool loads = op.opcode != Opcode::st;
    if (op.space == Space::param && op.lane_stride_bytes != 0) return loads ? load_frame_parameter<M, N> : store_frame_parameter<M, N>;
    if (!loads && (op.space == Space::param || op.space == Space::constant)) return nullptr;
    return loads ? load<M, N> : store<M, N>;
}

template <class M>
Handler select_width(const Operation& op) {
    if (bits_of(op.type) * op.vector_width > 256) return nullptr;
    switch (op.vector_width) {
        case 1: return select_access<M, 1>(op);
        case 2: return select_access<M, 2>(op);
        case 4: if constexpr (sizeof(M) <= 8) return select_access<M, 4>(op); else return nullptr;
        case 8: if constexpr (sizeof(M) <= 4) return select_access<M, 8>(op); else return nullptr;
        default: return nullptr;
    }
}

}  // namespace

Handler select_memory(const Operation& op) {
    switch (op.opcode) {
        case Opcode::ld:
        case Opcode::ldu:
        case Opcode::st:
            if (!op.only_flags(program::flag::nc | program::flag::unified)) return nullptr;
            switch (op.type) {
                case Type::s8: return select_width<int8_t>(op);
                case Type::b8: case Type::u8: return select_width<uint8_t>(op);
                case Type::s16: return select_width<int16_t>(op);
                case Type::b16: case Type::u16: case Type::f16: case Type::bf16: return select_width<uint16_t>(op);
                case Type::b32: case Type::u32: case Type::s32: case Type::f32: case Type::f16x2: case Type::bf16x2:
                    return select_width<uint32_t>(op);
                case Type::b64: case Type::u64: case Type::s64: case Type::f64: return select_width<uint64_t>(op);
                case Type::b128: return select_width<Bits128>(op);
                default: return nullptr;
            }
        case Opcode::cp_async:
            if (op.has(program::flag::sync)) return nothing;
            return op.type == Type::b32 ? copy_to_shared<uint32_t> : op.type == Type::b64 ? copy_to_shared<uint64_t> : copy_to_shared<Bits128>;
        case Opcode::prefetch: case Opcode::prefetchu: case Opcode::discard: case Opcode::applypriority:
        case Opcode::membar: case Opcode::fence:
            return nothing;
        default: return nullptr;
    }
}

}  // namespace lanescope::machine
