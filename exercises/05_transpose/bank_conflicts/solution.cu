#include "bank_conflicts.h"

constexpr int banks = 32;

// A block loads a tile along the rows of `in` and stores it along the rows of `out`.
//
// 32 elements of the tile fill the 32 banks once. They are one row of a tile that is 32 wide, 2 of one that is 16 wide,
// and 4 of one that is 8 wide; a warp stores just these. So they stay together, and after each 32 elements some words
// are left free. A warp then loads from 1, 2 or 4 columns next to each other. From one group of 32 elements to the next
// it must go on in banks that are not taken yet: as many further as it loads columns.
template <int width>
__global__ void transpose_tiles(int* out, const int* in, int rows, int columns) {
    constexpr int padding = banks / width, groups = width * width / banks;
    __shared__ int tile[groups * (banks + padding)];
    const auto place = [](int y, int x) {
        const int element = y * width + x;
        return element + element / banks * padding;
    };

    const int first_row = blockIdx.y * width, first_column = blockIdx.x * width;
    const int x = threadIdx.x, y = threadIdx.y;
    if (first_row + y < rows && first_column + x < columns)
        tile[place(y, x)] = in[(first_row + y) * columns + first_column + x];
    __syncthreads();
    if (first_column + y < columns && first_row + x < rows)
        out[(first_column + y) * rows + first_row + x] = tile[place(x, y)];
}

template <int width>
cudaError_t launch(int* out, const int* in, int rows, int columns) {
    if (rows == 0 || columns == 0) return cudaSuccess;  // a grid of 0 blocks is an error
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
