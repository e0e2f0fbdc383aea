// Launches that CUDA refuses. Each leaves its error for cudaGetLastError and nothing runs.
#include "show.h"

__global__ void nothing() {}
__global__ void __launch_bounds__(64) bounded() {}
__global__ void shared(int* out) {
    extern __shared__ int values[];
    values[threadIdx.x] = 1;
    __syncthreads();
    if (out) *out = values[0];
}

#define LAUNCH(...) (__VA_ARGS__, cudaGetLastError())

int main() {
    SHOW(LAUNCH(nothing<<<0, 1>>>()));
    SHOW(LAUNCH(nothing<<<1, 0>>>()));
    SHOW(LAUNCH(nothing<<<1, 1025>>>()));
    SHOW(LAUNCH(nothing<<<1, dim3(1, 1, 65)>>>()));
    SHOW(LAUNCH(nothing<<<dim3(1, 65536), 1>>>()));
    SHOW(LAUNCH(bounded<<<1, 65>>>()));
    SHOW(LAUNCH(shared<<<1, 1, 49152>>>(nullptr)));
    SHOW(LAUNCH(shared<<<1, 1, 49153>>>(nullptr)));
    SHOW(cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    SHOW(LAUNCH(shared<<<1, 1, 100000>>>(nullptr)));
    SHOW(LAUNCH(shared<<<1, 1, 100001>>>(nullptr)));
    SHOW(cudaLaunchCooperativeKernel(nothing, dim3(100000), dim3(1024), nullptr, 0, nullptr));
    SHOW(cudaDeviceSynchronize());
    return 0;
}
