// expect: *total: expected 5590257282, got -1021983881
#include "strided_sum.h"

// The grid has fewer threads than there are values.
__global__ void add_up(const int* values, int n, unsigned long long* total) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, static_cast<unsigned long long>(static_cast<long long>(values[i])));
}

cudaError_t sum(const int* values, int n, int blocks, int threads_per_block, long long* total) {
    if (const cudaError_t error = cudaMemsetAsync(total, 0, sizeof *total)) return error;
    add_up<<<blocks, threads_per_block>>>(values, n, reinterpret_cast<unsigned long long*>(total));
    return cudaGetLastError();
}
