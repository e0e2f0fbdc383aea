// expect: load sectors of the 1024 loads more: expected 1024, got
#include "chase_l2.h"

// Each lane begins at another element: 32 chases, and up to 32 sectors in every request.

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
    for (unsigned i = 0; i < threadIdx.x; ++i) element = next(element);
    for (unsigned i = 0; i < elements; ++i) element = next(element);  // L2 has all of them now; back at first

    const long long start = clock64();
    for (unsigned i = 0; i < loads; ++i) element = next(element);
    if (threadIdx.x == 0)
        *walk = {clock64() - start, element};  // the end of the chain is stored, so that no load can be left out
}

cudaError_t chase_l2(const Element* first, unsigned elements, unsigned loads, Chase* chase) {
    Walk* on_gpu = nullptr;
    if (const cudaError_t error = cudaMalloc(&on_gpu, sizeof *on_gpu)) return error;
    follow<<<1, 32>>>(first, elements, loads, on_gpu);
    Walk walk{};
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaMemcpy(&walk, on_gpu, sizeof walk, cudaMemcpyDeviceToHost);
    cudaFree(on_gpu);
    if (error == cudaSuccess) *chase = {double(walk.cycles) / loads, walk.end};
    return error;
}
