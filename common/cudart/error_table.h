/// \file
/// Names and texts of CUDA's errors.
#pragma once

#include <cuda_runtime_api.h>

namespace lanescope::cudart {

struct ErrorEntry {
    int code;
    const char* name;
    const char* text;
};

/// A number that is no error has the name and text "unrecognized error code".
const ErrorEntry& entry_of(cudaError_t error);

}  // namespace lanescope::cudart
