// expect: kernel: expected a launch of 1 block(s) of 1 thread(s), got 132 of 256
#include "strided_sum.h"

__global__ void add_up(const int* values, int n, unsigned long long* total) {
    const int threads = gridDim.x * blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    long long own = 0;
    for (int i = thread; i < n; i += threads) own += values[i];
    atomicAdd(total, static_cast<unsigned long long>(own));
}

// Right, but not on the grid that was asked for.
cudaError_t sum(const int* values, int n, int, int, long long* total) {
    if (const cudaError_t error = cudaMemsetAsync(total, 0, sizeof *total)) return error;
    add_up<<<132, 256>>>(values, n, reinterpret_cast<unsigned long long*>(total));
    return cudaGetLastError();
}
