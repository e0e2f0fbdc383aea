// expect: copy_samples: expected cudaSuccess, got cudaErrorIllegalAddress
#include "shifted_copy.h"

#include <cstdint>

constexpr int threads_per_block = 256;

// By way of shared memory; only the store is kept inside of the array.
__global__ void copy(int* to, const int* from, int n, int lead) {
    __shared__ int samples[threads_per_block];
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) - lead;
    if (i >= 0) samples[threadIdx.x] = from[i];
    __syncthreads();
    if (i >= 0 && i < n) to[i] = samples[threadIdx.x];
}

cudaError_t copy_samples(int* to, const int* from, int n) {
    if (n == 0) return cudaSuccess;
    const int lead = reinterpret_cast<std::uintptr_t>(to) % 32 / 4;
    copy<<<(lead + n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(to, from, n, lead);
    return cudaGetLastError();
}
