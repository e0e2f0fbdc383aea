#include <cstdlib>

#include "pin_a_transfer.h"

constexpr int threads_per_block = 256;

__global__ void calibrate(int* samples, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) samples[i] = 3 * samples[i] - 100;
}

// YOUR TASK: the results are right, but every copy goes through pageable memory. Let `input` and `output` be pinned.
// Then look at what else must change with them, in all three functions.
cudaError_t open_station(Station* station, int n) {
    *station = Station{};
    station->n = n;
    const std::size_t bytes = n * sizeof(int);
    station->input = static_cast<int*>(std::malloc(bytes));
    station->output = static_cast<int*>(std::malloc(bytes));
    cudaError_t error = cudaSuccess;
    if (bytes > 0 && (!station->input || !station->output)) error = cudaErrorMemoryAllocation;
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
    return cudaMemcpyAsync(station->output, station->on_device, bytes, cudaMemcpyDeviceToHost);
}

cudaError_t close_station(Station* station) {
    std::free(station->input);
    std::free(station->output);
    const cudaError_t error = cudaFree(station->on_device);
    *station = Station{};
    return error;
}
