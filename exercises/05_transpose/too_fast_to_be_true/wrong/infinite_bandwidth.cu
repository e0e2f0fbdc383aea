// expect: gigabytes_per_second: expected 0, got
#define gigabytes_per_second solved  // all but this function is the solution
#include "solution.cu"
#undef gigabytes_per_second

double gigabytes_per_second(int rows, int columns, double seconds) {
    // Nothing in no time is not a number.
    return 2.0 * rows * columns * sizeof(int) / seconds / 1e9;
}
