// A kernel's error is found by the next wait and stays.
#include <cstring>

#include "show.h"

__global__ void write(int* where) { *where = 1; }
__global__ void trap() { __trap(); }
__global__ void past_the_end(int* values) { values[threadIdx.x + 1] = 1; }

int main(int, char** arguments) {
    int* device = nullptr;
    cudaMalloc(&device, 32 * sizeof(int));
    int host = 0;
    const char* which = arguments[1];
    if (!std::strcmp(which, "host pointer")) write<<<1, 1>>>(&host);
    if (!std::strcmp(which, "trap")) trap<<<1, 1>>>();
    if (!std::strcmp(which, "past the end")) past_the_end<<<1, 32>>>(device);
    SHOW(cudaGetLastError());
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaGetLastError());
    SHOW(cudaGetLastError());
    SHOW(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
    SHOW(cudaMalloc(&device, 4));
    SHOW(cudaGetDevice(&host));
    SHOW(cudaDeviceReset());
    SHOW(cudaDeviceSynchronize());
    return 0;
}
