// What starter.cu defines and the tests call.
#pragma once

#include <cuda_runtime.h>

// out[column * rows + row] = in[row * columns + column], for all rows and columns, with kernels. `in` and `out` are in
// device memory, as cudaMalloc aligns it, and do not overlap. Nothing outside of them is read or written. There are 0
// to 100,000 rows, as many columns, and less than 2^31 elements. Both return the first CUDA error, and need not wait
// for the kernels.
cudaError_t transpose(int* out, const int* in, int rows, int columns);
cudaError_t transpose(double* out, const double* in, int rows, int columns);
