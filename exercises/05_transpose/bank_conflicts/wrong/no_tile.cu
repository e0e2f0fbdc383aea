// expect: global store sectors: expected at most
#include "bank_conflicts.h"

// No shared memory, no conflicts.
template <int width>
__global__ void transpose_tiles(int* out, const int* in, int rows, int columns) {
    const int row = blockIdx.y * width + threadIdx.y, column = blockIdx.x * width + threadIdx.x;
    if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
}

template <int width>
cudaError_t launch(int* out, const int* in, int rows, int columns) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    const dim3 grid((columns + width - 1) / width, (rows + width - 1) / width);
    transpose_tiles<width><<<grid, dim3(width, width)>>>(out, in, rows, columns);
    return cudaGetLastError();
}

cudaError_t transpose(int* out, const int* in, int rows, int columns, int width) {
    if (width == 8) return launch<8>(out, in, rows, columns);
    if (width == 16) return launch<16>(out, in, rows, columns);
    if (width == 32) return launch<32>(out, in, rows, columns);
    return cudaErrorInvalidValue;
}
