// expect: bytes copied to the host: expected at most 0 (the samples stay on the GPU), counted 4
#include "shifted_copy.h"

#include <vector>

// No kernel, no misaligned request.
cudaError_t copy_samples(int* to, const int* from, int n) {
    std::vector<int> samples(n);
    if (const cudaError_t error = cudaMemcpy(samples.data(), from, n * sizeof(int), cudaMemcpyDeviceToHost))
        return error;
    return cudaMemcpy(to, samples.data(), n * sizeof(int), cudaMemcpyHostToDevice);
}
