/// \file
/// How many blocks of a kernel an SM holds at once.
#pragma once

#include <cstdint>

#include "gpus/gpu.h"

namespace lanescope::machine {

/// The least of four limits: blocks, threads, registers and shared memory. `registers` per thread is
/// PTX's (modelled: ptxas decides the real number), rounded up to 8 as hardware allocates them, for
/// whole warps. `shared_bytes` per block, static and dynamic; hardware adds reserved_shared_bytes_per_block.
/// 0: one block alone does not fit. Host side.
int blocks_per_sm(const gpus::Gpu& gpu, int threads_per_block, int registers, uint64_t shared_bytes);

/// The L1 cache of a multiprocessor, in bytes, beside the shared memory of the blocks that fit on it. Where both share one
/// array, the driver takes the smallest carve-out for shared memory that holds them, and what it reserves for as many blocks as a
/// multiprocessor can have; or more, if the program prefers a larger one: `preferred_percent` of the most that shared memory can have,
/// negative without a preference (measured on an H200).
uint64_t l1_bytes(const gpus::Gpu& gpu, int blocks_per_sm, uint64_t shared_bytes_per_block, int preferred_percent = -1);

}  // namespace lanescope::machine
