// expect: pixels[
#include "twelve_bytes.h"

constexpr int threads_per_block = 256;

// The words of a thread's pixel were loaded by other warps: have they come?
__global__ void transform_all(int* words, int n) {
    __shared__ Pixel tile[threads_per_block];
    const int first = blockIdx.x * threads_per_block;
    const int count = min(n - first, threads_per_block);
    words += 3 * first;
    for (int k = threadIdx.x; k < 3 * count; k += threads_per_block) (&tile[0].red)[k] = words[k];
    if (threadIdx.x < count) tile[threadIdx.x] = transformed(tile[threadIdx.x]);
    __syncthreads();
    for (int k = threadIdx.x; k < 3 * count; k += threads_per_block) words[k] = (&tile[0].red)[k];
}

cudaError_t transform(Pixel* pixels, int n) {
    if (n == 0) return cudaSuccess;
    const int blocks = (n + threads_per_block - 1) / threads_per_block;
    transform_all<<<blocks, threads_per_block>>>(&pixels->red, n);
    return cudaGetLastError();
}
