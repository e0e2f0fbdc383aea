// Hints about managed memory. They are checked as CUDA checks them, remembered for cudaMemRangeGetAttribute, and change
// where the modelled clock believes the pages. The simulator keeps one copy of managed memory.
#include <map>

#include "cudart/api.h"
#include "timing/copy_time.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace {

// What a program advised for an allocation, by its serial number.
struct Advice {
    bool read_mostly = false;
    int preferred_location = cudaInvalidDeviceId;
    uint32_t accessed_by = 0;  // bit d: device d
    bool accessed_by_host = false;
    int last_prefetch = cudaInvalidDeviceId;
};

std::map<uint64_t, Advice>& advice() {
    static auto* const all = new std::map<uint64_t, Advice>;
    return *all;
}

// The managed allocation that holds the whole range; nullptr if none does.
const machine::Allocation* managed_range(const Runtime& runtime, const void* pointer, size_t bytes) {
    const uint64_t address = reinterpret_cast<uint64_t>(pointer);
    const machine::Allocation* allocation = runtime.space->find(address);
    const bool whole = allocation && allocation->kind == machine::MemoryKind::managed && bytes > 0 &&
                       allocation->contains(address, bytes);
    return whole ? allocation : nullptr;
}

// `location` is a device or cudaCpuDeviceId.
cudaError_t check_location(Runtime& runtime, int location) {
    Context* context = nullptr;
    return location == cudaCpuDeviceId ? cudaSuccess : runtime.context_of(location, context);
}

// Pages come to a device at the rate of the link. On their way to the host they go one after the other.
Performed time_of_prefetch(uint64_t bytes, bool to_device, const timing::Costs& costs) {
    if (bytes == 0) return {0, Engine::to_device};
    if (to_device)
        return {timing::copy_seconds({.bytes = bytes, .way = timing::CopyWay::to_device, .pinned = true}, costs),
                Engine::to_device};
    return {costs.copy_setup_seconds + static_cast<double>(bytes) / costs.migration_bytes_per_second,
            Engine::from_device};
}

cudaError_t prefetch(cudaStream_t handle, const void* pointer, size_t bytes, int location) {
    return stream_call(handle, [&](Stream& stream) -> cudaError_t {
        Runtime& runtime = stream.context->runtime;
        const machine::Allocation* allocation = managed_range(runtime, pointer, bytes);
        if (!allocation) return cudaErrorInvalidValue;
        if (const cudaError_t error = check_location(runtime, location)) return error;
        if (!stream.context->gpu().concurrent_managed_access) return cudaErrorInvalidDevice;
        advice()[allocation->serial].last_prefetch = location;
        if (stream.capture) return cudaSuccess;
        const bool to_device = location != cudaCpuDeviceId;
        const int to = to_device ? location : machine::ManagedPages::at_host;
        Context* const context = stream.context;
        const uint64_t address = reinterpret_cast<uint64_t>(pointer);
        runtime.queue.submit(stream, {.kind = OperationKind::copy, .name = "cudaMemPrefetchAsync", .run = [=] {
                                          machine::AddressSpace& space = *context->runtime.space;
                                          const uint64_t moved = space.managed_pages().move(address, bytes, to);
                                          const timing::Costs& costs = context->device.costs();
                                          context->performed = time_of_prefetch(moved, to_device, costs);
                                          return cudaSuccess;
                                      }});
        return cudaSuccess;
    });
}

cudaError_t advise(const void* pointer, size_t bytes, cudaMemoryAdvise what, int location) {
    return device_call([&](Context& context) -> cudaError_t {
        const machine::Allocation* allocation = managed_range(context.runtime, pointer, bytes);
        if (!allocation) return cudaErrorInvalidValue;
        Advice& now = advice()[allocation->serial];
        const bool uses_location = what == cudaMemAdviseSetPreferredLocation || what == cudaMemAdviseSetAccessedBy ||
                                   what == cudaMemAdviseUnsetAccessedBy;
        if (uses_location) {
            if (const cudaError_t error = check_location(context.runtime, location)) return error;
        }
        const uint32_t bit = location < 0 ? 0 : 1u << location;
        auto* const pages = context.runtime.space->managed_pages().find(allocation->address);
        switch (what) {
            case cudaMemAdviseSetReadMostly:
                now.read_mostly = true;
                return cudaSuccess;
            case cudaMemAdviseUnsetReadMostly:
                now.read_mostly = false;
                return cudaSuccess;
            case cudaMemAdviseSetPreferredLocation:
                now.preferred_location = location;
                pages->stays_at_host = location == cudaCpuDeviceId;
                return cudaSuccess;
            case cudaMemAdviseUnsetPreferredLocation:
                now.preferred_location = cudaInvalidDeviceId;
                pages->stays_at_host = false;
                return cudaSuccess;
            case cudaMemAdviseSetAccessedBy:
                now.accessed_by |= bit;
                now.accessed_by_host |= location == cudaCpuDeviceId;
                return cudaSuccess;
            case cudaMemAdviseUnsetAccessedBy:
                now.accessed_by &= ~bit;
                now.accessed_by_host &= location != cudaCpuDeviceId;
                return cudaSuccess;
        }
        return cudaErrorInvalidValue;
    });
}

