// What starter.cu defines and the tests call.
#pragma once

#include <cuda_runtime.h>

// out[column * rows + row] = in[row * columns + column], for all rows and columns, with one kernel. A block has
// `width` x `width` threads and moves a tile of `width` x `width` elements; there are as many blocks as cover the
// matrix. `width` is 8, 16 or 32; another one is cudaErrorInvalidValue. The tile takes at most a quarter more shared
// memory than its elements. `in` and `out` are in device memory, as cudaMalloc aligns it, and do not overlap. Nothing
// outside of them is read or written. There are 0 to 100,000 rows, as many columns, and less than 2^31 elements.
// Launched with <<< >>>. Returns the first CUDA error, and need not wait for the kernel.
cudaError_t transpose(int* out, const int* in, int rows, int columns, int width);
