// expect: shared memory wavefronts: expected at most
#include "bank_conflicts.h"

// The rows of a warp take turns. No conflicts, but as many passes as with them, or more.
template <int width>
__global__ void transpose_tiles(int* out, const int* in, int rows, int columns) {
    __shared__ int tile[width * (width + 1)];
    const auto place = [](int y, int x) { return y * (width + 1) + x; };

    const int first_row = blockIdx.y * width, first_column = blockIdx.x * width;
    const int x = threadIdx.x, y = threadIdx.y;
    const int element =
        first_row + y < rows && first_column + x < columns ? in[(first_row + y) * columns + first_column + x] : 0;
    for (int turn = 0; turn < 32 / width; ++turn)
        if (y % (32 / width) == turn) tile[place(y, x)] = element;
    __syncthreads();
    int turned = 0;
    for (int turn = 0; turn < 32 / width; ++turn)
        if (y % (32 / width) == turn) turned = tile[place(x, y)];
    if (first_column + y < columns && first_row + x < rows) out[(first_column + y) * rows + first_row + x] = turned;
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