// Device numbers that fill `count` ints, padded with cudaInvalidDeviceId.
void list_accessed_by(const Advice& advice, int* devices, size_t count) {
    size_t next = 0;
    if (advice.accessed_by_host && next < count) devices[next++] = cudaCpuDeviceId;
    for (int device = 0; device < 32 && next < count; ++device) {
        if (advice.accessed_by >> device & 1) devices[next++] = device;
    }
    while (next < count) devices[next++] = cudaInvalidDeviceId;
}

cudaError_t range_attribute(const Runtime& runtime, void* data, size_t data_bytes, cudaMemRangeAttribute attribute,
                            const void* pointer, size_t bytes) {
    const machine::Allocation* allocation = managed_range(runtime, pointer, bytes);
    if (!allocation || !data || data_bytes % sizeof(int) != 0 || data_bytes == 0) return cudaErrorInvalidValue;
    const Advice now = advice()[allocation->serial];
    int* const value = static_cast<int*>(data);
    if (attribute == cudaMemRangeAttributeAccessedBy) {
        list_accessed_by(now, value, data_bytes / sizeof(int));
        return cudaSuccess;
    }
    if (data_bytes != sizeof(int)) return cudaErrorInvalidValue;
    switch (attribute) {
        case cudaMemRangeAttributeReadMostly:
            *value = now.read_mostly;
            return cudaSuccess;
        case cudaMemRangeAttributePreferredLocation:
            *value = now.preferred_location;
            return cudaSuccess;
        case cudaMemRangeAttributeLastPrefetchLocation:
            *value = now.last_prefetch;
            return cudaSuccess;
        default:
            return cudaErrorInvalidValue;
    }
}

#if CUDART_VERSION >= 12020
// NUMA nodes are the host; a location that is nothing is no device.
int device_of(const cudaMemLocation& location) {
    if (location.type == cudaMemLocationTypeDevice) return location.id < 0 ? cudaInvalidDeviceId : location.id;
    return location.type == cudaMemLocationTypeInvalid ? cudaInvalidDeviceId : cudaCpuDeviceId;
}
#endif

}  // namespace

#if CUDART_VERSION >= 13000
LANESCOPE_API cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location, unsigned flags,
                                   cudaStream_t stream) {
    if (flags != 0) return remember(cudaErrorInvalidValue);
    return prefetch(stream, pointer, bytes, device_of(location));
}

LANESCOPE_API cudaMemPrefetchAsync_ptsz(const void* pointer, size_t bytes, cudaMemLocation location, unsigned flags,
                                        cudaStream_t stream) {
    return cudaMemPrefetchAsync(pointer, bytes, location, flags, per_thread(stream));
}

LANESCOPE_API cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise what, cudaMemLocation location) {
    return advise(pointer, bytes, what, device_of(location));
}
#else
LANESCOPE_API cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream) {
    return prefetch(stream, pointer, bytes, device);
}

LANESCOPE_API cudaMemPrefetchAsync_ptsz(const void* pointer, size_t bytes, int device, cudaStream_t stream) {
    return prefetch(per_thread(stream), pointer, bytes, device);
}

LANESCOPE_API cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise what, int device) {
    return advise(pointer, bytes, what, device);
}

#if CUDART_VERSION >= 12020
LANESCOPE_API cudaMemPrefetchAsync_v2(const void* pointer, size_t bytes, cudaMemLocation location, unsigned flags,
                                      cudaStream_t stream) {
    if (flags != 0) return remember(cudaErrorInvalidValue);
    return prefetch(stream, pointer, bytes, device_of(location));
}

LANESCOPE_API cudaMemPrefetchAsync_v2_ptsz(const void* pointer, size_t bytes, cudaMemLocation location, unsigned flags,
                                           cudaStream_t stream) {
    return cudaMemPrefetchAsync_v2(pointer, bytes, location, flags, per_thread(stream));
}

LANESCOPE_API cudaMemAdvise_v2(const void* pointer, size_t bytes, cudaMemoryAdvise what, cudaMemLocation location) {
    return advise(pointer, bytes, what, device_of(location));
}
#endif
#endif

LANESCOPE_API cudaMemRangeGetAttribute(void* data, size_t data_bytes, cudaMemRangeAttribute attribute,
                                       const void* pointer, size_t bytes) {
    return device_call([&](Context& context) {
        return range_attribute(context.runtime, data, data_bytes, attribute, pointer, bytes);
    });
}

LANESCOPE_API cudaMemRangeGetAttributes(void** data, size_t* data_bytes, cudaMemRangeAttribute* attributes,
                                        size_t count, const void* pointer, size_t bytes) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!data || !data_bytes || !attributes || count == 0) return cudaErrorInvalidValue;
        for (size_t i = 0; i < count; ++i) {
            if (const cudaError_t error =
                    range_attribute(context.runtime, data[i], data_bytes[i], attributes[i], pointer, bytes)) {
                return error;
            }
        }
        return cudaSuccess;
    });
}
