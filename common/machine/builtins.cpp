// Functions that the GPU's runtime provides to kernels: printf, assert, malloc and free.
#include <bit>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "machine/device_format.h"
#include "machine/grid.h"

namespace lanescope::machine {
namespace {

template <class T>
T argument(const Warp& warp, const program::Call& call, size_t index, int lane) {
    T value{};
    const program::FrameVariable v = call.arguments.at(index);
    std::memcpy(&value, warp.frame->registers + v.frame_offset + lane * v.lane_stride_bytes, std::min<size_t>(sizeof value, v.lane_stride_bytes));
    return value;
}
template <class T>
void give_result(const Warp& warp, const program::Call& call, int lane, T value) {
    if (call.returns.empty()) return;
    const program::FrameVariable v = call.returns[0];
    std::memcpy(warp.frame->registers + v.frame_offset + lane * v.lane_stride_bytes, &value, std::min<size_t>(sizeof value, v.lane_stride_bytes));
}

}  // namespace

void Grid::builtin(Warp& warp, const program::Call& call, uint32_t mask) {
    warp.frame = warp.fragments[warp.current].frame;
    auto read_byte = [&](int lane) {
        return [this, &warp, lane](uint64_t address) -> std::optional<char> {
            Region region;
            const std::byte* host = resolve(address, 1, false, region);
            if (!host) host = resolve_generic(warp, lane, address, 1, false);
            return host ? std::optional(static_cast<char>(*host)) : std::nullopt;
        };
    };
    const size_t wanted = call.builtin == "__assertfail" ? 4 : call.builtin == "vprintf" ? 2 : call.builtin == "malloc" || call.builtin == "free" ? 1 : 0;
    if (call.arguments.size() < wanted)
        return raise(FaultKind::unsupported, warp, std::countr_zero(mask), fmt::format("a call of {} with {} arguments", call.builtin, call.arguments.size()));
    note_write();
    DeviceHeap& heap = setup_.heap;
    for (uint32_t rest = mask; rest != 0 && !fault_; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        if (call.builtin == "vprintf") {
            const DeviceMemoryReader reader{read_byte(lane)};
            const Formatted output = format_like_printf(reader, argument<uint64_t>(warp, call, 0, lane), argument<uint64_t>(warp, call, 1, lane));
            if (!output.error.empty()) return raise(FaultKind::illegal_address, warp, lane, output.error);
            setup_.print_buffer.add(output.text, 8 + 8 * output.arguments);
            give_result<int32_t>(warp, call, lane, static_cast<int32_t>(output.arguments));
        } else if (call.builtin == "malloc") {
            const auto bytes = argument<uint64_t>(warp, call, 0, lane);
            const Allocation* a = nullptr;
            if (bytes > 0 && bytes <= setup_.heap_bytes && heap.used_bytes <= setup_.heap_bytes - bytes)
                a = setup_.space.allocate({.kind = MemoryKind::device_heap, .bytes = bytes, .alignment = 16, .device = setup_.device, .name = "malloc"});
            if (a) {
                heap.blocks[a->address] = bytes;
                heap.used_bytes += bytes;
            }
            give_result<uint64_t>(warp, call, lane, a ? a->address : 0);
        } else if (call.builtin == "free") {
            const auto address = argument<uint64_t>(warp, call, 0, lane);
            if (address == 0) continue;
            const auto block = heap.blocks.find(address);
            if (block == heap.blocks.end())
                return raise(FaultKind::illegal_address, warp, lane,
                             fmt::format("free() of {:#x}, which malloc() in a kernel did not return: {}", address, space().describe(address)));
            heap.used_bytes -= block->second;
            heap.blocks.erase(block);
            setup_.space.release(address);
            forget_regions();
        } else if (call.builtin == "__assertfail") {
            const DeviceMemoryReader reader{read_byte(lane)};
            const Dim3 b = warp.block->id;
            fmt::print(stderr, "{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n", reader.text(argument<uint64_t>(warp, call, 1, lane)),
                       argument<uint32_t>(warp, call, 2, lane), reader.text(argument<uint64_t>(warp, call, 3, lane)), b.x, b.y, b.z,
                       thread_ids(warp.index, 0)[lane], thread_ids(warp.index, 1)[lane], thread_ids(warp.index, 2)[lane],
                       reader.text(argument<uint64_t>(warp, call, 0, lane)));
        } else {
            return raise(FaultKind::unsupported, warp, lane, fmt::format("the function {} is not supported", call.builtin));
        }
    }
    if (call.builtin == "__assertfail") raise(FaultKind::assertion, warp, std::countr_zero(mask), "an assertion failed");
}

}  // namespace lanescope::machine
