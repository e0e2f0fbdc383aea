// expect: global load sectors: expected at most 132096 (one for 8 values, and two for each warp), counted 1048576
#include "strided_sum.h"

// One lane of the grid does it all.
__global__ void add_up(const int* values, int n, unsigned long long* total) {
    if (blockIdx.x > 0 || threadIdx.x > 0) return;
    long long own = 0;
    for (int i = 0; i < n; ++i) own += values[i];
    *total = own;
}

cudaError_t sum(const int* values, int n, int blocks, int threads_per_block, long long* total) {
    if (const cudaError_t error = cudaMemsetAsync(total, 0, sizeof *total)) return error;
    add_up<<<blocks, threads_per_block>>>(values, n, reinterpret_cast<unsigned long long*>(total));
    return cudaGetLastError();
}
