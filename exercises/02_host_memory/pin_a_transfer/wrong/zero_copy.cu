// expect: bytes that cudaMemcpy or cudaMemcpyAsync copied to the device: expected 4, got 0
#include "pin_a_transfer.h"

constexpr int threads_per_block = 256;

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

__global__ void calibrate(const int* input, int* output, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = 3 * input[i] - 100;
}

// Pinned memory is mapped, so no copy is needed at all; but copies are what was asked for.
cudaError_t process(Station* station) {
    if (station->n == 0) return cudaSuccess;
    calibrate<<<(station->n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(
        station->input, station->output, station->n);
    if (const cudaError_t error = cudaGetLastError()) return error;
    return cudaDeviceSynchronize();
}

cudaError_t close_station(Station* station) {
    const cudaError_t input_error = cudaFreeHost(station->input);
    const cudaError_t output_error = cudaFreeHost(station->output);
    const cudaError_t device_error = cudaFree(station->on_device);
    *station = Station{};
    return input_error ? input_error : output_error ? output_error : device_error;
}
