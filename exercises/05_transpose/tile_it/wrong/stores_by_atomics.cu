// expect: global atomic requests: expected at most 0 (elements are stored), counted
#include "tile_it.h"

constexpr dim3 block(32, 8);

// Every thread moves one element.
__device__ void put(int* p, int v) { atomicExch(p, v); }
__device__ void put(double* p, double v) { atomicExch((unsigned long long*)p, (unsigned long long)__double_as_longlong(v)); }
template <class T>
__global__ void transpose_all(T* out, const T* in, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;

    // YOUR TASK: the result is right, and the loads of a warp lie side by side. Its stores do not: each lane's is in
    // another row of `out`. Let a block have a tile of the matrix in shared memory, so that both lie side by side.
    if (row < rows && column < columns) put(&out[column * rows + row], in[row * columns + column]);
}

template <class T>
cudaError_t launch(T* out, const T* in, int rows, int columns) {
    if (rows == 0 || columns == 0) return cudaSuccess;  // a grid of 0 blocks is an error
    const dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    transpose_all<<<grid, block>>>(out, in, rows, columns);
    return cudaGetLastError();
}

cudaError_t transpose(int* out, const int* in, int rows, int columns) { return launch(out, in, rows, columns); }

cudaError_t transpose(double* out, const double* in, int rows, int columns) { return launch(out, in, rows, columns); }
