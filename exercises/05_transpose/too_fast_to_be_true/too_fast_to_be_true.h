// What starter.cu defines and the tests call. A matrix has ints, 0 or more rows, 0 or more columns, and lies one row
// after the other. Matrices in memory have less than 2^31 elements.
#pragma once

#include <cuda_runtime.h>

// out[column * rows + row] = in[row * columns + column], for all rows and columns, with one launch: blocks of `block`
// threads, as many as cover the matrix with a thread for each element. `in` and `out` are in device memory and do not
// overlap. Nothing outside of them is read or written. Returns the first CUDA error, and need not wait for the kernel.
cudaError_t transpose(int* out, const int* in, int rows, int columns, dim3 block);

// Whether `out` is the transpose of `in`, each element of it. Both are in host memory.
bool is_transpose(const int* out, const int* in, int rows, int columns);

// The bandwidth of a transpose in 1e9 bytes a second: it reads each element once and writes it once. Also for matrices
// that no memory can hold. 0 if there are no elements, or no seconds.
double gigabytes_per_second(int rows, int columns, double seconds);

// What can be measured: `transpose`, and functions that promise the same. Promise.
using Transpose = cudaError_t (*)(int* out, const int* in, int rows, int columns, dim3 block);

struct Measurement {
    bool right;        // the result was the transpose
    double seconds;    // of one run, on the GPU
    double bandwidth;  // while it ran, in 1e9 bytes a second
};

// Measures `function` with a matrix of its own, whose elements are all different.
// Calls it once without measuring, so that caches and clocks are warm. Then fills the output with something that is in
// no transpose, and calls it 5 times or more, each time between two events; the median counts. What these calls left in
// the output is checked: if it is not the transpose, there are no figures, and both are 0. Gives back what it takes.
// Returns the first CUDA error, and then the measurement is {false, 0, 0}.
cudaError_t measure(Transpose function, int rows, int columns, dim3 block, Measurement* measurement);
