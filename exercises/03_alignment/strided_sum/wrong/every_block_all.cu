// expect: for n = 1, 2 block(s) of 33 thread(s)
#include "strided_sum.h"

// Neighbours, but every block adds up all of them.
__global__ void add_up(const int* values, int n, unsigned long long* total) {
    long long own = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) own += values[i];
    atomicAdd(total, static_cast<unsigned long long>(own));
}

cudaError_t sum(const int* values, int n, int blocks, int threads_per_block, long long* total) {
    if (const cudaError_t error = cudaMemsetAsync(total, 0, sizeof *total)) return error;
    add_up<<<blocks, threads_per_block>>>(values, n, reinterpret_cast<unsigned long long*>(total));
    return cudaGetLastError();
}
