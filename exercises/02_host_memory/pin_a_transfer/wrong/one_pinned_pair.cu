// expect: for n = 1, call 1, beside a second station
#include "pin_a_transfer.h"

constexpr int threads_per_block = 256;

__global__ void calibrate(int* samples, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) samples[i] = 3 * samples[i] - 100;
}

int *input = nullptr, *output = nullptr;  // pinned once for all

cudaError_t open_station(Station* station, int n) {
    constexpr int most = 1 << 22;
    *station = Station{};
    station->n = n;
    const std::size_t bytes = n * sizeof(int);
    if (!input) {
        if (const cudaError_t error = cudaMallocHost(&input, most * sizeof(int))) return error;
        if (const cudaError_t error = cudaMallocHost(&output, most * sizeof(int))) return error;
    }
    station->input = input;
    station->output = output;
    return cudaMalloc(&station->on_device, bytes);
}

cudaError_t process(Station* station) {
    if (station->n == 0) return cudaSuccess;
    const std::size_t bytes = station->n * sizeof(int);
    cudaError_t error = cudaMemcpy(station->on_device, station->input, bytes, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) return error;
    calibrate<<<(station->n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(station->on_device,
                                                                                               station->n);
    error = cudaGetLastError();
    if (error != cudaSuccess) return error;
    return cudaMemcpy(station->output, station->on_device, bytes, cudaMemcpyDeviceToHost);
}

cudaError_t close_station(Station* station) {
    const cudaError_t error = cudaFree(station->on_device);
    *station = Station{};
    return error;
}
