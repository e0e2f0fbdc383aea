// expect: load requests of the 1024 loads more: expected 1024, got 0
#include "chase_l2.h"

// Nobody needs where the timed loads lead (the end is found with others), so the compiler leaves them out.

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
    const Element* timed = first;
    for (unsigned i = 0; i < loads; ++i) timed = next(timed);
    const long long stop = clock64();
    *walk = {stop - start, first};
}

cudaError_t chase_l2(const Element* first, unsigned elements, unsigned loads, Chase* chase) {
    Walk* on_gpu = nullptr;
    if (const cudaError_t error = cudaMalloc(&on_gpu, sizeof *on_gpu)) return error;
    follow<<<1, 1>>>(first, elements, loads, on_gpu);
    Walk walk{};
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaMemcpy(&walk, on_gpu, sizeof walk, cudaMemcpyDeviceToHost);
    cudaFree(on_gpu);
    for (unsigned i = 0; error == cudaSuccess && i < loads % elements; ++i)  // no kernel, no load
        error = cudaMemcpy(&walk.end, &walk.end->next, sizeof walk.end, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess) *chase = {double(walk.cycles) / loads, walk.end};
    return error;
}
