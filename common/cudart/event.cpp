// Events: marks in streams. What their times mean is in clock.h.
#include "cudart/api.h"
#include "cudart/capture.h"
#include "cudart/enqueue.h"

using namespace lanescope::cudart;

namespace {

cudaError_t create(cudaEvent_t* handle, unsigned flags) {
    return device_call([&](Context& context) -> cudaError_t {
        constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
        if (!handle || (flags & ~known)) return cudaErrorInvalidValue;
        if (flags & cudaEventInterprocess) {
            if (!(flags & cudaEventDisableTiming)) return cudaErrorInvalidValue;
            say("events shared between processes are not supported by the simulated GPU");
            return cudaErrorNotSupported;
        }
        auto event = std::make_unique<Event>();
        if (!(flags & cudaEventDisableTiming)) context.runtime.asks_for_time = true;
        event->context = &context;
        event->flags = flags;
        *handle = event.get();
        context.events.emplace(event.get(), std::move(event));
        return cudaSuccess;
    });
}

template <class Body>
cudaError_t event_call(cudaEvent_t handle, Body&& body) {
    return device_call([&](Context& context) -> cudaError_t {
        Event* event = context.runtime.event(handle);
        if (!event) return cudaErrorInvalidResourceHandle;
        if (event->context->error) return event->context->error;
        return body(context.runtime, *event);
    });
}

cudaError_t record(cudaEvent_t handle, cudaStream_t stream_handle, unsigned flags) {
    return stream_call(stream_handle, [&](Stream& stream) -> cudaError_t {
        Event* event = stream.context->runtime.event(handle);
        if (!event || event->context != stream.context) return cudaErrorInvalidResourceHandle;
        if (flags & ~cudaEventRecordExternal) return cudaErrorInvalidValue;
        if (stream.capture) return capture_record(stream, *event, flags);
        event->capture = nullptr;
        event->recorded = enqueue(stream, EmptyTask{});
        return cudaSuccess;
    });
}

}  // namespace

LANESCOPE_API cudaEventCreate(cudaEvent_t* event) { return create(event, cudaEventDefault); }

LANESCOPE_API cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) { return create(event, flags); }

LANESCOPE_API cudaEventDestroy(cudaEvent_t handle) {
    return event_call(handle, [&](Runtime&, Event& event) {
        event.context->events.erase(&event);
        return cudaSuccess;
    });
}

LANESCOPE_API cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return record(event, stream, cudaEventRecordDefault);
}

LANESCOPE_API cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    return record(event, stream, flags);
}

LANESCOPE_API cudaEventQuery(cudaEvent_t handle) {
    return event_call(handle, [](Runtime& runtime, Event& event) -> cudaError_t {
        if (event.capture) return cudaErrorCapturedEvent;
        if (!event.recorded || !runtime.queue.step(event.recorded)) return cudaSuccess;
        return event.context->error ? event.context->error : cudaErrorNotReady;
    });
}

LANESCOPE_API cudaEventSynchronize(cudaEvent_t handle) {
    return event_call(handle, [](Runtime& runtime, Event& event) -> cudaError_t {
        if (event.capture) return cudaErrorCapturedEvent;
        Context& context = *event.context;  // the event itself may be destroyed by another thread
        runtime.queue.run_until(event.recorded);
        context.flush_printf();
        return context.error;
    });
}

namespace {

cudaError_t elapsed_time(float* milliseconds, cudaEvent_t start_handle, cudaEvent_t end_handle) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!milliseconds) return cudaErrorInvalidValue;
        const Event* start = context.runtime.event(start_handle);
        const Event* end = context.runtime.event(end_handle);
        const auto timed = [](const Event* event) {
            return event && event->recorded && !(event->flags & cudaEventDisableTiming);
        };
        if (!timed(start) || !timed(end)) return cudaErrorInvalidResourceHandle;
        if (!start->recorded->done() || !end->recorded->done()) return cudaErrorNotReady;
        *milliseconds = static_cast<float>(1e3 * (end->recorded->finished - start->recorded->finished));
        return cudaSuccess;
    });
}

}  // namespace

#undef cudaEventElapsedTime  // late 12.x headers rename it to ..._v2; programs may call either

LANESCOPE_API cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    return elapsed_time(milliseconds, start, end);
}

#if CUDART_VERSION >= 12080 && CUDART_VERSION < 13000
LANESCOPE_API cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    return elapsed_time(milliseconds, start, end);
}
#endif
