/// \file
/// cudaDeviceProp of a simulated device.
#pragma once

#include <cuda_runtime_api.h>

#include "gpus/gpu.h"

namespace lanescope::cudart {

cudaDeviceProp properties_of(const gpus::Gpu& gpu, int device);

}  // namespace lanescope::cudart
