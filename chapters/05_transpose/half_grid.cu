// The claim: a bandwidth that is too good to be true is not true. With the number of blocks along x taken from the rows
// and the height of a block, blocks of 32 x 16 threads cover half of a square matrix, in half of the time. Divided into
// the bytes of all of it, that gives twice the bandwidth.
//
// The ladder, for the naive transpose:
//   right grid, poisoned output              what it costs
//   wrong grid, poisoned output              the check finds what was not written
//   wrong grid, output of the right one      the check finds nothing: the old result is still there
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/05_transpose/half_grid.cu -o half_grid
//   build/bin/lanescope run ./half_grid
#include <cstdio>
#include <string>

#include "matrix.cuh"
#include "measure.cuh"
#include "transposes.cuh"
#include "tutorial/options.h"

using namespace transpose;
using namespace lanescope::tutorial;

using Element = std::uint32_t;

// [grids]
unsigned ceil_div(unsigned a, unsigned b) { return (a + b - 1) / b; }

// x counts columns, y counts rows.
dim3 right_grid(unsigned rows, unsigned columns, dim3 block) {
    return dim3(ceil_div(columns, block.x), ceil_div(rows, block.y));
}

// As many threads, in other places.
dim3 wrong_grid(unsigned rows, unsigned columns, dim3 block) {
    return dim3(ceil_div(rows, block.y), ceil_div(columns, block.x));
}
// [grids]

struct Outcome {
    Measured measured;
    Matrix<Element>::Wrong wrong;
    std::size_t unwritten;
};

Outcome run(Matrix<Element>& matrix, int rows, int columns, dim3 grid, dim3 block, int repeats) {
    Outcome it{};
    it.measured = measure(
        repeats, [&] { naive_row<<<grid, block>>>(matrix.out(), matrix.in(), rows, columns); },
        [&] {
            it.wrong = matrix.wrong(true);
            it.unwritten = matrix.count_poison();
            return true;  // a wrong result is timed too: that is the trap
        });
    return it;
}

void print(const char* name, dim3 grid, const Outcome& it, double bytes) {
    const std::string grid_text = std::to_string(grid.x) + " x " + std::to_string(grid.y);
    std::printf("%-34s%14s%11.4f%10.1f", name, grid_text.c_str(), it.measured.ms,
                gigabytes_per_second(2 * bytes, it.measured.ms));
    if (lanescope::can_count())
        std::printf("%10.1f %%", 100.0 * double(it.measured.counts.global_load.requested_bytes) / bytes);
    else
        std::printf("%12s", "-");
    std::printf("%14zu\n", it.wrong.count);
}

[[noreturn]] void refuse(const char* problem) {
    std::fprintf(stderr, "half_grid: %s\n  next: half_grid --help\n", problem);
    std::exit(2);
}

int main(int argc, char** argv) {
    long long rows = 4096, columns = 4096, block_x = 32, block_y = 16, repeats = 20;
    read_options(
        argc, argv, "Transposes a matrix with a right and with a wrong grid, and shows what the wrong one reports.",
        {{"--rows", "of the matrix", &rows, 1, 16384},
         {"--columns", "of the matrix", &columns, 1, 16384},
         {"--block-x", "threads of a block along x", &block_x, 1, 1024},
         {"--block-y", "threads of a block along y", &block_y, 1, 1024},
         {"--repeats", "measured launches of each on a real GPU; 0: only the one that is checked", &repeats, 0, 1000}});
    if (block_x * block_y > 1024) refuse("--block-x times --block-y: a block has at most 1024 threads");

    const dim3 block{unsigned(block_x), unsigned(block_y)};
    const dim3 right = right_grid(unsigned(rows), unsigned(columns), block);
    const dim3 wrong = wrong_grid(unsigned(rows), unsigned(columns), block);
    Matrix<Element> matrix{int(rows), int(columns)};
    const double bytes = double(matrix.bytes());
    const char* const source = source_of_times();
    std::printf("naive_row, %lld rows of %lld ints, blocks of %u x %u threads.\n\n", rows, columns, block.x, block.y);
    std::printf("%-34s%14s%11s%10s%12s%14s\n", "", "grid", "ms", "\"GB/s\"", "loaded, of", "check: wrong");
    std::printf("%-34s%14s%11s%10s%12s%14s\n", "", "", source, source, "the matrix", "elements");

    matrix.poison();
    const Outcome as_it_should_be = run(matrix, int(rows), int(columns), right, block, int(repeats));
    print("right grid, poisoned output", right, as_it_should_be, bytes);
    if (as_it_should_be.wrong.count > 0) {
        std::fprintf(stderr, "half_grid: wrong result: the right grid gives %zu wrong elements\n",
                     as_it_should_be.wrong.count);
        return 1;
    }
    // The output of the right grid is still there.
    const Outcome not_caught = run(matrix, int(rows), int(columns), wrong, block, int(repeats));
    matrix.poison();
    const Outcome caught = run(matrix, int(rows), int(columns), wrong, block, int(repeats));
    print("wrong grid, poisoned output", wrong, caught, bytes);
    print("wrong grid, output of the right", wrong, not_caught, bytes);

    const std::size_t all = std::size_t(rows) * columns;
    std::printf("\n\"GB/s\": the bytes of the whole matrix, read and written, by the time of the launch.\n");
    if (caught.unwritten == 0) {
        std::printf(
            "Here the wrong grid covers the whole matrix too: this shape and this block do not show the mistake.\n");
        return caught.wrong.count == 0 ? 0 : 1;
    }
    std::printf(
        "The wrong grid left %zu of %zu elements unwritten, %.1f %%. Its figure is that of a kernel which does less.\n"
        "Without poison the check finds nothing: the elements that were not written hold the right values of before.\n",
        caught.unwritten, all, 100.0 * double(caught.unwritten) / double(all));
    return 0;
}
