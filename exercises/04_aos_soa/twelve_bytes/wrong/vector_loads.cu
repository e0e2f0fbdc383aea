// expect: global load sectors: expected at most 103219 (those in which the pixels lie, and 5 % where the pieces of blocks meet), counted 196608
#include "twelve_bytes.h"

constexpr int threads_per_block = 256;

// Four pixels are three int4. Fewer requests, but the lanes of each are 48 bytes apart: half of every sector is for
// another request.
__global__ void transform_all(Pixel* pixels, int n) {
    const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (first + 4 <= n) {
        union {
            int4 vectors[3];
            Pixel four[4];
        } p;
        int4* const vectors = reinterpret_cast<int4*>(pixels + first);
        for (int k = 0; k < 3; ++k) p.vectors[k] = vectors[k];
        for (int k = 0; k < 4; ++k) p.four[k] = transformed(p.four[k]);
        for (int k = 0; k < 3; ++k) vectors[k] = p.vectors[k];
    } else {
        for (int i = first; i < n; ++i) pixels[i] = transformed(pixels[i]);
    }
}

cudaError_t transform(Pixel* pixels, int n) {
    if (n == 0) return cudaSuccess;
    transform_all<<<(n + 4 * threads_per_block - 1) / (4 * threads_per_block), threads_per_block>>>(pixels, n);
    return cudaGetLastError();
}
