/// \file
/// From the parameter structures of graph nodes to what a node does.
#pragma once

#include <cuda_runtime_api.h>

#include "cudart/graph.h"

namespace lanescope::cudart {

cudaError_t task_from(Context& context, const cudaKernelNodeParams* parameters, Task& task);
cudaError_t task_from(Context& context, const cudaMemcpy3DParms* parameters, Task& task);
cudaError_t task_from(Context& context, const cudaMemsetParams* parameters, Task& task);
cudaError_t task_from(Context& context, const cudaHostNodeParams* parameters, Task& task);

}  // namespace lanescope::cudart
