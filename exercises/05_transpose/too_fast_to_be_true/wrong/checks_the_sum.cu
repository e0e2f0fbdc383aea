// expect: is_transpose: expected false, got true
#define is_transpose solved  // all but this function is the solution
#include "solution.cu"
#undef is_transpose

// The elements have only changed places, so their sum is what it was.
bool is_transpose(const int* out, const int* in, int rows, int columns) {
    const int n = rows * columns;
    return std::accumulate(out, out + n, 0ll) == std::accumulate(in, in + n, 0ll);
}
