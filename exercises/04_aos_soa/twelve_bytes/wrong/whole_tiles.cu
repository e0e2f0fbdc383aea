// expect: pixels[0]: expected {-236316, 512918, 172198}, got {-235397, -407595, 105323}
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

// Right for multiples of 256: what is left over is left out.
cudaError_t transform(Pixel* pixels, int n) {
    if (n < threads_per_block) return cudaSuccess;
    transform_all<<<n / threads_per_block, threads_per_block>>>(&pixels->red);
    return cudaGetLastError();
}
