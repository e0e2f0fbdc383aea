// expect: samples for each thread launched: expected at most 32 (so that thousands of threads share the work), counted 256
#include "shifted_copy.h"

#include <cstdint>

// Aligned, but 131 of 132 multiprocessors are idle.
__global__ void copy(int* to, const int* from, int n, int lead) {
    for (int i = static_cast<int>(threadIdx.x) - lead; i < n; i += blockDim.x) {
        if (i >= 0) to[i] = from[i];
    }
}

cudaError_t copy_samples(int* to, const int* from, int n) {
    const int lead = reinterpret_cast<std::uintptr_t>(to) % 32 / 4;
    copy<<<1, 1024>>>(to, from, n, lead);
    return cudaGetLastError();
}
