// expect: ints before to[0]: expected -1, got -2
#include "shifted_copy.h"

#include <cstdint>

constexpr int threads_per_block = 256;

// The lanes before the array copy too: what lies before `from` to what lies before `to`.
__global__ void copy(int* to, const int* from, int n, int lead) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) - lead;
    if (i < n) to[i] = from[i];
}

cudaError_t copy_samples(int* to, const int* from, int n) {
    if (n == 0) return cudaSuccess;
    int lead = reinterpret_cast<std::uintptr_t>(to) % 32 / 4;
    if (reinterpret_cast<std::uintptr_t>(from) % 32 / 4 < lead) lead = 0;   // it would read before the allocation
    copy<<<(lead + n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(to, from, n, lead);
    return cudaGetLastError();
}
