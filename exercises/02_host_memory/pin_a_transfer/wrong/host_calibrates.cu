// expect: bytes of samples that no kernel loaded: expected at most 0 (the GPU calibrates), counted 8388608
#include "pin_a_transfer.h"

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

// Copies both ways, and works on the host.
cudaError_t process(Station* station) {
    if (station->n == 0) return cudaSuccess;
    const std::size_t bytes = station->n * sizeof(int);
    cudaError_t error = cudaMemcpy(station->on_device, station->input, bytes, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) return error;
    error = cudaMemcpy(station->output, station->on_device, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < station->n; ++i) station->output[i] = 3 * station->output[i] - 100;
    return error;
}

cudaError_t close_station(Station* station) {
    const cudaError_t input_error = cudaFreeHost(station->input);
    const cudaError_t output_error = cudaFreeHost(station->output);
    const cudaError_t device_error = cudaFree(station->on_device);
    *station = Station{};
    return input_error ? input_error : output_error ? output_error : device_error;
}
