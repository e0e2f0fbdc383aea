// expect: is_transpose: expected true, got false
#define is_transpose solved  // all but this function is the solution
#include "solution.cu"
#undef is_transpose

// Right for squares.
bool is_transpose(const int* out, const int* in, int rows, int columns) {
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            if (out[column * columns + row] != in[row * columns + column]) return false;
    return true;
}
