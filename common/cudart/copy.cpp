// cudaMemcpy in all its shapes. What they check and when they return is in copy_engine.h.
#include "cudart/api.h"
#include "cudart/copy_engine.h"
#include "cudart/copy_parameters.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace {

Copy copy_1d(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, const char* call) {
    return {
        .to = {to, 0, 0}, .from = {const_cast<void*>(from), 0, 0}, .width_bytes = bytes, .kind = kind, .call = call};
}

Copy copy_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
             cudaMemcpyKind kind, const char* call) {
    return {.to = {to, to_pitch, 0},
            .from = {const_cast<void*>(from), from_pitch, 0},
            .width_bytes = width,
            .height = height,
            .kind = kind,
            .call = call};
}

cudaError_t check_devices(Runtime& runtime, int to_device, int from_device) {
    Context* context = nullptr;
    if (const cudaError_t error = runtime.context_of(to_device, context)) return error;
    return runtime.context_of(from_device, context);
}

// A copy between devices waits for all work of both, and they for it: here it simply runs.
cudaError_t peer_blocking(Context& context, int to_device, int from_device, Copy copy) {
    Runtime& runtime = context.runtime;
    if (const cudaError_t error = check_devices(runtime, to_device, from_device)) return error;
    copy.kind = cudaMemcpyDeviceToDevice;
    if (const cudaError_t error = check(*runtime.space, copy)) return error;
    runtime.contexts[to_device]->synchronize();
    runtime.contexts[from_device]->synchronize();
    if (const cudaError_t error = copy_blocking(context.legacy_stream, copy)) return error;
    context.synchronize();
    return context.error;
}

cudaError_t peer_async(Stream& stream, int to_device, int from_device, Copy copy) {
    if (const cudaError_t error = check_devices(stream.context->runtime, to_device, from_device)) return error;
    copy.kind = cudaMemcpyDeviceToDevice;
    return copy_async(stream, copy);
}

}  // namespace

#define LANESCOPE_BLOCKING_COPY(name, parameters, ...)                                                               \
    LANESCOPE_API name parameters {                                                                                  \
        return stream_call(cudaStreamLegacy, [&](Stream& stream) { return copy_blocking(stream, __VA_ARGS__); });    \
    }                                                                                                                \
    LANESCOPE_API name##_ptds parameters {                                                                           \
        return stream_call(cudaStreamPerThread, [&](Stream& stream) { return copy_blocking(stream, __VA_ARGS__); }); \
    }

LANESCOPE_BLOCKING_COPY(cudaMemcpy, (void* to, const void* from, size_t bytes, cudaMemcpyKind kind),
                        copy_1d(to, from, bytes, kind, "cudaMemcpy"))

LANESCOPE_BLOCKING_COPY(cudaMemcpy2D,
                        (void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind),
                        copy_2d(to, to_pitch, from, from_pitch, width, height, kind, "cudaMemcpy2D"))

LANESCOPE_API cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return stream_call(
        stream, [&](Stream& stream) { return copy_async(stream, copy_1d(to, from, bytes, kind, "cudaMemcpyAsync")); });
}

LANESCOPE_API cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return stream_call(stream, [&](Stream& stream) {
        return copy_async(stream, copy_2d(to, to_pitch, from, from_pitch, width, height, kind, "cudaMemcpy2DAsync"));
    });
}

namespace {

cudaError_t blocking_3d(cudaStream_t stream, const cudaMemcpy3DParms* parameters) {
    return stream_call(stream, [&](Stream& stream) {
        Copy copy;
        if (const cudaError_t error = from_parameters(parameters, "cudaMemcpy3D", copy)) return error;
        return copy_blocking(stream, copy);
    });
}

cudaError_t blocking_3d_peer(const cudaMemcpy3DPeerParms* parameters) {
    return device_call([&](Context& context) {
        Copy copy;
        if (const cudaError_t error = from_parameters(parameters, "cudaMemcpy3DPeer", copy)) return error;
        return peer_blocking(context, parameters->dstDevice, parameters->srcDevice, copy);
    });
}

}  // namespace

LANESCOPE_API cudaMemcpy3D(const cudaMemcpy3DParms* parameters) { return blocking_3d(cudaStreamLegacy, parameters); }

LANESCOPE_API cudaMemcpy3D_ptds(const cudaMemcpy3DParms* parameters) {
    return blocking_3d(cudaStreamPerThread, parameters);
}

LANESCOPE_API cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
    return stream_call(stream, [&](Stream& stream) {
        Copy copy;
        if (const cudaError_t error = from_parameters(parameters, "cudaMemcpy3DAsync", copy)) return error;
        return copy_async(stream, copy);
    });
}

LANESCOPE_API cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) { return blocking_3d_peer(parameters); }

LANESCOPE_API cudaMemcpy3DPeer_ptds(const cudaMemcpy3DPeerParms* parameters) { return blocking_3d_peer(parameters); }

LANESCOPE_API cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
    return stream_call(stream, [&](Stream& stream) {
        Copy copy;
        if (const cudaError_t error = from_parameters(parameters, "cudaMemcpy3DPeerAsync", copy)) return error;
        return peer_async(stream, parameters->dstDevice, parameters->srcDevice, copy);
    });
}

LANESCOPE_API cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
    return device_call([&](Context& context) {
        return peer_blocking(context, to_device, from_device,
                             copy_1d(to, from, bytes, cudaMemcpyDefault, "cudaMemcpyPeer"));
    });
}

LANESCOPE_API cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                  cudaStream_t stream) {
    return stream_call(stream, [&](Stream& stream) {
        return peer_async(stream, to_device, from_device,
                          copy_1d(to, from, bytes, cudaMemcpyDefault, "cudaMemcpyPeerAsync"));
    });
}
