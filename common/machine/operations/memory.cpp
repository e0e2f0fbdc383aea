// Loads and stores of every space, prefetches, fences and asynchronous copies.
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "access/sectors.h"
#include "machine/grid.h"
#include "machine/operations/operations.h"

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

// The addresses that a warp's request goes to, and the shape in which they lie.
struct Request {
    alignas(64) uint64_t address[warp_size];   // set unless contiguous
    uint64_t first = 0, last = 0;   // lowest and highest
    bool contiguous = false;        // all 32 lanes, each right behind the one before

    Request(const Warp& warp, const Operation& op, uint64_t bytes) {
        if (op.address_bits == 32) take<uint32_t>(warp, op, bytes);
        else take<uint64_t>(warp, op, bytes);
    }

    template <class A>
    void take(const Warp& warp, const Operation& op, uint64_t bytes) {
        const A* a = source<A>(warp, op.s[0]);
        const A offset = static_cast<A>(op.immediate);
        if (warp.mask == full_mask) {
            A differs = 0;
            for (int lane = 0; lane < warp_size; ++lane) differs |= a[lane] ^ (a[0] + static_cast<A>(lane * bytes));
            if (differs == 0) {
                contiguous = true;
                first = static_cast<A>(a[0] + offset);
                last = first + 31 * bytes;
                return;
            }
        }
        for (int lane = 0; lane < warp_size; ++lane) address[lane] = static_cast<A>(a[lane] + offset);
        if (warp.mask == full_mask) {
            first = last = address[0];
            for (int lane = 0; lane < warp_size; ++lane) {
                first = std::min(first, address[lane]);
                last = std::max(last, address[lane]);
            }
        } else {
            first = ~0ull;
            for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
                const uint64_t a = address[std::countr_zero(rest)];
                first = std::min(first, a);
                last = std::max(last, a);
            }
        }
    }

    uint64_t of(int lane, uint64_t bytes) const { return contiguous ? first + lane * bytes : address[lane]; }

    bool aligned(const Warp& warp, uint64_t bytes) const {
        if (contiguous) return (first & (bytes - 1)) == 0;
        uint64_t low_bits = 0;
        for_active_lanes(warp, [&](int lane) { low_bits |= address[lane]; });
        return (low_bits & (bytes - 1)) == 0;
    }
};

void raise_misaligned(Warp& warp, const Request& request, uint64_t bytes, const char* what) {
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        if ((request.of(lane, bytes) & (bytes - 1)) != 0)
            return warp.grid->raise(FaultKind::misaligned_address, warp, lane,
                                    fmt::format("misaligned {} of {} bytes at address {:#x}, which is not a multiple of {}", what,
                                                bytes, request.of(lane, bytes), bytes));
    }
}

void raise_illegal(Warp& warp, int lane, uint64_t address, uint64_t bytes, const char* what, Space space) {
    if (space == Space::shared)
        return warp.grid->raise(FaultKind::illegal_address, warp, lane,
                                fmt::format("illegal {} of {} bytes at byte {} of shared memory, of which the block has {}", what, bytes,
                                            static_cast<int64_t>(address), warp.grid->shared_bytes()));
    if (space == Space::local)
        return warp.grid->raise(FaultKind::illegal_address, warp, lane,
                                fmt::format("illegal {} of {} bytes at byte {} of local memory, of which the thread has {}", what, bytes,
                                            static_cast<int64_t>(address), warp.local_stride_bytes));
    warp.grid->raise(FaultKind::illegal_address, warp, lane,
                     fmt::format("illegal {} of {} bytes at address {:#x}: {}", what, bytes, address, warp.grid->space().describe(address)));
}

// Calls access(lane, host) for each active lane with the host memory of its `bytes` bytes.
// Global memory is counted and comes from one look-up for the whole warp where it can.
template <Space space, bool write, uint64_t bytes, class F>
inline void for_each_access(Warp& warp, const Request& request, F access) {
    constexpr const char* what = write ? "write" : "read";
    Grid& grid = *warp.grid;
    if (!request.aligned(warp, bytes)) return raise_misaligned(warp, request, bytes, what);
    if constexpr (space == Space::shared) {
        std::byte* const shared = warp.block->shared.data();
        const uint64_t limit = grid.shared_bytes();
        if (request.last < limit && limit - request.last >= bytes) return for_active_lanes(warp, [&](int lane) { access(lane, shared + request.of(lane, bytes)); });
        for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            const uint64_t a = request.of(lane, bytes);
            if (a >= limit || limit - a < bytes) return raise_illegal(warp, lane, a, bytes, what, space);
        }
    } else if constexpr (space == Space::local) {
        const uint64_t limit = warp.local_stride_bytes;
        for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            const uint64_t a = request.of(lane, bytes);
            if (a >= limit || limit - a < bytes) return raise_illegal(warp, lane, a, bytes, what, space);
            access(lane, warp.local.data() + lane * limit + a);
        }
    } else {
        Region& region = warp.site->region;
        auto covers = [&] { return request.first >= region.begin && request.last < region.end && region.end - request.last >= bytes; };
        if (!covers()) {
            const uint64_t span = request.last - request.first;
            if (span < (1ull << 48)) grid.resolve(request.first, span + bytes, write, region);
        }
        if (covers()) {
            ++warp.site->requests;
            warp.site->sectors += request.contiguous ? access::sectors_of_span(request.first, bytes * warp_size)
                                                     : access::sectors_touched(request.address, warp.mask, static_cast<uint32_t>(bytes));
            if (request.contiguous) {   // no look at the addresses: this loop becomes vector code
                std::byte* const first = region.host + (request.first - region.begin);
#pragma GCC ivdep
                for (int lane = 0; lane < warp_size; ++lane) access(lane, first + lane * bytes);
                return;
            }
            std::byte* const host = region.host - region.begin;
            return for_active_lanes(warp, [&](int lane) { access(lane, host + request.address[lane]); });
        }
        // Several allocations, or windows of other spaces: lane by lane.
        uint32_t global_lanes = 0;
        uint64_t address[warp_size];
        for (int lane = 0; lane < warp_size; ++lane) address[lane] = request.of(lane, bytes);
        for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            const uint64_t a = address[lane];
            Region own;
            std::byte* host = grid.resolve(a, bytes, write, own);
            if (host) global_lanes |= 1u << lane;
            else if constexpr (space == Space::generic) host = grid.resolve_generic(warp, lane, a, bytes, write);
            if (!host) return raise_illegal(warp, lane, a, bytes, what, space);
            access(lane, host);
        }
        if (global_lanes != 0) {
            ++warp.site->requests;
            warp.site->sectors += access::sectors_touched(address, global_lanes, static_cast<uint32_t>(bytes));
        }
    }
}

