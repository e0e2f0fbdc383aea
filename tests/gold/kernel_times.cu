// Times of kernels, by events: an empty one, vector additions, and copies and transposes of a matrix of N x N ints (argument, default 4096) by blocks of
// 32 x 16. Printed as `name value unit`; h200_kernel_times.txt is what an H200 printed for N = 16384.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

__global__ void empty() {}
__global__ void add(const int* a, const int* b, int* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
__device__ int column() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int row() { return blockIdx.y * blockDim.y + threadIdx.y; }
__global__ void copy_row(const int* in, int* out, int n) { out[row() * n + column()] = in[row() * n + column()]; }
__global__ void copy_col(const int* in, int* out, int n) { out[column() * n + row()] = in[column() * n + row()]; }
__global__ void naive_row(const int* in, int* out, int n) { out[column() * n + row()] = in[row() * n + column()]; }
__global__ void naive_col(const int* in, int* out, int n) { out[row() * n + column()] = in[column() * n + row()]; }

// Milliseconds: the median of `runs` after one that does not count.
template <class Launch>
float median(int runs, Launch launch) {
    cudaEvent_t start, end;
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    launch();
    std::vector<float> times(runs);
    for (float& time : times) {
        cudaEventRecord(start);
        launch();
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        cudaEventElapsedTime(&time, start, end);
    }
    std::sort(times.begin(), times.end());
    return times[runs / 2];
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 4096;
    const int runs = argc > 2 ? std::atoi(argv[2]) : 1;
    constexpr int most = 1 << 24;
    int *a, *b, *c, *in, *out;
    if (cudaMalloc(&a, most * sizeof(int)) || cudaMalloc(&b, most * sizeof(int)) || cudaMalloc(&c, most * sizeof(int)) ||
        cudaMalloc(&in, sizeof(int) * n * n) || cudaMalloc(&out, sizeof(int) * n * n)) return 1;
    std::printf("empty %.5f ms\n", median(runs, [] { empty<<<1, 32>>>(); }));
    for (int log = 10; log <= 24; log += 2)
        std::printf("add_2^%d %.5f ms\n", log, median(runs, [&] { add<<<((1 << log) + 255) / 256, 256>>>(a, b, c, 1 << log); }));
    for (const int threads : {32, 64, 128, 512, 1024})
        std::printf("add_blocks_of_%d %.5f ms\n", threads, median(runs, [&] { add<<<most / threads, threads>>>(a, b, c, most); }));
    const dim3 block(32, 16), grid(n / 32, n / 16);
    const auto matrix = [&](const char* name, void (*kernel)(const int*, int*, int)) {
        const float ms = median(runs, [&] { kernel<<<grid, block>>>(in, out, n); });
        std::printf("%s %.0f GB/s\n", name, 2.0 * n * n * sizeof(int) / ms / 1e6);
    };
    matrix("copy_row", copy_row);
    matrix("copy_col", copy_col);
    matrix("naive_row", naive_row);
    matrix("naive_col", naive_col);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
