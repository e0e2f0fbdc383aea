// expect: is_transpose: expected false, got true
#define is_transpose solved  // all but this function is the solution
#include "solution.cu"
#undef is_transpose

// A thousand places, wherever they are.
bool is_transpose(const int* out, const int* in, int rows, int columns) {
    if (rows == 0 || columns == 0) return true;
    for (unsigned i = 0, random = 1; i < 1000; ++i) {
        random = random * 1664525 + 1013904223;
        const int row = (random >> 8) % rows, column = (random >> 16) % columns;
        if (out[column * rows + row] != in[row * columns + column]) return false;
    }
    return true;
}
