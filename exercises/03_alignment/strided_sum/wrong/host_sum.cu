// expect: bytes of values that no kernel loaded: expected at most 0 (the GPU adds up), counted 4194304
#include "strided_sum.h"

#include <vector>

__global__ void nothing() {}

// The host adds up; the kernel is only there to be seen.
cudaError_t sum(const int* values, int n, int blocks, int threads_per_block, long long* total) {
    std::vector<int> copies(n);
    if (const cudaError_t error = cudaMemcpy(copies.data(), values, n * sizeof(int), cudaMemcpyDeviceToHost))
        return error;
    long long own = 0;
    for (int value : copies) own += value;
    nothing<<<blocks, threads_per_block>>>();
    if (const cudaError_t error = cudaGetLastError()) return error;
    return cudaMemcpy(total, &own, sizeof own, cudaMemcpyHostToDevice);
}