template <Space space, class M, int N>
void load(LaneState& lanes, const Operation& op) {
    Warp& warp = static_cast<Warp&>(lanes);
    const Request request(warp, op, sizeof(M) * N);
    std::byte* to[N];
    for (int i = 0; i < N; ++i) {
        const Value v = N == 1 ? op.d[0] : warp.grid->program().lists[op.list + i];
        to[i] = warp.base[0] + v.offset;
    }
    for_each_access<space, false, sizeof(M) * N>(warp, request, [&](int lane, const std::byte* host) {
        for (int i = 0; i < N; ++i) {
            M value;
            std::memcpy(&value, host + i * sizeof(M), sizeof(M));
            put_lane<M>(to[i], lane, value);
        }
    });
}

template <Space space, class M, int N>
void store(LaneState& lanes, const Operation& op) {
    Warp& warp = static_cast<Warp&>(lanes);
    const Request request(warp, op, sizeof(M) * N);
    const std::byte* from[N];
    for (int i = 0; i < N; ++i) {
        const Value v = N == 1 ? op.s[1] : warp.grid->program().lists[op.list + i];
        from[i] = warp.base[v.base] + v.offset;
    }
    warp.grid->note_write();
    for_each_access<space, true, sizeof(M) * N>(warp, request, [&](int lane, std::byte* host) {
        for (int i = 0; i < N; ++i) {
            const M value = get_lane<M>(from[i], lane);
            std::memcpy(host + i * sizeof(M), &value, sizeof(M));
        }
    });
}

// Kernel parameters: the same bytes for every lane, at a literal offset or at an address in parameter space.
template <class M, int N>
void load_kernel_parameter(LaneState& lanes, const Operation& op) {
    Warp& warp = static_cast<Warp&>(lanes);
    const auto& parameters = warp.grid->launch().parameters;
    const Request request(warp, op, sizeof(M) * N);
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const uint64_t a = request.of(lane, sizeof(M) * N);
        if (a > parameters.size() || parameters.size() - a < sizeof(M) * N)
            return warp.grid->raise(FaultKind::illegal_address, warp, lane,
                                    fmt::format("read of {} bytes at byte {} of the kernel's parameters, of which there are {}",
                                                sizeof(M) * N, static_cast<int64_t>(a), parameters.size()));
        for (int i = 0; i < N; ++i) {
            M value;
            std::memcpy(&value, parameters.data() + a + i * sizeof(M), sizeof(M));
            const Value v = N == 1 ? op.d[0] : warp.grid->program().lists[op.list + i];
            put_lane<M>(warp.base[0] + v.offset, lane, value);
        }
    }
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
    M value[warp_size];
    Operation from = op;
    from.s[0] = op.s[1];
    from.immediate = 0;
    from.address_bits = 64;
    const Request global(warp, from, sizeof(M));
    const uint32_t* bytes = op.source_count == 3 ? source<uint32_t>(warp, op.s[2]) : nullptr;
    for_each_access<Space::global, false, sizeof(M)>(warp, global, [&](int lane, const std::byte* host) {
        value[lane] = M{};
        std::memcpy(&value[lane], host, bytes ? std::min<size_t>(bytes[lane], sizeof(M)) : sizeof(M));
    });
    if (warp.grid->faulted()) return;
    warp.grid->note_write();
    const Request shared(warp, op, sizeof(M));
    for_each_access<Space::shared, true, sizeof(M)>(warp, shared, [&](int lane, std::byte* host) { std::memcpy(host, &value[lane], sizeof(M)); });
}

void nothing(LaneState&, const Operation&) {}

template <class M, int N>
Handler select_access(const Operation& op) {
    const bool loads = op.opcode != Opcode::st;
    switch (op.space) {
        case Space::generic: return loads ? load<Space::generic, M, N> : store<Space::generic, M, N>;
        case Space::global: return loads ? load<Space::global, M, N> : store<Space::global, M, N>;
        case Space::constant: return loads ? load<Space::global, M, N> : nullptr;
        case Space::shared: return loads ? load<Space::shared, M, N> : store<Space::shared, M, N>;
        case Space::local: return loads ? load<Space::local, M, N> : store<Space::local, M, N>;
        case Space::param:
            if (op.lane_stride_bytes != 0) return loads ? load_frame_parameter<M, N> : store_frame_parameter<M, N>;
            return loads ? load_kernel_parameter<M, N> : nullptr;
    }
    return nullptr;
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
