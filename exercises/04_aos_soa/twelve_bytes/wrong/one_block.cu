// expect: pixels for each thread launched: expected at most 64 (so that thousands of threads share the work), counted 256
#include "twelve_bytes.h"

constexpr int threads_per_block = 1024;

// As it should be, but one block does all tiles.
__global__ void transform_all(int* words, int n) {
    __shared__ Pixel tile[threads_per_block];
    for (int first = 0; first < n; first += threads_per_block) {
        const int count = min(n - first, threads_per_block);
        for (int k = threadIdx.x; k < 3 * count; k += threads_per_block) (&tile[0].red)[k] = words[3 * first + k];
        __syncthreads();
        if (threadIdx.x < count) tile[threadIdx.x] = transformed(tile[threadIdx.x]);
        __syncthreads();
        for (int k = threadIdx.x; k < 3 * count; k += threads_per_block) words[3 * first + k] = (&tile[0].red)[k];
        __syncthreads();
    }
}

cudaError_t transform(Pixel* pixels, int n) {
    transform_all<<<1, threads_per_block>>>(&pixels->red, n);
    return cudaGetLastError();
}
