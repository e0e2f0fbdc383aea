// expect: global load sectors: expected at most 103219 (those in which the pixels lie, and 5 % where the pieces of blocks meet), counted 393216
#include "twelve_bytes.h"

constexpr int threads_per_block = 256;

// A structure of arrays on the side. Turning the pixels into one and back is what the kernel was slow with.
__global__ void split(const Pixel* pixels, int* red, int* green, int* blue, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    red[i] = pixels[i].red;
    green[i] = pixels[i].green;
    blue[i] = pixels[i].blue;
}

__global__ void transform_and_join(Pixel* pixels, const int* red, const int* green, const int* blue, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) pixels[i] = transformed({red[i], green[i], blue[i]});
}

cudaError_t transform(Pixel* pixels, int n) {
    if (n == 0) return cudaSuccess;
    int* arrays = nullptr;
    if (const cudaError_t error = cudaMalloc(&arrays, n * sizeof(Pixel))) return error;
    const int blocks = (n + threads_per_block - 1) / threads_per_block;
    split<<<blocks, threads_per_block>>>(pixels, arrays, arrays + n, arrays + 2 * n, n);
    transform_and_join<<<blocks, threads_per_block>>>(pixels, arrays, arrays + n, arrays + 2 * n, n);
    const cudaError_t error = cudaGetLastError();
    cudaFree(arrays);   // waits
    return error;
}
