#include "cudart/work.h"

#include <algorithm>
#include <unordered_set>

#include "cudart/context.h"
#include "cudart/runtime.h"
#include "cudart/thread_state.h"

namespace lanescope::cudart {

OperationPointer WorkQueue::submit(Stream& stream, Operation operation) {
    while (pending_.size() >= max_pending || (staged_bytes_ > max_staged_bytes && operation.staged_bytes > 0)) {
        run_until(pending_.begin()->second);
    }
    const auto pointer = std::make_shared<Operation>(std::move(operation));
    pointer->context = stream.context;
    pointer->sequence = ++sequence_;
    pointer->ready = host_now_;
    if (stream.last) pointer->ready = std::max(pointer->ready, stream.last->finished);
    if (stream.last && !stream.last->done()) pointer->previous = stream.last;
    const auto wait_for = [&](const OperationPointer& other) {
        if (other && !other->done()) pointer->after.push_back(other);
        else if (other) pointer->ready = std::max(pointer->ready, other->finished);
    };
    for (const OperationPointer& other : pointer->after) pointer->ready = std::max(pointer->ready, other->finished);
    if (stream.kind == Stream::Kind::legacy) {
        stream.context->for_each_blocking(wait_for);
    } else if (stream.blocking()) {
        wait_for(stream.context->legacy_stream.last);
    }
    staged_bytes_ += pointer->staged_bytes;
    pending_.emplace(pointer->sequence, pointer);
    stream.last = pointer;
    if (pointer->kind == OperationKind::host_function || pointer->kind == OperationKind::kernel) {
        runtime_.idle_watch.start(runtime_);
    }
    return pointer;
}

std::vector<OperationPointer> WorkQueue::required(const OperationPointer& target) const {
    std::vector<OperationPointer> found;
    std::unordered_set<const Operation*> seen;
    const auto visit = [&](const OperationPointer& operation) {
        if (operation && !operation->done() && seen.insert(operation.get()).second) found.push_back(operation);
    };
    visit(target);
    for (size_t i = 0; i < found.size(); ++i) {
        const OperationPointer operation = found[i];  // visit() may move the vector's elements
        visit(operation->previous);
        for (const OperationPointer& other : operation->after) visit(other);
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a->sequence < b->sequence; });
    return found;
}

void WorkQueue::run_until(const OperationPointer& target) {
    for (const OperationPointer& operation : required(target)) execute(operation);
    if (target) host_now_ = std::max(host_now_, target->finished);
}

void WorkQueue::run_all(const Context& context) {
    std::vector<OperationPointer> all;
    for (const auto& [sequence, operation] : pending_) {
        if (operation->context == &context) all.push_back(operation);
    }
    for (const OperationPointer& operation : all) run_until(operation);
}

bool WorkQueue::step(const OperationPointer& target) {
    const std::vector<OperationPointer> operations = required(target);
    for (const OperationPointer& operation : operations) {
        const bool marker = !operation->run;
        execute(operation);
        if (!marker) break;
    }
    return !operations.empty();
}

void WorkQueue::execute(const OperationPointer& operation) {
    while (operation->state == Operation::State::running) finished_.wait(runtime_.mutex);
    if (operation->done()) return;
    operation->state = Operation::State::running;
    cudaError_t error = cudaSuccess;
    operation->context->performed = {};
    if (operation->run && operation->kind == OperationKind::host_function) {
        operation->context->flush_printf();  // as CUDA does before it calls back
        ThreadState& thread = this_thread();
        thread.in_host_function = true;
        runtime_.mutex.unlock();
        error = operation->run();
        runtime_.mutex.lock();
        thread.in_host_function = false;
    } else if (operation->run) {
        error = operation->run();
    }
    complete(operation);
    if (error != cudaSuccess) {
        operation->context->fail(error);
        drop(*operation->context);
    }
}

void WorkQueue::complete(const OperationPointer& operation) {
    if (operation->done()) return;
    operation->state = Operation::State::done;
    double start = operation->ready;
    if (operation->previous) start = std::max(start, operation->previous->finished);
    for (const OperationPointer& other : operation->after) start = std::max(start, other->finished);
    const Performed& performed = operation->context->performed;
    if (performed.seconds > 0) {
        double& free = engine_free_[{operation->context, performed.engine}];
        start = std::max(start, free);
        free = start + performed.seconds;
    }
    operation->finished = operation->context->device.options().clock ? start + performed.seconds : host_seconds();
    operation->previous.reset();
    operation->after.clear();
    operation->run = {};
    staged_bytes_ -= operation->staged_bytes;
    pending_.erase(operation->sequence);
    finished_.notify_all();
}

void WorkQueue::drop(const Context& context) {
    std::vector<OperationPointer> dropped;
    for (const auto& [sequence, operation] : pending_) {
        // One that runs now is completed by the thread that runs it.
        if (operation->context == &context && operation->state == Operation::State::pending)
            dropped.push_back(operation);
    }
    for (const OperationPointer& operation : dropped) complete(operation);
}

bool WorkQueue::idle(const Context& context) const {
    return std::none_of(pending_.begin(), pending_.end(),
                        [&](const auto& entry) { return entry.second->context == &context; });
}

}  // namespace lanescope::cudart
