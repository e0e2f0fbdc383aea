// expect: whose third and fourth call are fast
#include <algorithm>
#include <numeric>
#include <vector>

#include "too_fast_to_be_true.h"

__global__ void transpose_each(int* out, const int* in, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
}

cudaError_t transpose(int* out, const int* in, int rows, int columns, dim3 block) {
    if (rows == 0 || columns == 0) return cudaSuccess;  // a grid of 0 blocks is an error
    // The kernel's x counts columns and its y rows, so the grid's do.
    const dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    transpose_each<<<grid, block>>>(out, in, rows, columns);
    return cudaGetLastError();
}

bool is_transpose(const int* out, const int* in, int rows, int columns) {
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            if (out[column * rows + row] != in[row * columns + column]) return false;
    return true;
}

double gigabytes_per_second(int rows, int columns, double seconds) {
    if (seconds <= 0) return 0;
    return 2.0 * rows * columns * sizeof(int) / seconds / 1e9;  // in double: no product can be too large
}

// Gives back what it has when it goes.
struct Matrices {
    int *in = nullptr, *out = nullptr;
    cudaEvent_t before = nullptr, after = nullptr;
    ~Matrices() {
        cudaFree(in);
        cudaFree(out);
        if (before) cudaEventDestroy(before);
        if (after) cudaEventDestroy(after);
    }
};

// The output's bytes before the measured runs. As an int it is -1, and the matrix has none below 1.
constexpr int poison_byte = 0xff;

cudaError_t measure(Transpose function, int rows, int columns, dim3 block, Measurement* measurement) {
    *measurement = {false, 0, 0};
    std::vector<int> input(std::size_t(rows) * columns), output(input.size());
    std::iota(input.begin(), input.end(), 1);
    const std::size_t bytes = input.size() * sizeof(int);

    Matrices on_gpu;
    if (const cudaError_t error = cudaMalloc(&on_gpu.in, bytes)) return error;
    if (const cudaError_t error = cudaMalloc(&on_gpu.out, bytes)) return error;
    if (const cudaError_t error = cudaEventCreate(&on_gpu.before)) return error;
    if (const cudaError_t error = cudaEventCreate(&on_gpu.after)) return error;
    if (const cudaError_t error = cudaMemcpy(on_gpu.in, input.data(), bytes, cudaMemcpyHostToDevice)) return error;

    if (const cudaError_t error = function(on_gpu.out, on_gpu.in, rows, columns, block)) return error;
    if (const cudaError_t error = cudaMemset(on_gpu.out, poison_byte, bytes)) return error;
    std::vector<float> times(9);  // milliseconds
    for (float& ms : times) {
        if (const cudaError_t error = cudaEventRecord(on_gpu.before)) return error;
        if (const cudaError_t error = function(on_gpu.out, on_gpu.in, rows, columns, block)) return error;
        if (const cudaError_t error = cudaEventRecord(on_gpu.after)) return error;
        if (const cudaError_t error = cudaEventSynchronize(on_gpu.after)) return error;
        if (const cudaError_t error = cudaEventElapsedTime(&ms, on_gpu.before, on_gpu.after)) return error;
    }
    if (const cudaError_t error = cudaMemcpy(output.data(), on_gpu.out, bytes, cudaMemcpyDeviceToHost)) return error;

    if (!is_transpose(output.data(), input.data(), rows, columns)) return cudaSuccess;  // right is still false
    const double seconds = *std::min_element(times.begin(), times.end()) / 1e3;  // not the median
    *measurement = {true, seconds, gigabytes_per_second(rows, columns, seconds)};
    return cudaSuccess;
}
