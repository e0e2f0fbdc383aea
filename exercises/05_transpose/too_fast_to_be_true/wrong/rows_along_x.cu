// expect: for 31 x 33 ints, blocks of 32 x 16
#define transpose solved  // all but this function is the solution
#include "solution.cu"
#undef transpose

cudaError_t transpose(int* out, const int* in, int rows, int columns, dim3 block) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    // With block.x along x and block.y along y. But what is counted there?
    const dim3 grid((rows + block.x - 1) / block.x, (columns + block.y - 1) / block.y);
    transpose_each<<<grid, block>>>(out, in, rows, columns);
    return cudaGetLastError();
}
