// Access of one device to another's memory. Every pair of simulated devices can have it.
#include "cudart/api.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace {

// Lets kernels of `context` into the memory of `peer`, or keeps them out.
void set_access(Context& context, const Context& peer, bool allowed) {
    const uint32_t self = 1u << context.index();
    for (const auto& [address, live] : context.runtime.space->live()) {
        if (live->kind != machine::MemoryKind::device || live->device != peer.index()) continue;
        machine::Allocation* allocation = context.runtime.space->find(address);
        allocation->device_mask = allowed ? allocation->device_mask | self : allocation->device_mask & ~self;
    }
    const uint32_t bit = 1u << peer.index();
    context.peers = allowed ? context.peers | bit : context.peers & ~bit;
}

}  // namespace

LANESCOPE_API cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
    return call([&](Runtime& runtime) -> cudaError_t {
        if (!can_access) return cudaErrorInvalidValue;
        Context* context = nullptr;
        if (const cudaError_t error = runtime.context_of(device, context)) return error;
        if (const cudaError_t error = runtime.context_of(peer, context)) return error;
        *can_access = device != peer;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    return device_call([&](Context& context) -> cudaError_t {
        Context* other = nullptr;
        if (const cudaError_t error = context.runtime.context_of(peer, other)) return error;
        if (flags != 0) return cudaErrorInvalidValue;
        if (other == &context) return cudaErrorPeerAccessUnsupported;
        if (context.peers >> peer & 1) return cudaErrorPeerAccessAlreadyEnabled;
        set_access(context, *other, true);
        return cudaSuccess;
    });
}

LANESCOPE_API cudaDeviceDisablePeerAccess(int peer) {
    return device_call([&](Context& context) -> cudaError_t {
        Context* other = nullptr;
        if (const cudaError_t error = context.runtime.context_of(peer, other)) return error;
        if (!(context.peers >> peer & 1)) return cudaErrorPeerAccessNotEnabled;
        context.synchronize();
        set_access(context, *other, false);
        return context.error;
    });
}

LANESCOPE_API cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer) {
    return call([&](Runtime& runtime) -> cudaError_t {
        if (!value) return cudaErrorInvalidValue;
        Context* context = nullptr;
        if (const cudaError_t error = runtime.context_of(device, context)) return error;
        if (const cudaError_t error = runtime.context_of(peer, context)) return error;
        if (device == peer) return cudaErrorInvalidDevice;
        switch (attribute) {
            case cudaDevP2PAttrPerformanceRank:
                *value = 0;
                return cudaSuccess;
            case cudaDevP2PAttrAccessSupported:
            case cudaDevP2PAttrNativeAtomicSupported:
                *value = 1;
                return cudaSuccess;
            case cudaDevP2PAttrCudaArrayAccessSupported:
                *value = 0;
                return cudaSuccess;
            default:
                return cudaErrorInvalidValue;
        }
    });
}
