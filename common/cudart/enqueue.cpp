#include "cudart/enqueue.h"

#include "cudart/capture.h"
#include "cudart/runtime.h"

namespace lanescope::cudart {

OperationPointer enqueue(Stream& stream, Task task) {
    if (stream.capture) {
        capture(stream, std::move(task));
        return nullptr;
    }
    Context* const context = stream.context;
    const OperationKind kind = kind_of(task);
    Operation operation{.kind = kind, .name = name_of(task)};
    if (kind != OperationKind::event) {
        operation.run = [context, task = std::move(task)] { return perform(*context, task); };
    }
    return context->runtime.queue.submit(stream, std::move(operation));
}

cudaError_t run_now(Stream& stream, Task task) {
    Context& context = *stream.context;
    context.runtime.queue.run_until(enqueue(stream, std::move(task)));
    context.flush_printf();
    return context.error;
}

cudaError_t synchronize(Stream& stream) {
    Context& context = *stream.context;
    WorkQueue& queue = context.runtime.queue;
    // The legacy default stream has run when the streams that it waits for have.
    if (stream.kind == Stream::Kind::legacy) {
        std::vector<OperationPointer> youngest;
        context.for_each_blocking([&](const OperationPointer& operation) { youngest.push_back(operation); });
        for (const OperationPointer& operation : youngest) queue.run_until(operation);
    }
    queue.run_until(stream.last);
    context.flush_printf();
    return context.error;
}

}  // namespace lanescope::cudart
