// expect: global load requests: expected at most 16384 (two for 32 samples), counted 32769
#include "shifted_copy.h"

#include <cstdint>

constexpr int threads_per_block = 256;

// 32 lanes that are one byte wide fill one sector: no more sectors than with ints, but four times the requests.
__global__ void copy(char* to, const char* from, int bytes, int lead) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) - lead;
    if (i >= 0 && i < bytes) to[i] = from[i];
}

cudaError_t copy_samples(int* to, const int* from, int n) {
    if (n == 0) return cudaSuccess;
    const int lead = reinterpret_cast<std::uintptr_t>(to) % 32, bytes = n * 4;
    copy<<<(lead + bytes + threads_per_block - 1) / threads_per_block, threads_per_block>>>(
        reinterpret_cast<char*>(to), reinterpret_cast<const char*>(from), bytes, lead);
    return cudaGetLastError();
}
