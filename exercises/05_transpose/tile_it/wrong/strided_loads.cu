// expect: global load sectors: expected at most 8192 (those in which the matrix lies), counted 65536
#include "tile_it.h"

constexpr int width = 32, height = 8;

// Lanes count rows: now the stores lie side by side, and the loads do not.
template <class T>
__global__ void transpose_all(T* out, const T* in, int rows, int columns) {
    const int row = blockIdx.y * width + threadIdx.x;
    for (int y = threadIdx.y; y < width; y += height) {
        const int column = blockIdx.x * width + y;
        if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
    }
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
