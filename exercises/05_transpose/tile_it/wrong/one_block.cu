// expect: instructions of the busiest warp: expected at most 4000
#include "tile_it.h"

constexpr int width = 32, height = 8;

// One block takes one tile after the other.
template <class T>
__global__ void transpose_all(T* out, const T* in, int rows, int columns) {
    __shared__ T tile[width][width + 1];
    const int x = threadIdx.x;
    for (int first_row = 0; first_row < rows; first_row += width) {
        for (int first_column = 0; first_column < columns; first_column += width) {
            for (int y = threadIdx.y; y < width; y += height) {
                const int row = first_row + y, column = first_column + x;
                if (row < rows && column < columns) tile[y][x] = in[row * columns + column];
            }
            __syncthreads();
            for (int y = threadIdx.y; y < width; y += height) {
                const int row = first_row + x, column = first_column + y;
                if (row < rows && column < columns) out[column * rows + row] = tile[x][y];
            }
            __syncthreads();  // before the next tile takes the place of this one
        }
    }
}

template <class T>
cudaError_t launch(T* out, const T* in, int rows, int columns) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    transpose_all<<<1, dim3(width, height)>>>(out, in, rows, columns);
    return cudaGetLastError();
}

cudaError_t transpose(int* out, const int* in, int rows, int columns) { return launch(out, in, rows, columns); }

cudaError_t transpose(double* out, const double* in, int rows, int columns) { return launch(out, in, rows, columns); }
