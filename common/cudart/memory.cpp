// Device and managed memory: allocation, release, how much there is.
#include "cudart/api.h"
#include "cudart/enqueue.h"
#include "cudart/memory_flags.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace {

constexpr size_t pitch_unit_bytes = 512;  // as measured on an H200

size_t round_up_to_pitch(size_t bytes) { return (bytes + pitch_unit_bytes - 1) / pitch_unit_bytes * pitch_unit_bytes; }

cudaError_t allocate_device(Context& context, void** pointer, size_t bytes, const char* call) {
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    const machine::Allocation* allocation = context.allocate(machine::MemoryKind::device, bytes, call);
    if (!allocation) return cudaErrorMemoryAllocation;
    *pointer = reinterpret_cast<void*>(allocation->address);
    return cudaSuccess;
}

}  // namespace

LANESCOPE_API cudaMalloc(void** pointer, size_t bytes) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!pointer) return cudaErrorInvalidValue;
        return allocate_device(context, pointer, bytes, "cudaMalloc");
    });
}

LANESCOPE_API cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!pointer || !pitch) return cudaErrorInvalidValue;
        *pitch = round_up_to_pitch(width);
        if (*pitch < width || (height > 0 && *pitch > SIZE_MAX / height)) return cudaErrorMemoryAllocation;
        return allocate_device(context, pointer, *pitch * height, "cudaMallocPitch");
    });
}

LANESCOPE_API cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!pitched) return cudaErrorInvalidValue;
        *pitched = {nullptr, round_up_to_pitch(extent.width), extent.width, extent.height};
        const __uint128_t bytes = static_cast<__uint128_t>(pitched->pitch) * extent.height * extent.depth;
        if (pitched->pitch < extent.width || bytes > SIZE_MAX) return cudaErrorMemoryAllocation;
        return allocate_device(context, &pitched->ptr, static_cast<size_t>(bytes), "cudaMalloc3D");
    });
}

LANESCOPE_API cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!pointer || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) return cudaErrorInvalidValue;
        *pointer = nullptr;
        if (bytes == 0) return cudaSuccess;
        const machine::Allocation* allocation =
            context.allocate(machine::MemoryKind::managed, bytes, "cudaMallocManaged", flags | allocated_by_program);
        if (!allocation) return cudaErrorMemoryAllocation;
        *pointer = reinterpret_cast<void*>(allocation->address);
        return cudaSuccess;
    });
}

// Waits for all work of the device first, as CUDA does.
LANESCOPE_API cudaFree(void* pointer) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!pointer) return cudaSuccess;
        machine::AddressSpace& space = *context.runtime.space;
        const machine::Allocation* allocation = space.find(reinterpret_cast<uint64_t>(pointer));
        if (!allocation || allocation->address != reinterpret_cast<uint64_t>(pointer) || !is_freeable(*allocation)) {
            return cudaErrorInvalidValue;
        }
        Context& owner = *context.runtime.contexts[allocation->device];
        owner.synchronize();
        if (owner.error) return owner.error;
        release(context.runtime, *allocation);
        return cudaSuccess;
    });
}

LANESCOPE_API cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
    return device_call([&](Context& context) {
        if (free_bytes) *free_bytes = context.free_bytes();
        if (total_bytes) *total_bytes = static_cast<size_t>(context.gpu().memory_bytes);
        return cudaSuccess;
    });
}
