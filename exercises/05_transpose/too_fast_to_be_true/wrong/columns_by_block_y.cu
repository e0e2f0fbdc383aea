// expect: out, row 0, column 128: expected 32769, got -7, which was there before (32768 of 65536 elements are wrong)
#define transpose solved  // all but this function is the solution
#include "solution.cu"
#undef transpose

cudaError_t transpose(int* out, const int* in, int rows, int columns, dim3 block) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    // Columns along x and rows along y. But how many of them has a block?
    const dim3 grid((columns + block.y - 1) / block.y, (rows + block.x - 1) / block.x);
    transpose_each<<<grid, block>>>(out, in, rows, columns);
    return cudaGetLastError();
}
