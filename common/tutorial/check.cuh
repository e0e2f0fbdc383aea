/// \file
/// CUDA_CHECK: ends a program at the first CUDA call that fails, with the place, the error and a next step.
///
///     CUDA_CHECK(cudaMemcpyToSymbol(value, &initial, sizeof initial));
///     kernel<<<2, 3>>>();
///     CUDA_CHECK(cudaGetLastError());         // was the launch accepted?
///     CUDA_CHECK(cudaDeviceSynchronize());    // did the kernel run to its end?
///
/// Host side. Needs nothing but the CUDA runtime, so that a chapter program builds with one nvcc line.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace lanescope::tutorial {

/// What a reader can do about an error: one sentence.
inline const char* next_step(cudaError_t error) {
    switch (error) {
        case cudaErrorNoDevice:
        case cudaErrorInsufficientDriver:
            return "this machine has no usable GPU; run the program on the simulated one: lanescope run PROGRAM";
        case cudaErrorInvalidSymbol:
            return "pass the __device__ or __constant__ variable itself: not its name in quotes, its address, or a "
                   "host variable";
        case cudaErrorInvalidMemcpyDirection:
            return "the last argument must name the direction of the copy; cudaMemcpyDefault lets CUDA find it";
        case cudaErrorInvalidConfiguration:
            return "launch at least 1 block and 1 to 1024 threads per block";
        case cudaErrorInvalidValue:
            return "an argument cannot be; for a launch: at least 1 block, 1 to 1024 threads per block, no more shared "
                   "memory than the GPU has";
        case cudaErrorMemoryAllocation: return "ask for less memory, or free some first";
        case cudaErrorIllegalAddress:
            return "a kernel left its arrays: look at its index computation and at the last launch before this line";
        case cudaErrorNoKernelImageForDevice: return "compile for this GPU: nvcc -arch=native";
        default: return "look the name up among the error codes of the CUDA Runtime API documentation";
    }
}

inline void check(cudaError_t error, const char* call, const char* file, int line) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s failed: %s (%s)\n  next: %s\n", file, line, call, cudaGetErrorName(error),
                 cudaGetErrorString(error), next_step(error));
    std::exit(EXIT_FAILURE);
}

}  // namespace lanescope::tutorial

#define CUDA_CHECK(call) ::lanescope::tutorial::check((call), #call, __FILE__, __LINE__)
