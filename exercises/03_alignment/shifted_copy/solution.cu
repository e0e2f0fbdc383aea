#include "shifted_copy.h"

#include <cstdint>

constexpr int threads_per_block = 256;
constexpr int sector_bytes = 32;

// Every thread copies one sample. Thread 0 belongs to the first sample of the sector in which `to` begins; the first
// `lead` threads have nothing to do, because their samples lie before the array.
__global__ void copy(int* to, const int* from, int n, int lead) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) - lead;
    if (i >= 0 && i < n) to[i] = from[i];
}

// Stores are aligned always, loads where `from` is shifted as `to` is.
cudaError_t copy_samples(int* to, const int* from, int n) {
    if (n == 0) return cudaSuccess;   // a grid of 0 blocks is an error
    const int lead = reinterpret_cast<std::uintptr_t>(to) % sector_bytes / sizeof *to;
    const int blocks = (lead + n + threads_per_block - 1) / threads_per_block;
    copy<<<blocks, threads_per_block>>>(to, from, n, lead);
    return cudaGetLastError();
}
