// expect: what lies behind the pixels[0]: expected {-7, -8, -9}, got {-8, -1, 1}
#include "twelve_bytes.h"

constexpr int threads_per_block = 256;

__global__ void transform_all(int* words) {
    __shared__ Pixel tile[threads_per_block];
    words += 3 * blockIdx.x * threads_per_block;
    for (int k = threadIdx.x; k < 3 * threads_per_block; k += threads_per_block) (&tile[0].red)[k] = words[k];
    __syncthreads();
    tile[threadIdx.x] = transformed(tile[threadIdx.x]);
    __syncthreads();
    for (int k = threadIdx.x; k < 3 * threads_per_block; k += threads_per_block) words[k] = (&tile[0].red)[k];
}

// The last tile is as large as all others.
cudaError_t transform(Pixel* pixels, int n) {
    if (n == 0) return cudaSuccess;
    transform_all<<<(n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(&pixels->red);
    return cudaGetLastError();
}
