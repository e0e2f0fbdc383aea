#include "cudart/copy_parameters.h"

#include <cstddef>
#include <string>

#include "cudart/runtime.h"

namespace lanescope::cudart {

namespace {

// One side of a 3-D copy: where its first byte is. Refused as on an H200.
cudaError_t region_of(const cudaPitchedPtr& pointer, const cudaPos& position, const cudaExtent& extent,
                      Region& region) {
    if (!pointer.ptr) return cudaErrorInvalidValue;
    if (extent.height > pointer.ysize && extent.depth > 1) return cudaErrorInvalidPitchValue;
    const bool fits = position.x <= pointer.pitch && extent.width <= pointer.pitch - position.x &&
                      position.y <= pointer.ysize && extent.height <= pointer.ysize - position.y;
    const __uint128_t slice = static_cast<__uint128_t>(pointer.pitch) * pointer.ysize;
    if (!fits || slice * (static_cast<__uint128_t>(position.z) + extent.depth) > PTRDIFF_MAX)
        return cudaErrorInvalidValue;
    region.pitch_bytes = pointer.pitch;
    region.slice_bytes = static_cast<size_t>(slice);
    region.pointer = static_cast<std::byte*>(pointer.ptr) + position.z * region.slice_bytes +
                     position.y * region.pitch_bytes + position.x;
    return cudaSuccess;
}

// cudaMemcpy3DParms and cudaMemcpy3DPeerParms.
template <class Parameters>
cudaError_t convert(const Parameters* parameters, const char* call, Copy& copy) {
    if (!parameters) return cudaErrorInvalidValue;
    if (parameters->srcArray || parameters->dstArray) {
        say(std::string(call) + ": CUDA arrays are not supported by the simulated GPU");
        return cudaErrorNotSupported;
    }
    copy.width_bytes = parameters->extent.width;
    copy.height = parameters->extent.height;
    copy.depth = parameters->extent.depth;
    copy.call = call;
    if constexpr (requires { parameters->kind; }) copy.kind = parameters->kind;
    if (copy.empty()) return cudaSuccess;
    if (const cudaError_t error = region_of(parameters->srcPtr, parameters->srcPos, parameters->extent, copy.from)) {
        return error;
    }
    return region_of(parameters->dstPtr, parameters->dstPos, parameters->extent, copy.to);
}

}  // namespace

cudaError_t from_parameters(const cudaMemcpy3DParms* parameters, const char* call, Copy& copy) {
    return convert(parameters, call, copy);
}

cudaError_t from_parameters(const cudaMemcpy3DPeerParms* parameters, const char* call, Copy& copy) {
    return convert(parameters, call, copy);
}

cudaMemcpy3DParms to_parameters(const Copy& copy) {
    const auto pitched = [&](const Region& region) {
        const size_t pitch = region.pitch_bytes ? region.pitch_bytes : copy.width_bytes;
        return cudaPitchedPtr{region.pointer, pitch, copy.width_bytes,
                              region.slice_bytes ? region.slice_bytes / pitch : copy.height};
    };
    cudaMemcpy3DParms parameters{};
    parameters.srcPtr = pitched(copy.from);
    parameters.dstPtr = pitched(copy.to);
    parameters.extent = {copy.width_bytes, copy.height, copy.depth};
    parameters.kind = copy.kind;
    return parameters;
}

}  // namespace lanescope::cudart
