// expect: sum: expected the error cudaErrorInvalidConfiguration, got cudaSuccess
#include "strided_sum.h"

__global__ void add_up(const int* values, int n, unsigned long long* total) {
    const int threads = gridDim.x * blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    long long own = 0;
    for (int i = thread; i < n; i += threads) own += values[i];
    atomicAdd(total, static_cast<unsigned long long>(own));
}

// What the memset says is not what the launch would say.
cudaError_t sum(const int* values, int n, int blocks, int threads_per_block, long long* total) {
    const cudaError_t error = cudaMemsetAsync(total, 0, sizeof *total);
    add_up<<<blocks, threads_per_block>>>(values, n, reinterpret_cast<unsigned long long*>(total));
    return error;
}
