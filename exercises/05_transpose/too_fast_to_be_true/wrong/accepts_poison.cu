// expect: is_transpose: expected false, got true
#define is_transpose solved  // all but this function is the solution
#include "solution.cu"
#undef is_transpose

// Only what was written can be wrong.
bool is_transpose(const int* out, const int* in, int rows, int columns) {
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            if (out[column * rows + row] > 0 && out[column * rows + row] != in[row * columns + column]) return false;
    return true;
}
