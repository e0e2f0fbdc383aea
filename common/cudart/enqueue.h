/// \file
/// How an entry point hands its work over: to the queue, or to the graph that captures the stream.
#pragma once

#include "cudart/context.h"
#include "cudart/task.h"
#include "cudart/work.h"

namespace lanescope::cudart {

/// Queues the task. In a stream that is being captured it becomes a graph node instead, and the
/// result is null: there is nothing to wait for.
OperationPointer enqueue(Stream& stream, Task task);

/// For blocking calls: queues the task, runs it and what it requires, and prints what kernels
/// printed. The error is the device's, if it failed on the way.
cudaError_t run_now(Stream& stream, Task task);

/// Runs everything that the stream was given.
cudaError_t synchronize(Stream& stream);

}  // namespace lanescope::cudart
