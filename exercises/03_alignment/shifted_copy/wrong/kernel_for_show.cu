// expect: bytes of samples that no kernel loaded: expected at most 0 (a kernel copies), counted 1048576
#include "shifted_copy.h"

__global__ void nothing() {}

// cudaMemcpyAsync copies; the kernel is only there to be seen.
cudaError_t copy_samples(int* to, const int* from, int n) {
    nothing<<<1024, 256>>>();
    if (const cudaError_t error = cudaGetLastError()) return error;
    return cudaMemcpyAsync(to, from, n * sizeof(int), cudaMemcpyDeviceToDevice);
}
