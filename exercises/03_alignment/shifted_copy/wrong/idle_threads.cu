// expect: instructions of the busiest warp: expected at most 600
#include "shifted_copy.h"

#include <cstdint>

// A large grid of which one block works.
__global__ void copy(int* to, const int* from, int n, int lead) {
    if (blockIdx.x > 0) return;
    for (int i = static_cast<int>(threadIdx.x) - lead; i < n; i += blockDim.x) {
        if (i >= 0) to[i] = from[i];
    }
}

cudaError_t copy_samples(int* to, const int* from, int n) {
    const int lead = reinterpret_cast<std::uintptr_t>(to) % 32 / 4;
    copy<<<64, 512>>>(to, from, n, lead);
    return cudaGetLastError();
}
