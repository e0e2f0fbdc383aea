// mov in all its forms, address conversions between spaces, and special registers.
#include <bit>
#include <cstring>

#include "machine/grid.h"
#include "machine/operations/operations.h"

namespace lanescope::machine {

using program::Opcode;
using program::Operation;
using program::Space;
using program::Special;
using program::Type;
using program::Value;
namespace flag = program::flag;

namespace {

template <class T>
void move(LaneState& lanes, const Operation& op) {
    map<T, T>(lanes, op, [](T a) { return a; });
}
void move_predicate(LaneState& lanes, const Operation& op) {
    set_predicate(lanes, op.d[0], predicate(lanes, op.s[0], op.negated & 1));
}
void move_128(LaneState& lanes, const Operation& op) {
    const std::byte* from = lanes.base[op.s[0].base] + op.s[0].offset;
    std::byte* to = lanes.base[0] + op.d[0].offset;
    for_active_lanes(lanes, [&](int lane) { std::memmove(to + 16 * lane, from + 16 * lane, 16); });
}

// One lane of any slot as up to 16 bytes, lowest first.
void read_bytes(const LaneState& lanes, Value v, int bits, int lane, std::byte* bytes) {
    const std::byte* slot = lanes.base[v.base] + v.offset;
    const int stride = bits <= 32 ? 4 : bits / 8;
    std::memcpy(bytes, slot + stride * lane, bits / 8);
}
void write_bytes(LaneState& lanes, Value v, int bits, int lane, const std::byte* bytes) {
    std::byte* slot = lanes.base[0] + v.offset;
    const int stride = bits <= 32 ? 4 : bits / 8;
    uint32_t zero = 0;
    if (bits < 32) std::memcpy(slot + stride * lane, &zero, 4);   // narrow types are kept extended
    std::memcpy(slot + stride * lane, bytes, bits / 8);
}

// d = {a, b, ...}
void pack(LaneState& lanes, const Operation& op) {
    const auto& lists = static_cast<Warp&>(lanes).grid->program().lists;
    const int part = bits_of(op.type2);
    for_active_lanes(lanes, [&](int lane) {
        std::byte bytes[16];
        for (int i = 0; i < op.list_count; ++i) read_bytes(lanes, lists[op.list + i], part, lane, bytes + i * part / 8);
        write_bytes(lanes, op.d[0], bits_of(op.type), lane, bytes);
    });
}
// {a, b, ...} = s
void unpack(LaneState& lanes, const Operation& op) {
    const auto& lists = static_cast<Warp&>(lanes).grid->program().lists;
    const int part = bits_of(op.type2);
    for_active_lanes(lanes, [&](int lane) {
        std::byte bytes[16];
        read_bytes(lanes, op.s[0], bits_of(op.type), lane, bytes);
        for (int i = 0; i < op.list_count; ++i) write_bytes(lanes, lists[op.list + i], part, lane, bytes + i * part / 8);
    });
}

uint64_t window_of(const Warp& warp, Space space) {
    const AddressSpace& memory = warp.grid->space();
    switch (space) {
        case Space::shared: return memory.shared_window();
        case Space::local: return memory.local_window();
        case Space::param: return memory.param_window();
        default: return 0;   // global and constant addresses are generic addresses
    }
}
// cvta adds the start of the space's window, cvta.to takes it away.
void convert_address(LaneState& lanes, const Operation& op) {
    const uint64_t window = window_of(static_cast<Warp&>(lanes), op.space);
    const uint64_t offset = op.has(flag::to) ? 0 - window : window;
    map<uint64_t, uint64_t>(lanes, op, [offset](uint64_t a) { return a + offset; });
}
void is_in_space(LaneState& lanes, const Operation& op) {
    Warp& warp = static_cast<Warp&>(lanes);
    const AddressSpace& memory = warp.grid->space();
    const uint64_t* a = source<uint64_t>(lanes, op.s[0]);
    uint32_t bits = 0;
    for_active_lanes(lanes, [&](int lane) {
        bool inside;
        if (op.space == Space::global || op.space == Space::constant) {
            const uint64_t windows = memory.shared_window();
            const bool in_window = a[lane] >= windows && a[lane] - windows < 3 * AddressSpace::window_bytes;
            const Allocation* allocation = in_window ? nullptr : memory.find(a[lane]);
            const bool constant = allocation && allocation->kind == MemoryKind::constant_symbol;
            inside = !in_window && constant == (op.space == Space::constant);
        } else {
            const uint64_t window = window_of(warp, op.space);
            inside = a[lane] >= window && a[lane] - window < AddressSpace::window_bytes;
        }
        bits |= static_cast<uint32_t>(inside) << lane;
    });
    set_predicate(lanes, op.d[0], bits);
}

uint64_t special_value(const Warp& warp, const Operation& op, int lane) {
    const Grid& grid = *warp.grid;
    const Launch& launch = grid.launch();
    switch (op.special) {
        case Special::tid_x: return grid.thread_ids(warp.index, 0)[lane];
        case Special::tid_y: return grid.thread_ids(warp.index, 1)[lane];
        case Special::tid_z: return grid.thread_ids(warp.index, 2)[lane];
        case Special::ntid_x: return launch.block.x;
        case Special::ntid_y: return launch.block.y;
        case Special::ntid_z: return launch.block.z;
        case Special::ctaid_x: case Special::clusterid_x: return warp.block->id.x;   // a cluster is one block
        case Special::ctaid_y: case Special::clusterid_y: return warp.block->id.y;
        case Special::ctaid_z: case Special::clusterid_z: return warp.block->id.z;
        case Special::nctaid_x: case Special::nclusterid_x: return launch.grid.x;
        case Special::nctaid_y: case Special::nclusterid_y: return launch.grid.y;
        case Special::nctaid_z: case Special::nclusterid_z: return launch.grid.z;
        case Special::laneid: return lane;
        case Special::warpid: return warp.index;
        case Special::nwarpid: return grid.setup().gpu.max_threads_per_sm / warp_size;
        case Special::smid: return warp.block->sm;
        case Special::nsmid: return grid.setup().gpu.sm_count;
        case Special::gridid: return grid.setup().launch_number;
        case Special::lanemask_eq: return 1u << lane;
        case Special::lanemask_lt: return (1u << lane) - 1;
        case Special::lanemask_le: return (2ull << lane) - 1;
        case Special::lanemask_gt: return static_cast<uint32_t>(~((2ull << lane) - 1));
        case Special::lanemask_ge: return ~((1u << lane) - 1);
        case Special::clock: return static_cast<uint32_t>(grid.clock(warp));
        case Special::clock_hi: return grid.clock(warp) >> 32;
        case Special::clock64: return grid.clock(warp);
        case Special::globaltimer: return grid.nanoseconds(warp);
        case Special::globaltimer_lo: return static_cast<uint32_t>(grid.nanoseconds(warp));
        case Special::globaltimer_hi: return grid.nanoseconds(warp) >> 32;
        case Special::total_smem_size: return grid.own_shared_bytes();
        case Special::aggr_smem_size: return grid.own_shared_bytes();
        case Special::reserved_smem: return grid.reserved_shared_offset() + op.immediate;
        case Special::dynamic_smem_size: return launch.dynamic_shared_bytes;
        // Registers 1 and 2 hold the address of a cooperative launch's workspace.
        case Special::envreg: return op.immediate == 1 ? grid.workspace() >> 32 : op.immediate == 2 ? static_cast<uint32_t>(grid.workspace()) : 0;
        case Special::cluster_nctaid_x: case Special::cluster_nctaid_y: case Special::cluster_nctaid_z:
        case Special::cluster_nctarank: return 1;
        case Special::frame_local: return uint64_t{warp.frame->local_base} + op.immediate;
        default: return 0;   // cluster_ctaid, cluster_ctarank, is_explicit_cluster, pm
    }
}

template <class T>
void read_special(LaneState& lanes, const Operation& op) {
    const Warp& warp = static_cast<Warp&>(lanes);
    T* d = reinterpret_cast<T*>(lanes.base[0] + op.d[0].offset);
    for_active_lanes(lanes, [&](int lane) { d[lane] = static_cast<T>(special_value(warp, op, lane)); });
}
template <int dimension>
void read_thread_id(LaneState& lanes, const Operation& op) {
    const Warp& warp = static_cast<Warp&>(lanes);
    const uint32_t* ids = warp.grid->thread_ids(warp.index, dimension);
    uint32_t* d = result<uint32_t>(lanes, op.d[0]);
    for_each_lane(lanes, [&](int lane) { d[lane] = ids[lane]; });
}
// The same for all lanes of the warp.
template <class T>
void read_warp_wide(LaneState& lanes, const Operation& op) {
    const T value = static_cast<T>(special_value(static_cast<Warp&>(lanes), op, 0));
    T* d = reinterpret_cast<T*>(lanes.base[0] + op.d[0].offset);
    for_each_lane(lanes, [&](int lane) { d[lane] = value; });
}

Handler select_special(const Operation& op) {
    const bool wide = bits_of(op.type) == 64;
    switch (op.special) {
        case Special::tid_x: return read_thread_id<0>;
        case Special::tid_y: return read_thread_id<1>;
        case Special::tid_z: return read_thread_id<2>;
        case Special::laneid: case Special::lanemask_eq: case Special::lanemask_le: case Special::lanemask_lt:
        case Special::lanemask_ge: case Special::lanemask_gt:
            return read_special<uint32_t>;
        default: return wide ? read_warp_wide<uint64_t> : read_warp_wide<uint32_t>;
    }
}

}  // namespace

Handler select_move(const Operation& op) {
    switch (op.opcode) {
        case Opcode::mov:
            if (!op.only_flags(0)) return nullptr;
            if (op.type == Type::pred) return move_predicate;
            if (op.type == Type::b128) return move_128;
            return bits_of(op.type) == 64 ? move<uint64_t> : move<uint32_t>;
        case Opcode::pack: return pack;
        case Opcode::unpack: return unpack;
        case Opcode::cvta: return bits_of(op.type) == 64 && op.only_flags(flag::to) ? convert_address : nullptr;
        case Opcode::isspacep: return is_in_space;
        case Opcode::read_special: return select_special(op);
        default: return nullptr;
    }
}

}  // namespace lanescope::machine
