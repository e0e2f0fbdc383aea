// expect: copy_samples: expected cudaSuccess, got cudaErrorIllegalAddress
#include "shifted_copy.h"

#include <cstdint>

constexpr int threads_per_block = 256;

// What is below 0 is a large unsigned number, and i + 8 > 7 wraps.
__global__ void copy(int* to, const int* from, unsigned n, unsigned lead) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x - lead;
    if (i + 8 < n + 8) to[i] = from[i];
}

cudaError_t copy_samples(int* to, const int* from, int n) {
    if (n == 0) return cudaSuccess;
    const int lead = reinterpret_cast<std::uintptr_t>(to) % 32 / 4;
    copy<<<(lead + n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(to, from, n, lead);
    return cudaGetLastError();
}
