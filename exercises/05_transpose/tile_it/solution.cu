#include "tile_it.h"

constexpr int width = 32;  // a tile is as many elements wide and high
constexpr int height = 8;  // rows of threads: each thread moves 4 elements

// A block loads a tile along the rows of `in` and stores it along the rows of `out`, which are the columns of the tile.
// Shared memory has no rows that would have to be read along.
template <class T>
__global__ void transpose_all(T* out, const T* in, int rows, int columns) {
    __shared__ T tile[width][width + 1];  // + 1: so that the elements of a column lie in different banks
    const int first_row = blockIdx.y * width, first_column = blockIdx.x * width;
    const int x = threadIdx.x;

    for (int y = threadIdx.y; y < width; y += height) {
        const int row = first_row + y, column = first_column + x;
        if (row < rows && column < columns) tile[y][x] = in[row * columns + column];
    }
    __syncthreads();  // all threads come here, also those that had nothing to load
    for (int y = threadIdx.y; y < width; y += height) {
        const int row = first_row + x, column = first_column + y;  // x counts rows now: neighbours in `out`
        if (row < rows && column < columns) out[column * rows + row] = tile[x][y];
    }
}

template <class T>
cudaError_t launch(T* out, const T* in, int rows, int columns) {
    if (rows == 0 || columns == 0) return cudaSuccess;  // a grid of 0 blocks is an error
    const dim3 grid((columns + width - 1) / width, (rows + width - 1) / width);
    transpose_all<<<grid, dim3(width, height)>>>(out, in, rows, columns);
    return cudaGetLastError();
}

cudaError_t transpose(int* out, const int* in, int rows, int columns) { return launch(out, in, rows, columns); }

cudaError_t transpose(double* out, const double* in, int rows, int columns) { return launch(out, in, rows, columns); }
