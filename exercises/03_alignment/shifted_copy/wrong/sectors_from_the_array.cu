// expect: global load sectors: expected at most 32785 (those in which the samples lie, and 16 for edges), counted 40960
#include "shifted_copy.h"

constexpr int threads_per_block = 256;

// Sectors do not begin with the array. A whole number of "sectors" from its first element is as shifted as it is.
__global__ void copy_body(int* to, const int* from, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 8 * 8) to[i] = from[i];
}

__global__ void copy_tail(int* to, const int* from, int n) {
    const int i = n / 8 * 8 + threadIdx.x;
    if (i < n) to[i] = from[i];
}

cudaError_t copy_samples(int* to, const int* from, int n) {
    if (n == 0) return cudaSuccess;
    copy_body<<<(n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(to, from, n);
    copy_tail<<<1, 8>>>(to, from, n);
    return cudaGetLastError();
}
