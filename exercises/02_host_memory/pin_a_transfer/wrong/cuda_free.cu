// expect: bytes still pinned after close_station: expected at most 0
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

// cudaFree does not know pinned memory, and says so to nobody.
cudaError_t close_station(Station* station) {
    cudaFree(station->input);
    cudaFree(station->output);
    const cudaError_t device_error = cudaFree(station->on_device);
    *station = Station{};
    return device_error;
}
