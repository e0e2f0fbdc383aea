// expect: global store sectors: expected at most 103219 (those in which the pixels lie, and 5 % where the pieces of blocks meet), counted 294912
#include "twelve_bytes.h"

constexpr int threads_per_block = 256;

// Loads side by side; every thread stores its pixel by itself.
__global__ void transform_all(int* words, int n) {
    __shared__ Pixel tile[threads_per_block];
    const int first = blockIdx.x * threads_per_block;
    const int count = min(n - first, threads_per_block);
    words += 3 * first;
    for (int k = threadIdx.x; k < 3 * count; k += threads_per_block) (&tile[0].red)[k] = words[k];
    __syncthreads();
    if (threadIdx.x < count) reinterpret_cast<Pixel*>(words)[threadIdx.x] = transformed(tile[threadIdx.x]);
}

cudaError_t transform(Pixel* pixels, int n) {
    if (n == 0) return cudaSuccess;
    const int blocks = (n + threads_per_block - 1) / threads_per_block;
    transform_all<<<blocks, threads_per_block>>>(&pixels->red, n);
    return cudaGetLastError();
}
