// expect: transpose: expected the error cudaErrorInvalidConfiguration, got cudaSuccess
#define transpose solved  // all but this function is the solution
#include "solution.cu"
#undef transpose

cudaError_t transpose(int* out, const int* in, int rows, int columns, dim3 block) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    const dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    transpose_each<<<grid, block>>>(out, in, rows, columns);
    return cudaSuccess;  // a launch returns nothing, so nothing can have failed?
}
