// expect: instructions of the busiest warp: expected at most 5300 (20 for each of its 65 rounds, and 4000 to add up within a block)
#include "strided_sum.h"

// Neighbours, but one block adds up all of them and the others are idle.
__global__ void add_up(const int* values, int n, unsigned long long* total) {
    if (blockIdx.x > 0) return;
    long long own = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) own += values[i];
    atomicAdd(total, static_cast<unsigned long long>(own));
}

cudaError_t sum(const int* values, int n, int blocks, int threads_per_block, long long* total) {
    if (const cudaError_t error = cudaMemsetAsync(total, 0, sizeof *total)) return error;
    add_up<<<blocks, threads_per_block>>>(values, n, reinterpret_cast<unsigned long long*>(total));
    return cudaGetLastError();
}
