// expect: to[249]: expected 1746, got -1 (6 of 255 elements differ)
#include "shifted_copy.h"

#include <cstdint>

constexpr int threads_per_block = 256;

__global__ void copy(int* to, const int* from, int n, int lead) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) - lead;
    if (i >= 0 && i < n) to[i] = from[i];
}

// The threads that wait before the array are missing at its end.
cudaError_t copy_samples(int* to, const int* from, int n) {
    if (n == 0) return cudaSuccess;
    const int lead = reinterpret_cast<std::uintptr_t>(to) % 32 / 4;
    copy<<<(n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(to, from, n, lead);
    return cudaGetLastError();
}
