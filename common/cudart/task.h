/// \file
/// What an operation does: a value, so that a queue can run it once and a graph many times.
#pragma once

#include <string>
#include <variant>

#include <cuda_runtime_api.h>

#include "cudart/copy_engine.h"
#include "cudart/registry.h"
#include "machine/device.h"

namespace lanescope::cudart {

struct KernelTask {
    RegisteredKernel* kernel = nullptr;
    machine::Launch launch;  ///< with the parameters' bytes, taken at the launch
};

struct HostTask {
    cudaHostFn_t function = nullptr;
    void* data = nullptr;
};

struct EmptyTask {};  ///< an event, or a node that only orders others

using Task = std::variant<EmptyTask, KernelTask, Copy, Fill, HostTask>;

OperationKind kind_of(const Task& task);
std::string name_of(const Task& task);  ///< of a kernel: mangled

/// Runs it on the device. The error makes the device fail.
cudaError_t perform(Context& context, const Task& task);

}  // namespace lanescope::cudart
