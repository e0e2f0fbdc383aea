/// \file
/// What every entry point of the runtime does around its own work.
///
///     LANESCOPE_API cudaMalloc(void** pointer, size_t bytes) {
///         return device_call([&](Context& context) { return context.allocate(...); });
///     }
///
/// `call` takes the lock and remembers an error for cudaGetLastError. `device_call` also makes the
/// calling thread's device ready and, once that device has failed, returns its error and does nothing
/// else: an error of a kernel stays ("sticky"), as CUDA documents.
#pragma once

#include <mutex>
#include <new>

#include <cuda_runtime_api.h>

#include "cudart/capture.h"
#include "cudart/context.h"
#include "cudart/runtime.h"
#include "cudart/thread_state.h"

#define LANESCOPE_API extern "C" cudaError_t CUDARTAPI

namespace lanescope::cudart {

/// Returns the error, and makes it what cudaGetLastError reports. cudaErrorNotReady is an answer.
inline cudaError_t remember(cudaError_t error) {
    if (error != cudaSuccess && error != cudaErrorNotReady) this_thread().last_error = error;
    return error;
}

template <class Body>
cudaError_t call(Body&& body) {
    Runtime& runtime = Runtime::instance();
    runtime.idle_watch.note_call();
    std::lock_guard lock(runtime.mutex);
    try {
        return remember(body(runtime));
    } catch (const std::bad_alloc&) {
        return remember(cudaErrorMemoryAllocation);
    }
}

template <class Body>
cudaError_t device_call(Body&& body) {
    return call([&](Runtime& runtime) {
        Context* context = nullptr;
        if (const cudaError_t error = runtime.current(context)) return error;
        return body(*context);
    });
}

/// The same for calls on a stream. `handle` may be a stream, 0, cudaStreamLegacy or cudaStreamPerThread.
template <class Body>
cudaError_t stream_call(cudaStream_t handle, Body&& body) {
    return device_call([&](Context& context) -> cudaError_t {
        Stream* stream = context.runtime.stream(handle, context);
        if (!stream) return cudaErrorInvalidResourceHandle;
        if (stream->context->error) return stream->context->error;
        if (stream->kind == Stream::Kind::legacy) {
            if (const cudaError_t error = check_legacy_use(*stream->context)) return error;
        }
        return body(*stream);
    });
}

/// What 0 means in the entry points that `nvcc -default-stream per-thread` calls (..._ptsz).
inline cudaStream_t per_thread(cudaStream_t stream) { return stream ? stream : cudaStreamPerThread; }

}  // namespace lanescope::cudart
