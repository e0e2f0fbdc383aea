// expect: for 1 x 1 ints, blocks of 32 x 16
#define transpose solved  // all but this function is the solution
#include "solution.cu"
#undef transpose

cudaError_t transpose(int* out, const int* in, int rows, int columns, dim3 block) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    const dim3 grid(columns / block.x, rows / block.y);  // for multiples of the block
    if (grid.x == 0 || grid.y == 0) return cudaSuccess;
    transpose_each<<<grid, block>>>(out, in, rows, columns);
    return cudaGetLastError();
}
