// The claim: six threads that add 2 to one variable with `+=` lose additions; with atomicAdd they lose none.
//
// The ladder:
//   read_value        every thread reads the variable: reading together is safe
//   add_plain         load, add, store: threads overwrite each other's results
//   print_then_add    the same after a printf, which takes time: lost too, but others (--print-first)
//   add_atomic        one indivisible step: no addition is lost
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/01_global_symbols/global_symbol.cu -o global_symbol
//   build/bin/lanescope run ./global_symbol
#include <cmath>
#include <cstdio>
#include <cstring>

#include "tutorial/check.cuh"

// [symbol]
__device__ float value;   // in the GPU's memory: host code can name it, but not read it
// [symbol]

constexpr int blocks = 2;
constexpr int threads_per_block = 3;
constexpr float initial = 3.14f;
constexpr float increment = 2.0f;

__global__ void read_value() { printf("   block %d thread %d reads %.2f\n", blockIdx.x, threadIdx.x, value); }

// [race]
__global__ void add_plain() {
    const float read = value;   // these two lines are what `value += increment` does:
    value = read + increment;   // between them other threads may read and write
    printf("   block %d thread %d: read %.2f, wrote %.2f\n", blockIdx.x, threadIdx.x,
           read, read + increment);
}
// [race]

// [print first]
__global__ void print_then_add() {
    printf("   block %d thread %d reads %.2f\n", blockIdx.x, threadIdx.x, value);
    value += increment;
}
// [print first]

// [fix]
__global__ void add_atomic() {
    const float found = atomicAdd(&value, increment);   // returns what was there before
    printf("   block %d thread %d: found %.2f, left %.2f\n", blockIdx.x, threadIdx.x,
           found, found + increment);
}
// [fix]

// Sets the variable, launches the kernel, and returns what is in the variable afterwards.
float run(void (*kernel)()) {
    // [round trip]
    CUDA_CHECK(cudaMemcpyToSymbol(value, &initial, sizeof initial));
    kernel<<<blocks, threads_per_block>>>();
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    float result = 0;
    CUDA_CHECK(cudaMemcpyFromSymbol(&result, value, sizeof result));
    // [round trip]
    return result;
}

int main(int argc, char** argv) {
    const bool print_first = argc == 2 && std::strcmp(argv[1], "--print-first") == 0;
    if (argc > 1 && !print_first) {
        const bool help = std::strcmp(argv[1], "--help") == 0;
        std::fprintf(help ? stdout : stderr,
                     "Usage: global_symbol [--print-first]\n"
                     "Six threads (2 blocks x 3) add 2 to one __device__ float: with +=, then with atomicAdd.\n"
                     "  --print-first   with +=, every thread prints before it adds instead of afterwards\n");
        return help ? 0 : 2;
    }

    // Whatever the order of the threads, the fix adds 2 six times in a row; this is that sum in float.
    float expected = initial;
    for (int i = 0; i < blocks * threads_per_block; ++i) expected += increment;

    std::printf("A __device__ float, set to %.2f with cudaMemcpyToSymbol; %d blocks of %d threads.\n\n", initial, blocks,
                threads_per_block);

    std::printf("1. Every thread reads it.\n");
    const float untouched = run(read_value);
    std::printf("   The host reads back %.2f.\n\n", untouched);

    std::printf("2. Every thread %sadds %.0f with +=.\n", print_first ? "prints what it reads, then " : "", increment);
    const float raced = run(print_first ? print_then_add : add_plain);
    std::printf("   This run gave %.2f; it is not a value to rely on. %d additions should give %.2f.\n\n", raced,
                blocks * threads_per_block, expected);

    std::printf("3. Every thread adds %.0f with atomicAdd.\n", increment);
    const float fixed = run(add_atomic);
    std::printf("   The host reads back %.2f.\n", fixed);

    if (untouched != initial || fixed != expected) {
        std::fprintf(stderr, "global_symbol: wrong result: expected %.2f and %.2f\n", initial, expected);
        return 1;
    }
    return 0;
}
