// expect: to[0]: expected 3, got -1
#include "shifted_copy.h"

#include <cstdint>

constexpr int threads_per_block = 256;

// Aligned, but the samples before the first whole sector and behind the last are left out.
__global__ void copy(int* to, const int* from, int begin, int end) {
    const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < end) to[i] = from[i];
}

cudaError_t copy_samples(int* to, const int* from, int n) {
    const int begin = static_cast<int>((32 - reinterpret_cast<std::uintptr_t>(to) % 32) % 32 / 4);
    const int end = begin + (n - begin) / 8 * 8;
    if (end <= begin) return cudaSuccess;
    copy<<<(end - begin + threads_per_block - 1) / threads_per_block, threads_per_block>>>(to, from, begin, end);
    return cudaGetLastError();
}
