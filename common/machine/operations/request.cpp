#include "machine/operations/request.h"

#include <bit>

#include <fmt/format.h>

#include "machine/grid.h"

namespace lanescope::machine {

using program::Operation;
using program::Space;

namespace {

// What a request asks for, and where its lanes' addresses lie.
struct Request {
    Warp& warp;
    const Operation& op;
    uint64_t bytes;
    bool write;
    LaneMemory& memory;             // memory.address is set unless contiguous
    uint64_t first = 0, last = 0;   // lowest and highest address
    bool contiguous = false;        // all 32 lanes, each right behind the one before

    template <class A>
    void read_addresses() {
        const A* a = source<A>(warp, op.s[0]);
        const A offset = static_cast<A>(op.immediate);
        if (warp.mask == full_mask && are_neighbours(a, bytes)) {
            contiguous = true;
            first = static_cast<A>(a[0] + offset);
            last = first + 31 * bytes;
            return;
        }
        for (int lane = 0; lane < warp_size; ++lane) memory.address[lane] = static_cast<A>(a[lane] + offset);
        uint64_t lowest = ~0ull, highest = 0;
        if (warp.mask == full_mask) {
            for (int lane = 0; lane < warp_size; ++lane) {
                lowest = std::min(lowest, memory.address[lane]);
                highest = std::max(highest, memory.address[lane]);
            }
        } else {
            for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
                const uint64_t lane_address = memory.address[std::countr_zero(rest)];
                lowest = std::min(lowest, lane_address);
                highest = std::max(highest, lane_address);
            }
        }
        first = lowest;
        last = highest;
    }

    uint64_t address(int lane) const { return contiguous ? first + lane * bytes : memory.address[lane]; }

    bool aligned() const {
        if (contiguous) return (first & (bytes - 1)) == 0;
        uint64_t low_bits = 0;
        for_active_lanes(warp, [&](int lane) { low_bits |= memory.address[lane]; });
        return (low_bits & (bytes - 1)) == 0;
    }

    bool raise_misaligned() const;
    bool raise_illegal(int lane, uint64_t address) const;
    bool locate_in_array(std::byte* array, uint64_t limit, uint64_t stride) const;
    bool locate_in_allocations() const;
    bool locate_one_by_one() const;
};

bool Request::raise_misaligned() const {
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        if ((address(lane) & (bytes - 1)) == 0) continue;
        warp.grid->raise(FaultKind::misaligned_address, warp, lane,
                         fmt::format("misaligned {} of {} bytes at address {:#x}, which is not a multiple of {}", write ? "write" : "read",
                                     bytes, address(lane), bytes));
        break;
    }
    return false;
}

bool Request::raise_illegal(int lane, uint64_t a) const {
    const char* what = write ? "write" : "read";
    auto inside = [&](const char* name, const char* owner, uint64_t owned_bytes) {
        return fmt::format("illegal {} of {} bytes at byte {} of {}, of which the {} has {}", what, bytes, static_cast<int64_t>(a), name, owner,
                           owned_bytes);
    };
    std::string text;
    switch (op.space) {
        case Space::shared: text = inside("shared memory", "block", warp.grid->shared_bytes()); break;
        case Space::local: text = inside("local memory", "thread", warp.local_stride_bytes); break;
        case Space::param: text = inside("the parameters", "kernel", warp.grid->launch().parameters.size()); break;
        default: text = fmt::format("illegal {} of {} bytes at address {:#x}: {}", what, bytes, a, warp.grid->space().describe(a));
    }
    warp.grid->raise(FaultKind::illegal_address, warp, lane, text);
    return false;
}

