// expect: kernel: expected a launch of 128 block(s) of 512 thread(s), got 64 of 1024
#define transpose solved  // all but this function is the solution
#include "solution.cu"
#undef transpose

cudaError_t transpose(int* out, const int* in, int rows, int columns, dim3 block) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    // If a block were square, nobody would mistake its sides.
    block = dim3(32, 32);
    const dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    transpose_each<<<grid, block>>>(out, in, rows, columns);
    return cudaGetLastError();
}
