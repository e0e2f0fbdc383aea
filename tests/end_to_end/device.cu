// Prints which GPU it runs on, and what two threads compute there.
#include <cstdio>

#include "tutorial/check.cuh"

__global__ void square(int* data) { data[threadIdx.x] *= data[threadIdx.x]; }

int main(int argc, char** argv) {
    cudaDeviceProp properties;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    std::printf("%s, %d.%d\n", properties.name, properties.major, properties.minor);

    int values[2] = {3, argc};
    int* data = nullptr;
    CUDA_CHECK(cudaMalloc(&data, sizeof values));
    CUDA_CHECK(cudaMemcpy(data, values, sizeof values, cudaMemcpyHostToDevice));
    square<<<1, 2>>>(data);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(values, data, sizeof values, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(data));
    std::printf("%d %d\n", values[0], values[1]);
    return argc > 1 ? 5 : 0;
}
