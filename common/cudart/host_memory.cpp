// Pinned, mapped and registered host memory. Under unified addressing all of it is mapped, and the
// device's pointer is the host's.
#include "cudart/api.h"
#include "cudart/memory_flags.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace {

constexpr unsigned alloc_flags = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned register_flags =
    cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;

uint64_t address_of(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

bool is_host(const machine::Allocation& allocation) {
    return allocation.kind == machine::MemoryKind::pinned || allocation.kind == machine::MemoryKind::registered;
}

cudaError_t allocate_pinned(Context& context, void** pointer, size_t bytes, unsigned flags, const char* call) {
    if (!pointer || (flags & ~alloc_flags)) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    const machine::Allocation* allocation =
        context.allocate(machine::MemoryKind::pinned, bytes, call, flags | cudaHostAllocMapped);
    if (!allocation) return cudaErrorMemoryAllocation;
    *pointer = reinterpret_cast<void*>(allocation->address);
    return cudaSuccess;
}

// Any device may use host memory, so all must have finished before it goes.
cudaError_t synchronize_all(Runtime& runtime) {
    cudaError_t error = cudaSuccess;
    for (const auto& context : runtime.contexts) {
        context->synchronize();
        if (context->error) error = context->error;
    }
    return error;
}

// The allocation that overlaps [pointer, pointer + bytes), if any.
const machine::Allocation* overlapping(const machine::AddressSpace& space, const void* pointer, size_t bytes) {
    const machine::Allocation* allocation = space.find(address_of(pointer));
    if (allocation) return allocation;
    const auto next = space.live().lower_bound(address_of(pointer));
    return next != space.live().end() && next->first - address_of(pointer) < bytes ? next->second.get() : nullptr;
}

}  // namespace

LANESCOPE_API cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
    return device_call(
        [&](Context& context) { return allocate_pinned(context, pointer, bytes, flags, "cudaHostAlloc"); });
}

LANESCOPE_API cudaMallocHost(void** pointer, size_t bytes) {
    return device_call([&](Context& context) {
        return allocate_pinned(context, pointer, bytes, cudaHostAllocDefault, "cudaMallocHost");
    });
}

LANESCOPE_API cudaFreeHost(void* pointer) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!pointer) return cudaSuccess;
        const machine::Allocation* allocation = context.runtime.space->find(address_of(pointer));
        if (!allocation || allocation->address != address_of(pointer) ||
            allocation->kind != machine::MemoryKind::pinned) {
            return cudaErrorInvalidValue;
        }
        const cudaError_t error = synchronize_all(context.runtime);
        release(context.runtime, *allocation);
        return error;
    });
}

LANESCOPE_API cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!pointer || bytes == 0 || (flags & ~register_flags)) return cudaErrorInvalidValue;
        machine::AddressSpace& space = *context.runtime.space;
        if (const machine::Allocation* other = overlapping(space, pointer, bytes)) {
            return other->kind == machine::MemoryKind::registered ? cudaErrorHostMemoryAlreadyRegistered
                                                                  : cudaErrorInvalidValue;
        }
        if (space.is_reserved(address_of(pointer))) return cudaErrorInvalidValue;
        const uint32_t all_devices = (uint64_t{1} << context.runtime.contexts.size()) - 1;
        return space.adopt(pointer, bytes, flags | cudaHostRegisterMapped, all_devices) ? cudaSuccess
                                                                                        : cudaErrorInvalidValue;
    });
}

LANESCOPE_API cudaHostUnregister(void* pointer) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!pointer) return cudaErrorInvalidValue;
        const machine::Allocation* allocation = context.runtime.space->find(address_of(pointer));
        if (!allocation) return cudaErrorHostMemoryNotRegistered;
        if (allocation->kind != machine::MemoryKind::registered || allocation->address != address_of(pointer)) {
            return cudaErrorInvalidValue;
        }
        const cudaError_t error = synchronize_all(context.runtime);
        release(context.runtime, *allocation);
        return error;
    });
}

LANESCOPE_API cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned flags) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!device_pointer || !host_pointer || flags != 0) return cudaErrorInvalidValue;
        const machine::Allocation* allocation = context.runtime.space->find(address_of(host_pointer));
        if (!allocation || !is_host(*allocation)) return cudaErrorInvalidValue;
        *device_pointer = host_pointer;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaHostGetFlags(unsigned* flags, void* host_pointer) {
    return device_call([&](Context& context) -> cudaError_t {
        const machine::Allocation* allocation = context.runtime.space->find(address_of(host_pointer));
        if (!flags || !allocation || !is_host(*allocation)) return cudaErrorInvalidValue;
        *flags = allocation->flags;
        return cudaSuccess;
    });
}
