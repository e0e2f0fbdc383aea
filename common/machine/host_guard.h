/// \file
/// What a learner sees when host code dereferences a device pointer.
#pragma once

#include "machine/address_space.h"

namespace lanescope::machine {

/// Installs a SIGSEGV handler that recognises addresses reserved for device memory: it prints one
/// report on stderr (the pointer, its allocation, cudaMemcpy as the next step) and lets the program
/// end by SIGSEGV, as on a machine with a GPU. Other faults go to the handler that was there before.
/// `space` must outlive the process. Host side.
void install_host_guard(const AddressSpace& space);

}  // namespace lanescope::machine
