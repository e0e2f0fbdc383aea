// expect: for 7 row(s) of 1001 int(s), a stream of cudaStreamCreateWithFlags(cudaStreamNonBlocking), call 1 with the same memory
#include "forgotten_synchronise.h"

constexpr int threads_per_block = 256;

__global__ void add_row(const int* row, int n, long long* partial) {
    __shared__ unsigned long long sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    long long mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += row[i];
    atomicAdd(&sum, static_cast<unsigned long long>(mine));
    __syncthreads();
    if (threadIdx.x == 0) partial[blockIdx.x] = static_cast<long long>(sum);
}

// An event tells of the stream that it was recorded in.
cudaError_t add_rows(const int* values, int rows, int n, long long* partial, long long* sums, cudaStream_t stream) {
    long long* partial_on_device = nullptr;
    if (rows > 0) {
        const cudaError_t error = cudaHostGetDevicePointer(&partial_on_device, partial, 0);
        if (error != cudaSuccess) return error;
    }
    for (int row = 0; row < rows; ++row) {
        const std::size_t first = static_cast<std::size_t>(row) * n;
        add_row<<<blocks_per_row, threads_per_block, 0, stream>>>(values + first, n,
                                                                  partial_on_device + row * blocks_per_row);
        const cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess) return error;
    }
    cudaEvent_t done;
    if (const cudaError_t error = cudaEventCreate(&done)) return error;
    cudaError_t error = cudaEventRecord(done);
    if (error == cudaSuccess) error = cudaEventSynchronize(done);
    cudaEventDestroy(done);
    if (error != cudaSuccess) return error;
    for (int row = 0; row < rows; ++row) {
        sums[row] = 0;
        for (int block = 0; block < blocks_per_row; ++block) sums[row] += partial[row * blocks_per_row + block];
    }
    return cudaSuccess;
}
