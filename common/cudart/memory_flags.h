/// \file
/// What the runtime notes in Allocation::flags, beside the flags of cudaHostAlloc and cudaMallocManaged,
/// and how memory goes back.
#pragma once

#include "cudart/runtime.h"
#include "machine/address_space.h"

namespace lanescope::cudart {

constexpr unsigned allocated_by_program = 1u << 16;  ///< cudaMallocManaged, not a `__managed__` variable
constexpr unsigned free_queued = 1u << 17;           ///< cudaFreeAsync was called

/// What cudaFree takes.
inline bool is_freeable(const machine::Allocation& allocation) {
    if (allocation.flags & free_queued) return false;
    return allocation.kind == machine::MemoryKind::device ||
           (allocation.kind == machine::MemoryKind::managed && (allocation.flags & allocated_by_program));
}

/// Gives it back to the address space and to the pool that it came from.
void release(Runtime& runtime, const machine::Allocation& allocation);

}  // namespace lanescope::cudart
