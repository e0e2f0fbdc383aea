// Stream-ordered allocation. Memory is taken when it is asked for and given back when the stream
// reaches the release; pools account for it and keep nothing back.
#include <algorithm>

#include "cudart/api.h"
#include "cudart/memory_flags.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace {

constexpr uint64_t reservation_bytes = 32 << 20;  // pools grow in steps of this, as measured on an H200

uint64_t reserved(uint64_t used_bytes) {
    return (used_bytes + reservation_bytes - 1) / reservation_bytes * reservation_bytes;
}

cudaError_t refuse_in_capture(const char* call) {
    say(std::string(call) + " in a captured stream is not supported by the simulated GPU");
    return cudaErrorNotSupported;
}

cudaError_t allocate(Stream& stream, void** pointer, size_t bytes, MemoryPool& pool) {
    if (!pointer) return cudaErrorInvalidValue;
    if (stream.capture) return refuse_in_capture("cudaMallocAsync");
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (pool.max_bytes && pool.used_bytes + bytes > pool.max_bytes) return cudaErrorMemoryAllocation;
    Context& owner = *pool.context;
    const machine::Allocation* allocation = owner.allocate(machine::MemoryKind::device, bytes, "cudaMallocAsync");
    if (!allocation) return cudaErrorMemoryAllocation;
    owner.pool_of[allocation->address] = &pool;
    pool.used_bytes += bytes;
    pool.used_high_bytes = std::max(pool.used_high_bytes, pool.used_bytes);
    for (const auto& [device, access] : pool.access) {
        if (access == cudaMemAccessFlagsProtNone) continue;
        owner.runtime.space->find(allocation->address)->device_mask |= 1u << device;
    }
    *pointer = reinterpret_cast<void*>(allocation->address);
    return cudaSuccess;
}

cudaError_t free_in_order(Stream& stream, void* pointer) {
    if (!pointer) return cudaSuccess;
    if (stream.capture) return refuse_in_capture("cudaFreeAsync");
    Runtime& runtime = stream.context->runtime;
    const uint64_t address = reinterpret_cast<uint64_t>(pointer);
    machine::Allocation* allocation = runtime.space->find(address);
    if (!allocation || allocation->address != address || !is_freeable(*allocation)) return cudaErrorInvalidValue;
    allocation->flags |= free_queued;
    const uint64_t serial = allocation->serial;
    runtime.queue.submit(stream, {.kind = OperationKind::allocation, .name = "cudaFreeAsync", .run = [=, &runtime] {
                                      const machine::Allocation* live = runtime.space->find(address);
                                      if (live && live->serial == serial) release(runtime, *live);
                                      return cudaSuccess;
                                  }});
    return cudaSuccess;
}

template <class Body>
cudaError_t pool_call(cudaMemPool_t handle, Body&& body) {
    return device_call([&](Context& context) -> cudaError_t {
        MemoryPool* pool = context.runtime.pool(handle);
        return pool ? body(context.runtime, *pool) : cudaErrorInvalidValue;
    });
}

template <class Body>
cudaError_t any_device_call(int device, Body&& body) {
    return call([&](Runtime& runtime) {
        Context* context = nullptr;
        if (const cudaError_t error = runtime.context_of(device, context)) return error;
        return body(*context);
    });
}

}  // namespace

LANESCOPE_API cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
    return stream_call(stream,
                       [&](Stream& stream) { return allocate(stream, pointer, bytes, *stream.context->current_pool); });
}

LANESCOPE_API cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t handle, cudaStream_t stream) {
    return stream_call(stream, [&](Stream& stream) -> cudaError_t {
        MemoryPool* pool = stream.context->runtime.pool(handle);
        return pool ? allocate(stream, pointer, bytes, *pool) : cudaErrorInvalidValue;
    });
}

LANESCOPE_API cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return stream_call(stream, [&](Stream& stream) { return free_in_order(stream, pointer); });
}

