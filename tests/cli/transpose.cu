// A matrix of 128 x 128 ints, copied by rows and by columns, transposed reading rows and reading columns: one launch each, blocks of 32 x 16.
#include <cstdio>

constexpr int n = 128;

__device__ int row() { return blockIdx.y * blockDim.y + threadIdx.y; }
__device__ int column() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void copy_row(const int* in, int* out) { out[row() * n + column()] = in[row() * n + column()]; }
__global__ void copy_col(const int* in, int* out) { out[column() * n + row()] = in[column() * n + row()]; }
__global__ void naive_row(const int* in, int* out) { out[column() * n + row()] = in[row() * n + column()]; }
__global__ void naive_col(const int* in, int* out) { out[row() * n + column()] = in[column() * n + row()]; }

int main() {
    int *in, *out;
    if (cudaMalloc(&in, n * n * sizeof(int)) != cudaSuccess || cudaMalloc(&out, n * n * sizeof(int)) != cudaSuccess) return 1;
    cudaMemset(in, 0, n * n * sizeof(int));
    const dim3 block(32, 16), grid(n / 32, n / 16);
    copy_row<<<grid, block>>>(in, out);
    copy_col<<<grid, block>>>(in, out);
    naive_row<<<grid, block>>>(in, out);
    naive_col<<<grid, block>>>(in, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
