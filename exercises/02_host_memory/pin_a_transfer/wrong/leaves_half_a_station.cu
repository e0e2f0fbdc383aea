// expect: bytes still pinned: expected at most 0 (an open_station that fails leaves nothing behind), counted 4194304
#include "pin_a_transfer.h"

constexpr int threads_per_block = 256;

__global__ void calibrate(int* samples, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) samples[i] = 3 * samples[i] - 100;
}

// The second call can fail when the first has not.
cudaError_t open_station(Station* station, int n) {
    *station = Station{};
    station->n = n;
    const std::size_t bytes = n * sizeof(int);
    if (const cudaError_t error = cudaMallocHost(&station->input, bytes)) return error;
    if (const cudaError_t error = cudaMallocHost(&station->output, bytes)) return error;
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
    const cudaError_t input_error = cudaFreeHost(station->input);
    const cudaError_t output_error = cudaFreeHost(station->output);
    const cudaError_t device_error = cudaFree(station->on_device);
    *station = Station{};
    return input_error ? input_error : output_error ? output_error : device_error;
}
