// Start-up: one small kernel, and how long the program took from its start to the kernel's result.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void set_to_one(int* p) { *p = 1; }

int main() {
    int* p = nullptr;
    int value = 0;
    cudaMalloc(&p, sizeof *p);
    set_to_one<<<1, 1>>>(p);
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
    return value == 1 ? 0 : 1;
}
