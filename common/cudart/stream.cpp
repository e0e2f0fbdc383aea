// Streams: their life, what they wait for, and host functions in their order.
#include <algorithm>

#include "cudart/api.h"
#include "cudart/capture.h"
#include "cudart/device_limits.h"
#include "cudart/enqueue.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace {

cudaError_t create(cudaStream_t* handle, unsigned flags, int priority) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!handle || (flags & ~cudaStreamNonBlocking)) return cudaErrorInvalidValue;
        *handle = context.create_stream(flags, std::clamp(priority, greatest_stream_priority, least_stream_priority));
        return cudaSuccess;
    });
}

bool is_default(cudaStream_t handle) {
    return handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread;
}

}  // namespace

LANESCOPE_API cudaStreamCreate(cudaStream_t* stream) { return create(stream, cudaStreamDefault, 0); }

LANESCOPE_API cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) { return create(stream, flags, 0); }

LANESCOPE_API cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    return create(stream, flags, priority);
}

LANESCOPE_API cudaStreamDestroy(cudaStream_t handle) {
    if (is_default(handle)) return remember(cudaErrorInvalidResourceHandle);
    return stream_call(handle, [&](Stream& stream) {
        abandon_capture(stream);
        stream.context->destroy_stream(&stream);
        return cudaSuccess;
    });
}

LANESCOPE_API cudaStreamSynchronize(cudaStream_t handle) {
    return stream_call(handle, [&](Stream& stream) -> cudaError_t {
        if (stream.capture) return invalidate_capture(stream);
        return synchronize(stream);
    });
}

// An answer from before the question: work that this very call runs is not ready yet.
LANESCOPE_API cudaStreamQuery(cudaStream_t handle) {
    return stream_call(handle, [&](Stream& stream) -> cudaError_t {
        if (stream.capture) return invalidate_capture(stream);
        if (!stream.context->runtime.queue.step(stream.last)) return cudaSuccess;
        return stream.context->error ? stream.context->error : cudaErrorNotReady;
    });
}

LANESCOPE_API cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned flags) {
    return stream_call(handle, [&](Stream& stream) -> cudaError_t {
        Runtime& runtime = stream.context->runtime;
        Event* event = runtime.event(event_handle);
        if (!event) return cudaErrorInvalidResourceHandle;
        if (flags & ~cudaEventWaitExternal) return cudaErrorInvalidValue;
        if (event->capture || stream.capture) return capture_wait(stream, *event, flags);
        if (!event->recorded) return cudaSuccess;
        runtime.queue.submit(stream, {.kind = OperationKind::event, .name = "event wait", .after = {event->recorded}});
        return cudaSuccess;
    });
}

LANESCOPE_API cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
    return stream_call(handle, [&](Stream& stream) -> cudaError_t {
        if (!function) return cudaErrorInvalidValue;
        enqueue(stream, HostTask{function, data});
        return cudaSuccess;
    });
}

LANESCOPE_API cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* data, unsigned flags) {
    return stream_call(handle, [&](Stream& stream) -> cudaError_t {
        if (!callback || flags != 0) return cudaErrorInvalidValue;
        if (stream.capture) return cudaErrorStreamCaptureUnsupported;
        Runtime& runtime = stream.context->runtime;
        runtime.queue.submit(stream, {.kind = OperationKind::host_function, .name = "stream callback", .run = [=] {
                                          callback(handle, cudaSuccess, data);
                                          return cudaSuccess;
                                      }});
        return cudaSuccess;
    });
}

// Managed memory is accessible from everywhere here; the attachment is checked and changes nothing.
LANESCOPE_API cudaStreamAttachMemAsync(cudaStream_t handle, void* pointer, size_t bytes, unsigned flags) {
    return stream_call(handle, [&](Stream& stream) -> cudaError_t {
        const machine::Allocation* allocation =
            stream.context->runtime.space->find(reinterpret_cast<uint64_t>(pointer));
        if (!allocation || allocation->kind != machine::MemoryKind::managed) return cudaErrorInvalidValue;
        if (bytes != 0 && (allocation->address != reinterpret_cast<uint64_t>(pointer) || bytes != allocation->bytes)) {
            return cudaErrorInvalidValue;
        }
        if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle) {
            return cudaErrorInvalidValue;
        }
        return flags == cudaMemAttachSingle && is_default(handle) ? cudaErrorInvalidValue : cudaSuccess;
    });
}

LANESCOPE_API cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
    return stream_call(handle, [&](Stream& stream) -> cudaError_t {
        if (!flags) return cudaErrorInvalidValue;
        *flags = stream.flags;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaStreamGetPriority(cudaStream_t handle, int* priority) {
    return stream_call(handle, [&](Stream& stream) -> cudaError_t {
        if (!priority) return cudaErrorInvalidValue;
        *priority = stream.priority;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
    return stream_call(handle, [&](Stream& stream) -> cudaError_t {
        if (!id) return cudaErrorInvalidValue;
        *id = stream.id;
        return cudaSuccess;
    });
}

#if CUDART_VERSION >= 12080
LANESCOPE_API cudaStreamGetDevice(cudaStream_t handle, int* device) {
    return stream_call(handle, [&](Stream& stream) -> cudaError_t {
        if (!device) return cudaErrorInvalidValue;
        *device = stream.context->index();
        return cudaSuccess;
    });
}
#endif

// Attributes are hints to hardware that is not modelled: kept, and handed back.
LANESCOPE_API cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID attribute,
                                     const cudaStreamAttrValue* value) {
    return stream_call(handle, [&](Stream& stream) -> cudaError_t {
        if (!value) return cudaErrorInvalidValue;
        stream.attributes[attribute] = *value;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaStreamGetAttribute(cudaStream_t handle, cudaStreamAttrID attribute, cudaStreamAttrValue* value) {
    return stream_call(handle, [&](Stream& stream) -> cudaError_t {
        if (!value) return cudaErrorInvalidValue;
        const auto position = stream.attributes.find(attribute);
        *value = position == stream.attributes.end() ? cudaStreamAttrValue{} : position->second;
        if (attribute == cudaLaunchAttributePriority) value->priority = stream.priority;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    return stream_call(to, [&](Stream& stream) -> cudaError_t {
        const Stream* source = stream.context->runtime.stream(from, *stream.context);
        if (!source) return cudaErrorInvalidResourceHandle;
        stream.attributes = source->attributes;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaCtxResetPersistingL2Cache() {
    return device_call([](Context&) { return cudaSuccess; });
}
