#include "twelve_bytes.h"

constexpr int threads_per_block = 256;

// Every thread transforms one pixel.
__global__ void transform_all(Pixel* pixels, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    // YOUR TASK: the pixels come out right, but each of the three loads touches all sectors of its warp's pixels, and
    // so does each of the three stores. Touch every sector once, and leave the pixels where they are.
    if (i < n) pixels[i] = transformed(pixels[i]);
}

cudaError_t transform(Pixel* pixels, int n) {
    if (n == 0) return cudaSuccess;   // a grid of 0 blocks is an error
    transform_all<<<(n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(pixels, n);
    return cudaGetLastError();
}
