// cudaMemset in all its shapes.
#include "cudart/api.h"
#include "cudart/copy_engine.h"

using namespace lanescope::cudart;

namespace {

Fill fill_1d(void* to, int value, size_t bytes, const char* call) {
    return {.to = {to, 0, 0}, .value = static_cast<unsigned>(value), .width = bytes, .call = call};
}

Fill fill_2d(void* to, size_t pitch, int value, size_t width, size_t height, const char* call) {
    return {
        .to = {to, pitch, 0}, .value = static_cast<unsigned>(value), .width = width, .height = height, .call = call};
}

Fill fill_3d(const cudaPitchedPtr& to, int value, const cudaExtent& extent, const char* call) {
    return {.to = {to.ptr, to.pitch, to.pitch * to.ysize},
            .value = static_cast<unsigned>(value),
            .width = extent.width,
            .height = extent.height,
            .depth = extent.depth,
            .call = call};
}

}  // namespace

#define LANESCOPE_FILL(name, parameters, stream_parameters, fill)                                                    \
    LANESCOPE_API name parameters {                                                                                  \
        return stream_call(cudaStreamLegacy, [&](Stream& stream) { return fill_blocking(stream, fill(#name)); });    \
    }                                                                                                                \
    LANESCOPE_API name##_ptds parameters {                                                                           \
        return stream_call(cudaStreamPerThread, [&](Stream& stream) { return fill_blocking(stream, fill(#name)); }); \
    }                                                                                                                \
    LANESCOPE_API name##Async stream_parameters {                                                                    \
        return stream_call(handle, [&](Stream& stream) { return fill_async(stream, fill(#name "Async")); });         \
    }

#define LANESCOPE_FILL_1D(call) fill_1d(to, value, bytes, call)
#define LANESCOPE_FILL_2D(call) fill_2d(to, pitch, value, width, height, call)
#define LANESCOPE_FILL_3D(call) fill_3d(to, value, extent, call)

LANESCOPE_FILL(cudaMemset, (void* to, int value, size_t bytes),
               (void* to, int value, size_t bytes, cudaStream_t handle), LANESCOPE_FILL_1D)
LANESCOPE_FILL(cudaMemset2D, (void* to, size_t pitch, int value, size_t width, size_t height),
               (void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t handle), LANESCOPE_FILL_2D)
LANESCOPE_FILL(cudaMemset3D, (cudaPitchedPtr to, int value, cudaExtent extent),
               (cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t handle), LANESCOPE_FILL_3D)
