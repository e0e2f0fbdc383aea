// expect: *total: expected 5590257282, got 1295289986
#include "strided_sum.h"

// A sum of its own that is only 32 bits wide.
__global__ void add_up(const int* values, int n, unsigned long long* total) {
    const int threads = gridDim.x * blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int own = 0;
    for (int i = thread; i < n; i += threads) own += values[i];
    atomicAdd(total, static_cast<unsigned long long>(static_cast<long long>(own)));
}

cudaError_t sum(const int* values, int n, int blocks, int threads_per_block, long long* total) {
    if (const cudaError_t error = cudaMemsetAsync(total, 0, sizeof *total)) return error;
    add_up<<<blocks, threads_per_block>>>(values, n, reinterpret_cast<unsigned long long*>(total));
    return cudaGetLastError();
}
