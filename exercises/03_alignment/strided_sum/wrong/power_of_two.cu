// expect: for n = 1000003, 37 block(s) of 96 thread(s)
#include "strided_sum.h"

// Coalesced if threads and values are multiples of 32, and in pieces as before if not.
__global__ void add_up(const int* values, int n, unsigned long long* total) {
    const int threads = gridDim.x * blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const bool even = n % threads == 0;
    const int piece = (n + threads - 1) / threads;
    const int begin = even ? thread : min(thread * piece, n);
    const int end = even ? n : min(begin + piece, n);
    long long own = 0;
    for (int i = begin; i < end; i += even ? threads : 1) own += values[i];
    atomicAdd(total, static_cast<unsigned long long>(own));
}

cudaError_t sum(const int* values, int n, int blocks, int threads_per_block, long long* total) {
    if (const cudaError_t error = cudaMemsetAsync(total, 0, sizeof *total)) return error;
    add_up<<<blocks, threads_per_block>>>(values, n, reinterpret_cast<unsigned long long*>(total));
    return cudaGetLastError();
}
