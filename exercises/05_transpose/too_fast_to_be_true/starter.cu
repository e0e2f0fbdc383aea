#include <algorithm>
#include <chrono>
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
    // YOUR TASK (1 of 4): what does the kernel count along x, and what along y?
    const dim3 grid((rows + block.y - 1) / block.y, (columns + block.x - 1) / block.x);
    transpose_each<<<grid, block>>>(out, in, rows, columns);
    return cudaGetLastError();
}

bool is_transpose(const int* out, const int* in, int rows, int columns) {
    // YOUR TASK (2 of 4): would this notice?
    for (int row = 0; row < std::min(rows, 32); ++row)
        for (int column = 0; column < std::min(columns, 32); ++column)
            if (out[column * rows + row] != in[row * columns + column]) return false;
    return true;
}

double gigabytes_per_second(int rows, int columns, double seconds) {
    // YOUR TASK (3 of 4): which bytes are counted, and how many are a gigabyte? What if there are very many, or none?
    const int bytes = rows * columns * sizeof(int);
    return bytes / seconds / (1 << 30);
}

// Gives back what it has when it goes.
struct Matrices {
    int *in = nullptr, *out = nullptr;
    ~Matrices() {
        cudaFree(in);
        cudaFree(out);
    }
};

cudaError_t measure(Transpose function, int rows, int columns, dim3 block, Measurement* measurement) {
    *measurement = {false, 0, 0};
    std::vector<int> input(std::size_t(rows) * columns), output(input.size());
    std::iota(input.begin(), input.end(), 1);
    const std::size_t bytes = input.size() * sizeof(int);

    Matrices on_gpu;
    if (const cudaError_t error = cudaMalloc(&on_gpu.in, bytes)) return error;
    if (const cudaError_t error = cudaMalloc(&on_gpu.out, bytes)) return error;
    if (const cudaError_t error = cudaMemcpy(on_gpu.in, input.data(), bytes, cudaMemcpyHostToDevice)) return error;

    // YOUR TASK (4 of 4): whose time is this? And which result is looked at, and when?
    const auto start = std::chrono::steady_clock::now();
    if (const cudaError_t error = function(on_gpu.out, on_gpu.in, rows, columns, block)) return error;
    const auto stop = std::chrono::steady_clock::now();

    const double seconds = std::chrono::duration<double>(stop - start).count();
    *measurement = {true, seconds, gigabytes_per_second(rows, columns, seconds)};
    if (const cudaError_t error = cudaMemcpy(output.data(), on_gpu.out, bytes, cudaMemcpyDeviceToHost)) return error;
    measurement->right = is_transpose(output.data(), input.data(), rows, columns);
    return cudaSuccess;
}
