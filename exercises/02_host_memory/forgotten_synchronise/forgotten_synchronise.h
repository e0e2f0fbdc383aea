// What starter.cu defines and the tests call.
#pragma once

#include <cuda_runtime.h>

constexpr int blocks_per_row = 16;

// sums[row] = the sum of the row, for each of `rows` rows of n ints. The rows lie one behind the other in device
// memory. rows and n are 0 or more; a row of 0 ints has the sum 0.
//
// `partial` is mapped host memory, with its address for host code: kernels write rows * blocks_per_row sums of parts of
// rows there, and the host adds them up. `sums` is ordinary host memory.
//
// All kernels are launched in `stream`, behind what is in it already: the rows may come from there. When add_rows
// returns, the sums are there, and work in other streams may still be on its way. Nothing is copied.
//
// Returns the first CUDA error, that of a kernel of its own included; then `sums` is as it was.
cudaError_t add_rows(const int* values, int rows, int n, long long* partial, long long* sums, cudaStream_t stream);
