// expect: expected a kernel to run, but none was launched
#include "shifted_copy.h"

// The right thing in a program; here the question is how a kernel does it.
cudaError_t copy_samples(int* to, const int* from, int n) {
    return cudaMemcpyAsync(to, from, n * sizeof(int), cudaMemcpyDeviceToDevice);
}
