#include "strided_sum.h"

// Every thread adds up some of the values, and then its own sum to the total.
__global__ void add_up(const int* values, int n, unsigned long long* total) {
    const int threads = gridDim.x * blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;

    // In each round the grid loads `threads` values that lie side by side, and each warp 32 of them.
    long long own = 0;
    for (int i = thread; i < n; i += threads) own += values[i];

    atomicAdd(total, static_cast<unsigned long long>(own));   // wraps as signed numbers do
}

cudaError_t sum(const int* values, int n, int blocks, int threads_per_block, long long* total) {
    if (const cudaError_t error = cudaMemsetAsync(total, 0, sizeof *total)) return error;
    add_up<<<blocks, threads_per_block>>>(values, n, reinterpret_cast<unsigned long long*>(total));
    return cudaGetLastError();
}
