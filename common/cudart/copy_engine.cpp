#include "cudart/copy_engine.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "cudart/enqueue.h"
#include "cudart/runtime.h"

namespace lanescope::cudart {

namespace {

uint64_t address_of(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

// Bytes from the first to the last that a region's rows touch. Saturates.
uint64_t span_bytes(const Region& region, size_t width_bytes, size_t height, size_t depth) {
    const __uint128_t span = static_cast<__uint128_t>(depth - 1) * region.slice_bytes +
                             static_cast<__uint128_t>(height - 1) * region.pitch_bytes + width_bytes;
    return span > UINT64_MAX ? UINT64_MAX : static_cast<uint64_t>(span);
}

bool within_allocation(const machine::AddressSpace& space, const Region& region, uint64_t bytes) {
    const machine::Allocation* allocation = space.find(address_of(region.pointer));
    return !allocation || allocation->contains(address_of(region.pointer), bytes);
}

// Where the bytes are for the simulator. Host memory is where the program says it is.
std::byte* bytes_at(const machine::AddressSpace& space, void* pointer) {
    const machine::Allocation* allocation = space.find(address_of(pointer));
    if (!allocation) return static_cast<std::byte*>(pointer);
    return allocation->host + (address_of(pointer) - allocation->address);
}

bool still_there(const machine::AddressSpace& space, const Region& region, uint64_t bytes, const char* call) {
    if (place_of(space, region.pointer) != Place::invalid && within_allocation(space, region, bytes)) return true;
    say(std::string(call) +
        ": the memory was freed before the operation ran: " + space.describe(address_of(region.pointer)));
    return false;
}

bool is_device_only(Place place) { return place == Place::device; }
bool is_host_only(Place place) { return place == Place::pageable || place == Place::host; }

// Takes the source's bytes now, so that the program may change them before the copy runs.
Operation staged_operation_for(const Stream& stream, const Copy& copy) {
    auto bytes = std::make_shared<std::vector<std::byte>>(copy.bytes());
    Copy gather = copy;
    gather.to = {bytes->data(), copy.width_bytes, copy.width_bytes * copy.height};
    const machine::AddressSpace* space = stream.context->runtime.space.get();
    perform(*space, gather);
    Copy scatter = copy;
    scatter.from = gather.to;
    Context* const context = stream.context;
    const Performed performed{timing::copy_seconds(shape_of(*space, copy), context->device.costs()), Engine::to_device};
    return {.kind = OperationKind::copy,
            .name = copy.call,
            .run = [space, scatter, bytes, context, performed] {   // the copy keeps the bytes
                context->performed = performed;
                return perform(*space, scatter);
            },
            .staged_bytes = copy.bytes()};
}

}  // namespace

Place place_of(const machine::AddressSpace& space, const void* pointer) {
    const machine::Allocation* allocation = space.find(address_of(pointer));
    if (!allocation) return space.is_reserved(address_of(pointer)) ? Place::invalid : Place::pageable;
    switch (allocation->kind) {
        case machine::MemoryKind::pinned:
        case machine::MemoryKind::registered:
            return Place::host;
        case machine::MemoryKind::managed:
            return Place::managed;
        default:
            return Place::device;
    }
}

// With one address space CUDA knows where both pointers lead, and the kind only has to be possible:
// a side that it calls the device must not be ordinary host memory. (Read on an H200.)
cudaError_t check(const machine::AddressSpace& space, const Copy& copy) {
    if (copy.empty()) return cudaSuccess;
    if (copy.kind < cudaMemcpyHostToHost || copy.kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (!copy.to.pointer || !copy.from.pointer) return cudaErrorInvalidValue;
    if (copy.height > 1 && (copy.to.pitch_bytes < copy.width_bytes || copy.from.pitch_bytes < copy.width_bytes)) {
        return cudaErrorInvalidPitchValue;
    }
    const Place to = place_of(space, copy.to.pointer), from = place_of(space, copy.from.pointer);
    if (to == Place::invalid || from == Place::invalid) return cudaErrorInvalidValue;
    const bool to_device = copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyDeviceToDevice;
    const bool from_device = copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyDeviceToDevice;
    if ((to_device && to == Place::pageable) || (from_device && from == Place::pageable)) return cudaErrorInvalidValue;
    const uint64_t to_bytes = span_bytes(copy.to, copy.width_bytes, copy.height, copy.depth);
    const uint64_t from_bytes = span_bytes(copy.from, copy.width_bytes, copy.height, copy.depth);
    if (!within_allocation(space, copy.to, to_bytes) || !within_allocation(space, copy.from, from_bytes)) {
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

cudaError_t check(const machine::AddressSpace& space, const Fill& fill) {
    if (fill.empty()) return cudaSuccess;
    if (!fill.to.pointer) return cudaErrorInvalidValue;
    if (fill.element_bytes != 1 && fill.element_bytes != 2 && fill.element_bytes != 4) return cudaErrorInvalidValue;
    if (fill.height > 1 && fill.to.pitch_bytes < fill.width_bytes()) return cudaErrorInvalidValue;
    const Place to = place_of(space, fill.to.pointer);
    if (to == Place::invalid || to == Place::pageable) return cudaErrorInvalidValue;
    const uint64_t bytes = span_bytes(fill.to, fill.width_bytes(), fill.height, fill.depth);
    return within_allocation(space, fill.to, bytes) ? cudaSuccess : cudaErrorInvalidValue;
}

namespace {

void note_copied_bytes(const machine::AddressSpace& space, const Copy& copy) {
    Counting& counting = Runtime::instance().counting;
    if (!counting.active) return;
    const bool from_device = place_of(space, copy.from.pointer) == Place::device;
    const bool to_device = place_of(space, copy.to.pointer) == Place::device;
    if (to_device && !from_device) counting.copied_to_device_bytes += copy.bytes();
    if (from_device && !to_device) counting.copied_to_host_bytes += copy.bytes();
}

}  // namespace

timing::CopyShape shape_of(const machine::AddressSpace& space, const Copy& copy) {
    const Place to = place_of(space, copy.to.pointer), from = place_of(space, copy.from.pointer);
    const auto on_device = [](Place place) { return place == Place::device || place == Place::managed; };
    const Place host = on_device(to) ? from : to;
    timing::CopyShape shape{.bytes = copy.bytes(), .pinned = host == Place::host};
    shape.way = on_device(to) ? on_device(from) ? timing::CopyWay::within_device : timing::CopyWay::to_device
                              : on_device(from) ? timing::CopyWay::from_device : timing::CopyWay::within_host;
    return shape;
}

cudaError_t perform(const machine::AddressSpace& space, const Copy& copy) {
    if (copy.empty()) return cudaSuccess;
    const uint64_t to_bytes = span_bytes(copy.to, copy.width_bytes, copy.height, copy.depth);
    const uint64_t from_bytes = span_bytes(copy.from, copy.width_bytes, copy.height, copy.depth);
    if (!still_there(space, copy.to, to_bytes, copy.call) || !still_there(space, copy.from, from_bytes, copy.call)) {
        return cudaErrorIllegalAddress;
    }
    note_copied_bytes(space, copy);
    std::byte* const to = bytes_at(space, copy.to.pointer);
    const std::byte* const from = bytes_at(space, copy.from.pointer);
    for (size_t z = 0; z < copy.depth; ++z) {
        for (size_t y = 0; y < copy.height; ++y) {
            std::memmove(to + z * copy.to.slice_bytes + y * copy.to.pitch_bytes,
                         from + z * copy.from.slice_bytes + y * copy.from.pitch_bytes, copy.width_bytes);
        }
    }
    return cudaSuccess;
}

cudaError_t perform(const machine::AddressSpace& space, const Fill& fill) {
    if (fill.empty()) return cudaSuccess;
    const uint64_t bytes = span_bytes(fill.to, fill.width_bytes(), fill.height, fill.depth);
    if (!still_there(space, fill.to, bytes, fill.call)) return cudaErrorIllegalAddress;
    std::byte* const to = bytes_at(space, fill.to.pointer);
    for (size_t z = 0; z < fill.depth; ++z) {
        for (size_t y = 0; y < fill.height; ++y) {
            std::byte* const row = to + z * fill.to.slice_bytes + y * fill.to.pitch_bytes;
            if (fill.element_bytes == 1) {
                std::memset(row, static_cast<int>(fill.value), fill.width);
                continue;
            }
            for (size_t x = 0; x < fill.width; ++x) {  // little endian: the low bytes come first
                std::memcpy(row + x * fill.element_bytes, &fill.value, fill.element_bytes);
            }
        }
    }
    return cudaSuccess;
}

cudaError_t copy_blocking(Stream& stream, const Copy& copy) {
    const machine::AddressSpace& space = *stream.context->runtime.space;
    if (const cudaError_t error = check(space, copy)) return error;
    if (copy.empty()) return cudaSuccess;
    if (stream.capture) return cudaErrorStreamCaptureUnsupported;
    if (is_device_only(place_of(space, copy.to.pointer)) && is_device_only(place_of(space, copy.from.pointer))) {
        enqueue(stream, copy);
        return cudaSuccess;
    }
    return run_now(stream, copy);
}

cudaError_t copy_async(Stream& stream, const Copy& copy) {
    const machine::AddressSpace& space = *stream.context->runtime.space;
    if (const cudaError_t error = check(space, copy)) return error;
    if (copy.empty()) return cudaSuccess;
    const Place to = place_of(space, copy.to.pointer), from = place_of(space, copy.from.pointer);
    const bool staged = from == Place::pageable;
    if (!stream.capture) {
        if (to == Place::pageable || (is_host_only(to) && is_host_only(from)) ||
            (staged && copy.bytes() > WorkQueue::max_staged_bytes)) {
            return run_now(stream, copy);
        }
        if (staged) {
            stream.context->runtime.queue.submit(stream, staged_operation_for(stream, copy));
            return cudaSuccess;
        }
    }
    enqueue(stream, copy);
    return cudaSuccess;
}

cudaError_t fill_blocking(Stream& stream, const Fill& fill) {
    const machine::AddressSpace& space = *stream.context->runtime.space;
    if (const cudaError_t error = check(space, fill)) return error;
    if (fill.empty()) return cudaSuccess;
    if (stream.capture) return cudaErrorStreamCaptureUnsupported;
    if (!is_device_only(place_of(space, fill.to.pointer))) return run_now(stream, fill);
    enqueue(stream, fill);
    return cudaSuccess;
}

cudaError_t fill_async(Stream& stream, const Fill& fill) {
    const machine::AddressSpace& space = *stream.context->runtime.space;
    if (const cudaError_t error = check(space, fill)) return error;
    if (!fill.empty()) enqueue(stream, fill);
    return cudaSuccess;
}

}  // namespace lanescope::cudart
