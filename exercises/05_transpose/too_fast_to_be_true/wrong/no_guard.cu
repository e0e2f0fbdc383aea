// expect: transpose: expected cudaSuccess, got cudaErrorIllegalAddress
#define transpose solved  // all but this function is the solution
#include "solution.cu"
#undef transpose

// The grid covers the matrix now, so that nothing has to be left out?
__global__ void transpose_unguarded(int* out, const int* in, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    out[column * rows + row] = in[row * columns + column];
}

cudaError_t transpose(int* out, const int* in, int rows, int columns, dim3 block) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    const dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    transpose_unguarded<<<grid, block>>>(out, in, rows, columns);
    return cudaGetLastError();
}
