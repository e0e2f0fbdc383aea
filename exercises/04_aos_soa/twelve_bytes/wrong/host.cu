// expect: bytes copied to the host: expected at most 0 (the pixels stay on the GPU), counted 12
#include "twelve_bytes.h"

#include <vector>

// No kernel, no sectors.
cudaError_t transform(Pixel* pixels, int n) {
    std::vector<Pixel> copies(n);
    if (const cudaError_t error = cudaMemcpy(copies.data(), pixels, n * sizeof(Pixel), cudaMemcpyDeviceToHost))
        return error;
    for (Pixel& pixel : copies) pixel = transformed(pixel);
    return cudaMemcpy(pixels, copies.data(), n * sizeof(Pixel), cudaMemcpyHostToDevice);
}
