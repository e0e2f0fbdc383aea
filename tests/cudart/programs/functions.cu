// What a program can ask about its kernels.
#include "show.h"

__global__ void plain(int, double, char, float4) {}
__global__ void __launch_bounds__(64) bounded() {}
__global__ void with_shared(int* out) {
    __shared__ int values[1000];
    values[threadIdx.x] = 1;
    __syncthreads();
    *out = values[3];
}

int main() {
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, plain);
    std::printf("plain: %d threads, %zu + %d shared bytes\n", attributes.maxThreadsPerBlock, attributes.sharedSizeBytes,
                attributes.maxDynamicSharedSizeBytes);
    cudaFuncGetAttributes(&attributes, bounded);
    std::printf("bounded: %d threads\n", attributes.maxThreadsPerBlock);
    cudaFuncGetAttributes(&attributes, with_shared);
    std::printf("with_shared: %zu + %d shared bytes, ptx %d\n", attributes.sharedSizeBytes,
                attributes.maxDynamicSharedSizeBytes, attributes.ptxVersion);
    SHOW(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    SHOW(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 228448));
    SHOW(cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    SHOW(cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxL1));
    SHOW(cudaFuncSetCacheConfig(plain, static_cast<cudaFuncCache>(7)));
    for (int threads : {32, 64, 100, 128, 256, 384, 512, 768, 1024, 1025}) {
        int blocks = -1;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, threads, 0);
        std::printf("%d threads: %d blocks\n", threads, blocks);
    }
    int blocks = -1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 32, 40000);
    std::printf("40000 shared bytes: %d blocks\n", blocks);
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 0, 0));
    int grid = 0, block = 0;
    SHOW(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 0));
    std::printf("suggested: %d blocks of %d threads\n", grid, block);
    return 0;
}
