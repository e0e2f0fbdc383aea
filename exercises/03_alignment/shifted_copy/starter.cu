#include "shifted_copy.h"

constexpr int threads_per_block = 256;

// Every thread copies one sample.
__global__ void copy(int* to, const int* from, int n) {
    // YOUR TASK: the copy is right, but where the arrays are shifted every request touches a sector too many. Which
    // sample should the first lane of a warp copy, so that it does not?
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}

cudaError_t copy_samples(int* to, const int* from, int n) {
    if (n == 0) return cudaSuccess;   // a grid of 0 blocks is an error
    const int blocks = (n + threads_per_block - 1) / threads_per_block;
    copy<<<blocks, threads_per_block>>>(to, from, n);
    return cudaGetLastError();
}
