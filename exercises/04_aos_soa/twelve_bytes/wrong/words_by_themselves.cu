// expect: pixels[0]: expected {-236316, 512918, 172198}, got {-642992, 512918, -105323}
#include "twelve_bytes.h"

constexpr int threads_per_block = 256;

// Every thread computes the words that it has loaded, from words that it has not.
__global__ void transform_all(int* words, int n) {
    for (int round = 0; round < 3; ++round) {
        const int k = (3 * blockIdx.x + round) * threads_per_block + threadIdx.x;
        if (k >= 3 * n) return;
        const int own = words[k], next = __shfl_down_sync(__activemask(), own, 1);
        words[k] = k % 3 == 0 ? own + next : next - own;
    }
}

cudaError_t transform(Pixel* pixels, int n) {
    if (n == 0) return cudaSuccess;
    const int blocks = (n + threads_per_block - 1) / threads_per_block;
    transform_all<<<blocks, threads_per_block>>>(&pixels->red, n);
    return cudaGetLastError();
}
