// expect: gigabytes_per_second: expected 8, got 4
#define gigabytes_per_second solved  // all but this function is the solution
#include "solution.cu"
#undef gigabytes_per_second

double gigabytes_per_second(int rows, int columns, double seconds) {
    if (seconds <= 0) return 0;
    // So many bytes are in the matrix.
    return 1.0 * rows * columns * sizeof(int) / seconds / 1e9;
}
