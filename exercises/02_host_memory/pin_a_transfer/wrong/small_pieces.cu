// expect: (half of what one copy of pageable memory takes)
#include <algorithm>

#include "pin_a_transfer.h"

constexpr int threads_per_block = 256;

__global__ void calibrate(int* samples, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) samples[i] = 3 * samples[i] - 100;
}

cudaError_t open_station(Station* station, int n) {
    *station = Station{};
    station->n = n;
    const std::size_t bytes = n * sizeof(int);
    cudaError_t error = cudaMallocHost(&station->input, bytes);
    if (error == cudaSuccess) error = cudaMallocHost(&station->output, bytes);
    if (error == cudaSuccess) error = cudaMalloc(&station->on_device, bytes);
    if (error != cudaSuccess) close_station(station);
    return error;
}

// Pinned, but 4 KiB at a time: each copy has a price of its own.
cudaError_t process(Station* station) {
    constexpr int piece = 1024;
    const int n = station->n;
    if (n == 0) return cudaSuccess;
    for (int first = 0; first < n; first += piece) {
        const std::size_t bytes = std::min(piece, n - first) * sizeof(int);
        const cudaError_t error =
            cudaMemcpyAsync(station->on_device + first, station->input + first, bytes, cudaMemcpyHostToDevice);
        if (error != cudaSuccess) return error;
    }
    calibrate<<<(n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(station->on_device, n);
    if (const cudaError_t error = cudaGetLastError()) return error;
    for (int first = 0; first < n; first += piece) {
        const std::size_t bytes = std::min(piece, n - first) * sizeof(int);
        const cudaError_t error =
            cudaMemcpyAsync(station->output + first, station->on_device + first, bytes, cudaMemcpyDeviceToHost);
        if (error != cudaSuccess) return error;
    }
    return cudaDeviceSynchronize();
}

cudaError_t close_station(Station* station) {
    const cudaError_t input_error = cudaFreeHost(station->input);
    const cudaError_t output_error = cudaFreeHost(station->output);
    const cudaError_t device_error = cudaFree(station->on_device);
    *station = Station{};
    return input_error ? input_error : output_error ? output_error : device_error;
}
