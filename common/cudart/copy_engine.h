/// \file
/// Copies and fills between all kinds of memory: CUDA's checks, and the bytes themselves.
///
///     const Copy copy{.to = {d}, .from = {h}, .width = n, .kind = cudaMemcpyHostToDevice, .call = "cudaMemcpy"};
///     return copy_blocking(stream, copy);
///
/// One description serves 1-D, 2-D and 3-D: `width` bytes in each of `height` rows in each of `depth`
/// slices. Which calls return before the copy has run follows CUDA's "API synchronization behavior",
/// confirmed on an H200: see copy_blocking and copy_async.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "cudart/context.h"
#include "machine/address_space.h"
#include "timing/copy_time.h"

namespace lanescope::cudart {

struct Region {
    void* pointer = nullptr;
    size_t pitch_bytes = 0;  ///< from row to row; unused if there is one row
    size_t slice_bytes = 0;  ///< from slice to slice; unused if there is one slice
};

struct Copy {
    Region to, from;
    size_t width_bytes = 0, height = 1, depth = 1;
    cudaMemcpyKind kind = cudaMemcpyDefault;
    const char* call = "";  ///< for reports

    bool empty() const { return width_bytes == 0 || height == 0 || depth == 0; }
    uint64_t bytes() const { return uint64_t{width_bytes} * height * depth; }
};

struct Fill {
    Region to;
    unsigned value = 0;
    unsigned element_bytes = 1;  ///< 1, 2 or 4
    size_t width = 0;            ///< in elements
    size_t height = 1, depth = 1;
    const char* call = "";

    bool empty() const { return width == 0 || height == 0 || depth == 0; }
    size_t width_bytes() const { return width * element_bytes; }
};

/// What the modelled clock wants to know of it.
timing::CopyShape shape_of(const machine::AddressSpace& space, const Copy& copy);

enum class Place : uint8_t {
    pageable,  ///< ordinary host memory: nothing is known about it
    host,      ///< pinned or registered
    device,
    managed,
    invalid,  ///< an address in the device's range that nothing is allocated at
};
Place place_of(const machine::AddressSpace& space, const void* pointer);

/// What CUDA answers to these arguments, without copying. Success for an empty copy.
cudaError_t check(const machine::AddressSpace& space, const Copy& copy);
cudaError_t check(const machine::AddressSpace& space, const Fill& fill);

/// cudaMemcpy and its kin. Returns when the copy has run, except between two places in device memory:
/// then it is queued, as CUDA documents.
cudaError_t copy_blocking(Stream& stream, const Copy& copy);
/// cudaMemcpyAsync and its kin. Queued, with the bytes of a pageable source taken now. Runs before it
/// returns if the destination is pageable or both sides are host memory, as CUDA documents.
cudaError_t copy_async(Stream& stream, const Copy& copy);

/// cudaMemset and its kin: queued, except that host and managed memory is filled before it returns.
cudaError_t fill_blocking(Stream& stream, const Fill& fill);
cudaError_t fill_async(Stream& stream, const Fill& fill);

/// Moves the bytes: what a queued operation does. cudaErrorIllegalAddress: memory is gone by now.
cudaError_t perform(const machine::AddressSpace& space, const Copy& copy);
cudaError_t perform(const machine::AddressSpace& space, const Fill& fill);

}  // namespace lanescope::cudart
