// expect: input: expected pinned host memory, got pageable host memory
#include <cstdlib>
#include <cstring>

#include "pin_a_transfer.h"

constexpr int threads_per_block = 256;

__global__ void calibrate(int* samples, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) samples[i] = 3 * samples[i] - 100;
}

int* pinned = nullptr;  // for all stations, as large as the largest
int room = 0;

// What the driver does anyway: a pinned buffer through which all bytes go.
cudaError_t open_station(Station* station, int n) {
    *station = Station{};
    station->n = n;
    if (n > room) {
        cudaFreeHost(pinned);
        room = 0;
        if (const cudaError_t error = cudaMallocHost(&pinned, n * sizeof(int))) return error;
        room = n;
    }
    station->input = static_cast<int*>(std::malloc(n * sizeof(int)));
    station->output = static_cast<int*>(std::malloc(n * sizeof(int)));
    return cudaMalloc(&station->on_device, n * sizeof(int));
}

cudaError_t process(Station* station) {
    if (station->n == 0) return cudaSuccess;
    const std::size_t bytes = station->n * sizeof(int);
    std::memcpy(pinned, station->input, bytes);
    cudaError_t error = cudaMemcpy(station->on_device, pinned, bytes, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) return error;
    calibrate<<<(station->n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(station->on_device,
                                                                                               station->n);
    error = cudaGetLastError();
    if (error != cudaSuccess) return error;
    error = cudaMemcpy(pinned, station->on_device, bytes, cudaMemcpyDeviceToHost);
    std::memcpy(station->output, pinned, bytes);
    return error;
}

cudaError_t close_station(Station* station) {
    std::free(station->input);
    std::free(station->output);
    const cudaError_t error = cudaFree(station->on_device);
    *station = Station{};
    return error;
}
