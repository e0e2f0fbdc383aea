/// \file
/// How many blocks of a kernel fit on one SM.
#pragma once

#include <cstdint>

#include "cudart/context.h"
#include "cudart/registry.h"

namespace lanescope::cudart {

/// The most dynamic shared memory that a launch may ask for, as the kernel's settings stand.
int64_t max_dynamic_shared_bytes(const gpus::Gpu& gpu, const KernelOnDevice& kernel);

/// Shared memory of an SM under the kernel's carve-out and cache preference, given what one block needs.
int64_t shared_bytes_of_sm(const Context& context, const KernelOnDevice& kernel, int64_t block_bytes);

/// What one block of it takes from the SM, rounded as the hardware allocates.
int64_t shared_bytes_of_block(const gpus::Gpu& gpu, const KernelOnDevice& kernel, uint64_t dynamic_bytes);

/// Blocks per SM: the least of what threads, blocks, registers and shared memory allow. 0: a block of
/// this size cannot be launched. The register count is modelled (machine/device.h), so an occupancy that
/// registers limit may differ from the GPU's.
int blocks_per_sm(const Context& context, const KernelOnDevice& kernel, int block_threads, uint64_t dynamic_bytes);

}  // namespace lanescope::cudart
