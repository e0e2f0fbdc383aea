// expect: global load sectors: expected at most 32785 (those in which the samples lie, and 16 for edges), counted 262144
#include "shifted_copy.h"

// One lane is never misaligned, and never shares a sector with another.
__global__ void copy(int* to, const int* from, int n) {
    for (int i = 0; i < n; ++i) to[i] = from[i];
}

cudaError_t copy_samples(int* to, const int* from, int n) {
    copy<<<1, 1>>>(to, from, n);
    return cudaGetLastError();
}
