// expect: global load sectors: expected at most 132096 (one for 8 values, and two for each warp), counted 1048576
#include "strided_sum.h"

// Each block has a piece of its own, and in it each thread again: lanes are still a piece apart.
__global__ void add_up(const int* values, int n, unsigned long long* total) {
    const int block_piece = (n + gridDim.x - 1) / gridDim.x;
    const int block_begin = min(blockIdx.x * block_piece, n), block_end = min(block_begin + block_piece, n);
    const int piece = (block_end - block_begin + blockDim.x - 1) / blockDim.x;
    const int begin = block_begin + threadIdx.x * piece, end = min(begin + piece, block_end);
    long long own = 0;
    for (int i = begin; i < end; ++i) own += values[i];
    atomicAdd(total, static_cast<unsigned long long>(own));
}

cudaError_t sum(const int* values, int n, int blocks, int threads_per_block, long long* total) {
    if (const cudaError_t error = cudaMemsetAsync(total, 0, sizeof *total)) return error;
    add_up<<<blocks, threads_per_block>>>(values, n, reinterpret_cast<unsigned long long*>(total));
    return cudaGetLastError();
}
