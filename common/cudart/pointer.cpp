// What an address is.
#include "cudart/api.h"

using namespace lanescope;
using namespace lanescope::cudart;

LANESCOPE_API cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    return call([&](Runtime& runtime) -> cudaError_t {
        if (!attributes) return cudaErrorInvalidValue;
        if (const cudaError_t error = runtime.initialize()) return error;
        void* const address = const_cast<void*>(pointer);
        *attributes = {};
        const machine::Allocation* allocation = runtime.space->find(reinterpret_cast<uint64_t>(pointer));
        if (!allocation) {
            attributes->type = cudaMemoryTypeUnregistered;
            attributes->device = cudaInvalidDeviceId;
            attributes->hostPointer = address;
            return cudaSuccess;
        }
        attributes->device = allocation->device;
        attributes->devicePointer = address;
        switch (allocation->kind) {
            case machine::MemoryKind::pinned:
            case machine::MemoryKind::registered:
                attributes->type = cudaMemoryTypeHost;
                attributes->hostPointer = address;
                break;
            case machine::MemoryKind::managed:
                attributes->type = cudaMemoryTypeManaged;
                attributes->hostPointer = address;
                break;
            default:
                attributes->type = cudaMemoryTypeDevice;
        }
        return cudaSuccess;
    });
}
