// expect: gigabytes_per_second: expected 8, got 7.4505805969238281
#define gigabytes_per_second solved  // all but this function is the solution
#include "solution.cu"
#undef gigabytes_per_second

double gigabytes_per_second(int rows, int columns, double seconds) {
    if (seconds <= 0) return 0;
    // 2^30 bytes are a GiB, and printed as GB they are 7 % too few.
    return 2.0 * rows * columns * sizeof(int) / seconds / (1 << 30);
}
