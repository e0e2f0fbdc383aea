/// \file
/// From the arguments of a launch to a task that can run.
#pragma once

#include <cuda_runtime_api.h>

#include "cudart/task.h"

namespace lanescope::cudart {

struct LaunchRequest {
    const void* function = nullptr;  ///< the kernel's address in host code, or its handle
    dim3 grid, block;
    void** arguments = nullptr;  ///< one pointer for each parameter
    size_t dynamic_shared_bytes = 0;
    bool cooperative = false;
};

/// Checks what cudaLaunchKernel documents and copies the parameters. A kernel that uses what the
/// simulated GPU lacks is named on stderr and fails the device, so that no wrong result can follow.
cudaError_t make_kernel_task(Context& context, const LaunchRequest& request, KernelTask& task);

}  // namespace lanescope::cudart
