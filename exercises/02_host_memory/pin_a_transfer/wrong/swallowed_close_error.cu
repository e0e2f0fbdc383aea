// expect: close_station: expected the error cudaErrorIllegalAddress, got cudaSuccess
#include "pin_a_transfer.h"

constexpr int threads_per_block = 256;

__global__ void calibrate(int* samples, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) samples[i] = 3 * samples[i] - 100;
}

// The memory is pinned once. Each pointer is null until there is memory behind it, so that closing gives back what was
// taken before something failed.
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

cudaError_t process(Station* station) {
    if (station->n == 0) return cudaSuccess;  // a grid of 0 blocks is an error
    const std::size_t bytes = station->n * sizeof(int);
    cudaError_t error = cudaMemcpyAsync(station->on_device, station->input, bytes, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) return error;
    const int blocks = (station->n + threads_per_block - 1) / threads_per_block;
    calibrate<<<blocks, threads_per_block>>>(station->on_device, station->n);
    error = cudaGetLastError();
    if (error != cudaSuccess) return error;
    error = cudaMemcpyAsync(station->output, station->on_device, bytes, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) return error;
    return cudaStreamSynchronize(cudaStreamLegacy);  // a copy to pinned memory has only been queued
}

cudaError_t close_station(Station* station) {
    cudaFreeHost(station->input); cudaFreeHost(station->output); cudaFree(station->on_device);
    *station = Station{};
    return cudaSuccess;
}
