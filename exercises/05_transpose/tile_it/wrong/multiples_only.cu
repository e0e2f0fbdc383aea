// expect: global store sectors: expected at most
#include "tile_it.h"

constexpr int width = 32, height = 8;

// By way of tiles if there are whole ones only, and one by one as before if not.
template <class T>
__global__ void transpose_all(T* out, const T* in, int rows, int columns) {
    __shared__ T tile[width][width + 1];
    const int first_row = blockIdx.y * width, first_column = blockIdx.x * width;
    const int x = threadIdx.x;
    for (int y = threadIdx.y; y < width; y += height) {
        const int row = first_row + y, column = first_column + x;
        if (row < rows && column < columns) tile[y][x] = in[row * columns + column];
    }
    __syncthreads();
    for (int y = threadIdx.y; y < width; y += height) {
        const int row = first_row + x, column = first_column + y;
        if (row < rows && column < columns) out[column * rows + row] = tile[x][y];
    }
}

template <class T>
__global__ void transpose_each(T* out, const T* in, int rows, int columns) {
    const int column = blockIdx.x * width + threadIdx.x, row = blockIdx.y * height + threadIdx.y;
    if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
}

template <class T>
cudaError_t launch(T* out, const T* in, int rows, int columns) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    const bool tiles = rows % width == 0 && columns % width == 0;
    const int step = tiles ? width : height;
    const dim3 grid((columns + width - 1) / width, (rows + step - 1) / step), block(width, height);
    if (tiles)
        transpose_all<<<grid, block>>>(out, in, rows, columns);
    else
        transpose_each<<<grid, block>>>(out, in, rows, columns);
    return cudaGetLastError();
}

cudaError_t transpose(int* out, const int* in, int rows, int columns) { return launch(out, in, rows, columns); }

cudaError_t transpose(double* out, const double* in, int rows, int columns) { return launch(out, in, rows, columns); }
