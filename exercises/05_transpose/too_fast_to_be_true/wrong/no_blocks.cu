// expect: transpose: expected cudaSuccess, got cudaErrorInvalidConfiguration
#define transpose solved  // all but this function is the solution
#include "solution.cu"
#undef transpose

cudaError_t transpose(int* out, const int* in, int rows, int columns, dim3 block) {
    // No rows, no blocks: that is an error.
    const dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    transpose_each<<<grid, block>>>(out, in, rows, columns);
    return cudaGetLastError();
}
