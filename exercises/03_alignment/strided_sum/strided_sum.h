// What starter.cu defines and the tests call.
#pragma once

#include <cuda_runtime.h>

// Adds up n values on a grid of blocks x threads_per_block threads, which can be fewer than the values or more.
// `values` is an array in device memory, as cudaMalloc aligns it; it is only read. `total` points to device memory and
// receives the exact sum, whatever was there before. n is 0 or more. Returns the first CUDA error; need not wait for
// the kernel.
cudaError_t sum(const int* values, int n, int blocks, int threads_per_block, long long* total);
