// expect: bytes copied to the host: expected at most 0 (the matrix stays on the GPU), counted 4
#include <vector>

#include "tile_it.h"

// No kernel, no sectors.
template <class T>
cudaError_t launch(T* out, const T* in, int rows, int columns) {
    const std::size_t elements = std::size_t(rows) * columns;
    std::vector<T> from(elements), to(elements);
    if (const cudaError_t error = cudaMemcpy(from.data(), in, elements * sizeof(T), cudaMemcpyDeviceToHost))
        return error;
    for (std::size_t i = 0; i < elements; ++i) to[i % columns * rows + i / columns] = from[i];
    return cudaMemcpy(out, to.data(), elements * sizeof(T), cudaMemcpyHostToDevice);
}

cudaError_t transpose(int* out, const int* in, int rows, int columns) { return launch(out, in, rows, columns); }

cudaError_t transpose(double* out, const double* in, int rows, int columns) { return launch(out, in, rows, columns); }
