// CUDA errors in test messages by name.
#pragma once

#include <ostream>

#include <cuda_runtime.h>

inline void PrintTo(cudaError_t error, std::ostream* out) { *out << cudaGetErrorName(error); }
