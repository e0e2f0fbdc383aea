// expect: transform: expected cudaSuccess, got cudaErrorInvalidConfiguration
#include "twelve_bytes.h"

constexpr int threads_per_block = 256;

// Every block transforms a tile of pixels by way of shared memory.
__global__ void transform_all(int* words, int n) {
    __shared__ Pixel tile[threads_per_block];
    const int first = blockIdx.x * threads_per_block;
    const int count = min(n - first, threads_per_block);
    words += 3 * first;
    for (int k = threadIdx.x; k < 3 * count; k += threads_per_block) (&tile[0].red)[k] = words[k];
    __syncthreads();
    if (threadIdx.x < count) tile[threadIdx.x] = transformed(tile[threadIdx.x]);
    __syncthreads();
    for (int k = threadIdx.x; k < 3 * count; k += threads_per_block) words[k] = (&tile[0].red)[k];
}

// Without pixels the grid has 0 blocks.
cudaError_t transform(Pixel* pixels, int n) {
    const int blocks = (n + threads_per_block - 1) / threads_per_block;
    transform_all<<<blocks, threads_per_block>>>(&pixels->red, n);
    return cudaGetLastError();
}
