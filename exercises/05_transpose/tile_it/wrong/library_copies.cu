// expect: expected a kernel to run, but none was launched
#include "tile_it.h"

// The driver copies each column to its row.
template <class T>
cudaError_t launch(T* out, const T* in, int rows, int columns) {
    if (rows == 0) return cudaSuccess;
    for (int column = 0; column < columns; ++column) {
        const cudaError_t error = cudaMemcpy2DAsync(out + std::size_t(column) * rows, sizeof(T), in + column,
                                                    columns * sizeof(T), sizeof(T), rows, cudaMemcpyDeviceToDevice);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

cudaError_t transpose(int* out, const int* in, int rows, int columns) { return launch(out, in, rows, columns); }

cudaError_t transpose(double* out, const double* in, int rows, int columns) { return launch(out, in, rows, columns); }
