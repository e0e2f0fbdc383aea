// expect: calls that allocate or pin memory, in three calls of process: expected at most 0 (open_station has done it), counted 6
#include <cstdlib>

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
    station->input = static_cast<int*>(std::malloc(bytes));
    station->output = static_cast<int*>(std::malloc(bytes));
    return cudaMalloc(&station->on_device, bytes);
}

cudaError_t copy_and_calibrate(Station* station) {
    const std::size_t bytes = station->n * sizeof(int);
    cudaError_t error = cudaMemcpy(station->on_device, station->input, bytes, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) return error;
    calibrate<<<(station->n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(station->on_device,
                                                                                               station->n);
    error = cudaGetLastError();
    if (error != cudaSuccess) return error;
    return cudaMemcpy(station->output, station->on_device, bytes, cudaMemcpyDeviceToHost);
}

// Pins when it copies.
cudaError_t process(Station* station) {
    if (station->n == 0) return cudaSuccess;
    const std::size_t bytes = station->n * sizeof(int);
    if (const cudaError_t error = cudaHostRegister(station->input, bytes, cudaHostRegisterDefault)) return error;
    if (const cudaError_t error = cudaHostRegister(station->output, bytes, cudaHostRegisterDefault)) return error;
    const cudaError_t error = copy_and_calibrate(station);
    cudaHostUnregister(station->input);
    cudaHostUnregister(station->output);
    return error;
}

cudaError_t close_station(Station* station) {
    std::free(station->input);
    std::free(station->output);
    const cudaError_t error = cudaFree(station->on_device);
    *station = Station{};
    return error;
}
