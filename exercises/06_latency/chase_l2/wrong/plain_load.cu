// expect: L1 hits of the last 4096 timed loads: expected at most 0 (all go to L2), counted 4096
#include "chase_l2.h"

// Warmed up, and answered by L1 as long as that holds the chain.

struct Walk {
    long long cycles;
    const Element* end;
};

__device__ const Element* next(const Element* element) { return element->next; }

// One thread. Each load takes its address from the one before.
__global__ void follow(const Element* first, unsigned elements, unsigned loads, Walk* walk) {
    const Element* element = first;
    for (unsigned i = 0; i < elements; ++i) element = next(element);  // L2 has all of them now; back at first

    const long long start = clock64();
    for (unsigned i = 0; i < loads; ++i) element = next(element);
    *walk = {clock64() - start, element};  // the end of the chain is stored, so that no load can be left out
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
