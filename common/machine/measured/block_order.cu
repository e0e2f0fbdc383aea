// Where does a GPU place the blocks of a grid, and in which order do they store? What it printed on an H200
// is in h200_block_order.txt.
//
//   nvcc -std=c++17 -O3 -arch=compute_75 -code=compute_75 -cudart shared block_order.cu -o block_order && ./block_order
//
// `last store`: every block stores to the same element; which block's value is left, in 300 launches ("5:282":
// block 5's value 282 times; -1: the 64 elements did not all come from one block). `constant`: the value is
// loaded from __constant__ memory first.
#include <cuda_runtime.h>

#include <cstdio>
#include <map>

__constant__ int numbers[64];
__global__ void store_constant(int* c) { c[threadIdx.x] = numbers[blockIdx.x]; }
__global__ void store_block(int* c) { c[threadIdx.x] = blockIdx.x; }
__global__ void store_sm(int* c) {
    unsigned sm;
    asm("mov.u32 %0, %%smid;" : "=r"(sm));
    if (threadIdx.x == 0) c[blockIdx.x] = sm;
}

void print(const char* what, const std::map<int, int>& counts) {
    std::printf("  last store, %s:", what);
    for (const auto& [block, count] : counts) std::printf(" %d:%d", block, count);
    std::printf("\n");
}

int main() {
    int host[4096];
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMemcpyToSymbol(numbers, host, 64 * sizeof(int));
    int* device;
    cudaMalloc(&device, sizeof host);
    for (const int blocks : {2, 4, 8, 16, 32, 64, 132, 600}) {
        std::printf("%d blocks\n", blocks);
        std::map<int, int> constant, plain;
        for (int launch = 0; launch < 300; ++launch) {
            if (blocks <= 64) {
                store_constant<<<blocks, 64>>>(device);
                cudaMemcpy(host, device, 256, cudaMemcpyDeviceToHost);
                ++constant[host[0] == host[63] ? host[0] : -1];
            }
            store_block<<<blocks, 64>>>(device);
            cudaMemcpy(host, device, 256, cudaMemcpyDeviceToHost);
            ++plain[host[0] == host[63] ? host[0] : -1];
        }
        print("constant", constant);
        print("plain", plain);
        store_sm<<<blocks, blocks == 600 ? 1024 : 64>>>(device);
        cudaMemcpy(host, device, blocks * sizeof(int), cudaMemcpyDeviceToHost);
        std::printf("  SM of each block:");
        for (int i = 0; i < blocks; ++i) std::printf(" %d", host[i]);
        std::printf("\n");
    }
}
