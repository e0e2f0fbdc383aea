// expect: out, row 1, column 0: expected 2, got 0 (1 of 2 elements are wrong)
#include "tile_it.h"

constexpr int width = 32, height = 32;

// Whoever had nothing to load has nothing to store? For whole tiles nobody is without.
template <class T>
__global__ void transpose_all(T* out, const T* in, int rows, int columns) {
    __shared__ T tile[width][width + 1];
    const int column = blockIdx.x * width + threadIdx.x, row = blockIdx.y * width + threadIdx.y;
    if (row < rows && column < columns) tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
    __syncthreads();
    const int out_column = blockIdx.y * width + threadIdx.x, out_row = blockIdx.x * width + threadIdx.y;
    if (row < rows && column < columns) out[out_row * rows + out_column] = tile[threadIdx.x][threadIdx.y];
}

template <class T>
cudaError_t launch(T* out, const T* in, int rows, int columns) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    const dim3 grid((columns + width - 1) / width, (rows + width - 1) / width);
    transpose_all<<<grid, dim3(width, height)>>>(out, in, rows, columns);
    return cudaGetLastError();
}

cudaError_t transpose(int* out, const int* in, int rows, int columns) { return launch(out, in, rows, columns); }

cudaError_t transpose(double* out, const double* in, int rows, int columns) { return launch(out, in, rows, columns); }