// Memory that is one array of `limit` bytes for all lanes or, with a stride, one for each.
bool Request::locate_in_array(std::byte* array, uint64_t limit, uint64_t stride) const {
    if (last >= limit || limit - last < bytes) {
        for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            const uint64_t a = address(lane);
            if (a >= limit || limit - a < bytes) return raise_illegal(lane, a);
        }
    }
    if (op.space != Space::param) {
        if (contiguous)
            for (int lane = 0; lane < warp_size; ++lane) memory.address[lane] = address(lane);
        const access::Request request{memory.address, warp.mask, static_cast<uint32_t>(bytes)};
        if (op.space == Space::shared) warp.grid->count_shared(warp, request);
        else warp.grid->count_local(warp, request);
    }
    if (contiguous && stride == 0) {
        memory.first = array + first;
        return true;
    }
    memory.base = reinterpret_cast<uint64_t>(array);
    for (int lane = 0; lane < warp_size; ++lane) memory.address[lane] = address(lane) + lane * stride;
    return true;
}

bool Request::locate_in_allocations() const {
    Site& site = *warp.site;
    const Region& region = site.region;
    auto covers = [&] { return first >= region.begin && last < region.end && region.end - last >= bytes; };
    if (!covers()) {
        const uint64_t span = last - first;
        if (span < (1ull << 48)) warp.grid->resolve(first, span + bytes, write, site.region);
        if (!covers()) return locate_one_by_one();
    }
    if (contiguous) {
        if (warp.grid->simple_rules()) {
            warp.grid->count_span(warp, first, bytes * warp_size);
        } else {
            for (int lane = 0; lane < warp_size; ++lane) memory.address[lane] = address(lane);
            warp.grid->count_global(warp, {memory.address, warp.mask, static_cast<uint32_t>(bytes)});
        }
        memory.first = region.host + (first - region.begin);
    } else {
        warp.grid->count_global(warp, {memory.address, warp.mask, static_cast<uint32_t>(bytes)});
        memory.base = reinterpret_cast<uint64_t>(region.host) - region.begin;
    }
    return true;
}

// Lanes in several allocations, or in windows of other spaces.
bool Request::locate_one_by_one() const {
    uint32_t global_lanes = 0, shared_lanes = 0, local_lanes = 0;
    uint64_t device_address[warp_size];
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const uint64_t a = device_address[lane] = address(lane);
        Region own;
        std::byte* host = warp.grid->resolve(a, bytes, write, own);
        if (host) {
            global_lanes |= 1u << lane;
        } else if (op.space == Space::generic) {
            host = warp.grid->resolve_generic(warp, lane, a, bytes, write);
            const AddressSpace& space = warp.grid->space();
            if (a >= space.shared_window() && a - space.shared_window() < warp.grid->shared_bytes()) {
                shared_lanes |= 1u << lane;
                device_address[lane] = a - space.shared_window();
            } else if (a >= space.local_window() && a - space.local_window() < warp.local_stride_bytes) {
                local_lanes |= 1u << lane;
                device_address[lane] = a - space.local_window();
            }
        }
        if (!host) return raise_illegal(lane, a);
        memory.address[lane] = reinterpret_cast<uint64_t>(host);
    }
    const auto lane_bytes = static_cast<uint32_t>(bytes);
    if (global_lanes != 0) warp.grid->count_global(warp, {device_address, global_lanes, lane_bytes});
    if (shared_lanes != 0) warp.grid->count_shared(warp, {device_address, shared_lanes, lane_bytes});
    if (local_lanes != 0) warp.grid->count_local(warp, {device_address, local_lanes, lane_bytes});
    return true;
}

}  // namespace

bool locate_lanes(Warp& warp, const Operation& op, uint64_t bytes, bool write, LaneMemory& memory) {
    Request request{warp, op, bytes, write, memory};
    if (op.address_bits == 32) request.read_addresses<uint32_t>();
    else request.read_addresses<uint64_t>();
    if (!request.aligned()) return request.raise_misaligned();
    switch (op.space) {
        case Space::shared: return request.locate_in_array(warp.block->shared.data(), warp.grid->shared_bytes(), 0);
        case Space::local: return request.locate_in_array(warp.local.data(), warp.local_stride_bytes, warp.local_stride_bytes);
        case Space::param: {   // kernels only read them
            const auto& parameters = warp.grid->launch().parameters;
            return request.locate_in_array(const_cast<std::byte*>(parameters.data()), parameters.size(), 0);
        }
        default: return request.locate_in_allocations();
    }
}

}  // namespace lanescope::machine
