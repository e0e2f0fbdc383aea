// expect: bytes of host memory that are lost: expected at most 2097151 (less than one array)
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
    cudaError_t error = cudaSuccess;
    if (n > 0) error = cudaHostRegister(station->input, bytes, cudaHostRegisterDefault);
    if (n > 0 && error == cudaSuccess) error = cudaHostRegister(station->output, bytes, cudaHostRegisterDefault);
    if (error == cudaSuccess) error = cudaMalloc(&station->on_device, bytes);
    if (error != cudaSuccess) close_station(station);
    return error;
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

// Memory that is pinned no more is still there.
cudaError_t close_station(Station* station) {
    if (station->n > 0) cudaHostUnregister(station->input);
    if (station->n > 0) cudaHostUnregister(station->output);
    const cudaError_t error = cudaFree(station->on_device);
    *station = Station{};
    return error;
}