LANESCOPE_API cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return any_device_call(device, [&](Context& context) -> cudaError_t {
        if (!pool) return cudaErrorInvalidValue;
        *pool = &context.default_pool;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return any_device_call(device, [&](Context& context) -> cudaError_t {
        if (!pool) return cudaErrorInvalidValue;
        *pool = context.current_pool;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
    return any_device_call(device, [&](Context& context) -> cudaError_t {
        MemoryPool* pool = context.runtime.pool(handle);
        if (!pool || pool->context != &context) return cudaErrorInvalidValue;
        context.current_pool = pool;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaMemPoolCreate(cudaMemPool_t* handle, const cudaMemPoolProps* properties) {
    return call([&](Runtime& runtime) -> cudaError_t {
        if (!handle || !properties || properties->allocType != cudaMemAllocationTypePinned)
            return cudaErrorInvalidValue;
        if (properties->location.type != cudaMemLocationTypeDevice ||
            properties->handleTypes != cudaMemHandleTypeNone) {
            say("memory pools on the host or shared between processes are not supported by the simulated GPU");
            return cudaErrorNotSupported;
        }
        Context* context = nullptr;
        if (const cudaError_t error = runtime.context_of(properties->location.id, context)) return error;
        auto pool = std::make_unique<MemoryPool>();
        pool->context = context;
        if constexpr (requires { properties->maxSize; }) pool->max_bytes = properties->maxSize;
        *handle = pool.get();
        context->pools.push_back(std::move(pool));
        return cudaSuccess;
    });
}

// Its allocations stay; they are counted by nobody from now on.
LANESCOPE_API cudaMemPoolDestroy(cudaMemPool_t handle) {
    return pool_call(handle, [](Runtime&, MemoryPool& pool) -> cudaError_t {
        if (pool.is_default) return cudaErrorInvalidValue;
        Context& context = *pool.context;
        std::erase_if(context.pool_of, [&](const auto& entry) { return entry.second == &pool; });
        if (context.current_pool == &pool) context.current_pool = &context.default_pool;
        std::erase_if(context.pools, [&](const auto& other) { return other.get() == &pool; });
        return cudaSuccess;
    });
}

LANESCOPE_API cudaMemPoolTrimTo(cudaMemPool_t handle, size_t) {
    return pool_call(handle, [](Runtime&, MemoryPool&) { return cudaSuccess; });
}

LANESCOPE_API cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
    return pool_call(handle, [&](Runtime&, const MemoryPool& pool) -> cudaError_t {
        if (!value) return cudaErrorInvalidValue;
        const auto set_number = [&](uint64_t number) {
            *static_cast<uint64_t*>(value) = number;
            return cudaSuccess;
        };
        switch (attribute) {
            case cudaMemPoolReuseFollowEventDependencies:
            case cudaMemPoolReuseAllowOpportunistic:
            case cudaMemPoolReuseAllowInternalDependencies:
                *static_cast<int*>(value) = pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
                return cudaSuccess;
            case cudaMemPoolAttrReleaseThreshold:
                return set_number(pool.release_threshold_bytes);
            case cudaMemPoolAttrReservedMemCurrent:
                return set_number(reserved(pool.used_bytes));
            case cudaMemPoolAttrReservedMemHigh:
                return set_number(reserved(pool.used_high_bytes));
            case cudaMemPoolAttrUsedMemCurrent:
                return set_number(pool.used_bytes);
            case cudaMemPoolAttrUsedMemHigh:
                return set_number(pool.used_high_bytes);
            default:
                return cudaErrorInvalidValue;
        }
    });
}

// The high-water marks can only be reset, to 0.
LANESCOPE_API cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
    return pool_call(handle, [&](Runtime&, MemoryPool& pool) -> cudaError_t {
        if (!value) return cudaErrorInvalidValue;
        switch (attribute) {
            case cudaMemPoolReuseFollowEventDependencies:
            case cudaMemPoolReuseAllowOpportunistic:
            case cudaMemPoolReuseAllowInternalDependencies:
                pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies] = *static_cast<int*>(value);
                return cudaSuccess;
            case cudaMemPoolAttrReleaseThreshold:
                pool.release_threshold_bytes = *static_cast<uint64_t*>(value);
                return cudaSuccess;
            case cudaMemPoolAttrReservedMemHigh:
            case cudaMemPoolAttrUsedMemHigh:
                if (*static_cast<uint64_t*>(value) != 0) return cudaErrorInvalidValue;
                pool.used_high_bytes = pool.used_bytes;
                return cudaSuccess;
            default:
                return cudaErrorInvalidValue;
        }
    });
}

LANESCOPE_API cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc* descriptions, size_t count) {
    return pool_call(handle, [&](Runtime& runtime, MemoryPool& pool) -> cudaError_t {
        if (!descriptions && count > 0) return cudaErrorInvalidValue;
        for (size_t i = 0; i < count; ++i) {
            const cudaMemAccessDesc& description = descriptions[i];
            if (description.location.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
            Context* context = nullptr;
            if (const cudaError_t error = runtime.context_of(description.location.id, context)) return error;
            if (context == pool.context) {
                if (description.flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidValue;
                continue;
            }
            pool.access[context->index()] = description.flags;
            const uint32_t bit = 1u << context->index();
            for (const auto& [address, owner] : pool.context->pool_of) {
                if (owner != &pool) continue;
                uint32_t& mask = runtime.space->find(address)->device_mask;
                mask = description.flags == cudaMemAccessFlagsProtNone ? mask & ~bit : mask | bit;
            }
        }
        return cudaSuccess;
    });
}

LANESCOPE_API cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle, cudaMemLocation* location) {
    return pool_call(handle, [&](Runtime& runtime, const MemoryPool& pool) -> cudaError_t {
        if (!flags || !location || location->type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
        Context* context = nullptr;
        if (const cudaError_t error = runtime.context_of(location->id, context)) return error;
        const auto position = pool.access.find(context->index());
        *flags = context == pool.context         ? cudaMemAccessFlagsProtReadWrite
                 : position == pool.access.end() ? cudaMemAccessFlagsProtNone
                                                 : position->second;
        return cudaSuccess;
    });
}
