// expect: open_station: expected the error cudaErrorMemoryAllocation, got cudaSuccess
#include <cstdlib>

#include "pin_a_transfer.h"

constexpr int threads_per_block = 256;

__global__ void calibrate(int* samples, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) samples[i] = 3 * samples[i] - 100;
}

// If memory cannot be pinned, other memory will do?
int* host_array(std::size_t bytes) {
    int* array = nullptr;
    if (cudaMallocHost(&array, bytes) == cudaSuccess) return array;
    return static_cast<int*>(std::malloc(bytes));
}

cudaError_t open_station(Station* station, int n) {
    *station = Station{};
    station->n = n;
    const std::size_t bytes = n * sizeof(int);
    station->input = host_array(bytes);
    station->output = host_array(bytes);
    const cudaError_t error = cudaMalloc(&station->on_device, bytes);
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

cudaError_t close_station(Station* station) {
    const cudaError_t input_error = cudaFreeHost(station->input);
    const cudaError_t output_error = cudaFreeHost(station->output);
    const cudaError_t device_error = cudaFree(station->on_device);
    *station = Station{};
    return input_error ? input_error : output_error ? output_error : device_error;
}
