/// \file
/// From the parameter structures of 3-D copies to a Copy.
#pragma once

#include <cuda_runtime_api.h>

#include "cudart/copy_engine.h"

namespace lanescope::cudart {

/// Refused as on an H200; CUDA arrays by name. `call` is for reports.
cudaError_t from_parameters(const cudaMemcpy3DParms* parameters, const char* call, Copy& copy);
cudaError_t from_parameters(const cudaMemcpy3DPeerParms* parameters, const char* call, Copy& copy);

/// The way back, for cudaGraphMemcpyNodeGetParams.
cudaMemcpy3DParms to_parameters(const Copy& copy);

}  // namespace lanescope::cudart
