// expect: kernel: expected a launch of 128 block(s) of 512 thread(s), got 256 of 512
#define transpose solved  // all but this function is the solution
#include "solution.cu"
#undef transpose

cudaError_t transpose(int* out, const int* in, int rows, int columns, dim3 block) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    // As many blocks along each side as could be needed: right, and most of them have nothing to do.
    const int longest = std::max(rows, columns), shortest = std::min(block.x, block.y);
    const dim3 grid((longest + shortest - 1) / shortest, (longest + shortest - 1) / shortest);
    transpose_each<<<grid, block>>>(out, in, rows, columns);
    return cudaGetLastError();
}
