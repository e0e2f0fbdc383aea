/// \file
/// The value of one cudaDeviceAttr of a simulated device.
#pragma once

#include <optional>

#include <cuda_runtime_api.h>

#include "gpus/gpu.h"

namespace lanescope::cudart {

/// nullopt: the number names no attribute. `device` is its place in the list of devices.
std::optional<int> attribute_of(const gpus::Gpu& gpu, int device, cudaDeviceAttr attribute);

}  // namespace lanescope::cudart
