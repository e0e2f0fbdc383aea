// The claim: an atomic costs time where many additions meet at one address, so add up first and use few atomics.
//
// The ladder (each adds n ones to one __device__ variable):
//   add_plain            += by every thread: wrong, for comparison
//   atomic_per_thread    one atomicAdd by every thread
//   atomic_per_warp      the 32 threads of a warp add up by shuffles; one of them does the atomicAdd
//   atomic_per_block     the warps of a block add up in shared memory; one thread does the atomicAdd
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/01_global_symbols/atomic_cost.cu -o atomic_cost
//   build/bin/lanescope run ./atomic_cost
#include <cstdio>
#include <vector>

#include "tutorial/check.cuh"
#include "tutorial/counters.h"
#include "tutorial/options.h"
#include "tutorial/simulated.h"
#include "tutorial/timing.cuh"

using namespace lanescope::tutorial;

constexpr unsigned warp_size = 32;
constexpr unsigned threads_per_block = 256;
constexpr unsigned warps_per_block = threads_per_block / warp_size;
constexpr unsigned all_lanes = 0xffffffff;
constexpr long long most = 1 << 24;   // a float counts ones exactly up to here

// One variable for each type of number.
template <class Number>
__device__ Number total;

__device__ unsigned index_of_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <class Number>
__global__ void add_plain(const Number* values, unsigned n) {
    const unsigned i = index_of_thread();
    if (i < n) total<Number> += values[i];
}

// [per thread]
template <class Number>
__global__ void atomic_per_thread(const Number* values, unsigned n) {
    const unsigned i = index_of_thread();
    if (i < n) atomicAdd(&total<Number>, values[i]);
}
// [per thread]

// [per warp]
// The sum over the lanes of a warp, in lane 0. __shfl_down_sync hands each lane the value
// of the lane `distance` further up, from register to register: 16, then 8, 4, 2, 1.
template <class Number>
__device__ Number warp_sum(Number mine) {
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2) {
        mine += __shfl_down_sync(all_lanes, mine, distance);
    }
    return mine;
}

template <class Number>
__global__ void atomic_per_warp(const Number* values, unsigned n) {
    const unsigned i = index_of_thread();
    const Number mine = i < n ? values[i] : 0;   // all 32 lanes take part; some add 0
    const Number sum = warp_sum(mine);
    if (threadIdx.x % warp_size == 0 && i < n) atomicAdd(&total<Number>, sum);
}
// [per warp]

// [per block]
template <class Number>
__global__ void atomic_per_block(const Number* values, unsigned n) {
    __shared__ Number sums[warps_per_block];   // seen by all threads of the block
    const unsigned i = index_of_thread();
    const Number sum = warp_sum(i < n ? values[i] : Number(0));
    if (threadIdx.x % warp_size == 0) sums[threadIdx.x / warp_size] = sum;
    __syncthreads();   // every warp has stored its sum
    if (threadIdx.x < warp_size) {
        const Number block_sum = warp_sum(threadIdx.x < warps_per_block ? sums[threadIdx.x] : Number(0));
        if (threadIdx.x == 0) atomicAdd(&total<Number>, block_sum);
    }
}
// [per block]

unsigned groups(unsigned n, unsigned size) { return (n + size - 1) / size; }

template <class Number>
void set_total_to_zero() {
    const Number zero = 0;
    CUDA_CHECK(cudaMemcpyToSymbol(total<Number>, &zero, sizeof zero));
}

// Runs one rung of the ladder, checks its result, and prints its line. `instructions` are those with which warps
// ask for an atomic, `additions` the lanes that take part in one: both follow from the code. False: wrong sum.
template <class Number>
bool show(const char* name, void (*kernel)(const Number*, unsigned), const Number* values, unsigned n,
          unsigned instructions, unsigned additions, int repeats) {
    const auto launch = [&] {
        if (n > 0) kernel<<<groups(n, threads_per_block), threads_per_block>>>(values, n);   // no launch of 0 blocks
        CUDA_CHECK(cudaGetLastError());
    };
    set_total_to_zero<Number>();
    const lanescope::Counts counts = lanescope::count(launch);
    Number sum = 0;
    CUDA_CHECK(cudaMemcpyFromSymbol(&sum, total<Number>, sizeof sum));
    const bool plain = kernel == &add_plain<Number>;
    if (!plain && sum != Number(n)) {
        std::fprintf(stderr, "atomic_cost: wrong result: %s gave %.0f instead of %u\n", name, double(sum), n);
        return false;
    }
    std::printf("%-25s %11u %11u", name, additions, instructions);
    if (on_simulated_gpu()) {
        std::printf(" %13llu", static_cast<unsigned long long>(counts.global_atomic.requests + counts.global_reduction.requests));
    } else if (n > 0) {
        std::printf(" %10.4f ms", median_ms(repeats, set_total_to_zero<Number>, launch));
    } else {
        std::printf(" %13s", "no launch");
    }
    std::printf(" %11.0f%s\n", double(sum), sum != Number(n) ? "  wrong" : "");
    return true;
}

// The ladder for one type of number.
template <class Number>
bool climb(const char* const (&names)[4], unsigned n, int repeats) {
    Number* values = nullptr;
    const std::vector<Number> ones(n, 1);
    CUDA_CHECK(cudaMalloc(&values, (n + 1) * sizeof(Number)));   // + 1: memory for 0 values is no memory
    CUDA_CHECK(cudaMemcpy(values, ones.data(), n * sizeof(Number), cudaMemcpyHostToDevice));

    const unsigned warps = groups(n, warp_size);
    const unsigned blocks = groups(n, threads_per_block);
    const bool right = show<Number>(names[0], add_plain, values, n, 0, 0, repeats) &&
                       show<Number>(names[1], atomic_per_thread, values, n, warps, n, repeats) &&
                       show<Number>(names[2], atomic_per_warp, values, n, warps, warps, repeats) &&
                       show<Number>(names[3], atomic_per_block, values, n, blocks, blocks, repeats);
    CUDA_CHECK(cudaFree(values));
    return right;
}

int main(int argc, char** argv) {
    long long n = most;
    long long repeats = 9;
    read_options(argc, argv, "Adds n ones to one __device__ variable: with +=, and with ever fewer atomics.",
                 {{"--n", "how many ones", &n, 0, most}, {"--repeats", "measured runs of each", &repeats, 1, 1000}});

    const bool simulated = on_simulated_gpu();
    std::printf("n = %lld: n ones are added to one variable, by blocks of %u threads.\n\n", n, threads_per_block);
    std::printf("%-25s %11s %11s %13s\n", "", "additions", "atomic inst", simulated ? "atomic inst" : "time");
    std::printf("%-25s %11s %11s %13s %11s\n", "", "by atomics", "of warps", simulated ? "of warps" : "median of", "");
    char last[32];
    std::snprintf(last, sizeof last, simulated ? "counted" : "%lld runs", repeats);
    std::printf("%-25s %11s %11s %13s %11s\n", "", "expected", "expected", last, "sum");
    const bool right = climb<unsigned>({"unsigned, +=", "unsigned, one per thread", "unsigned, one per warp",
                                        "unsigned, one per block"},
                                       unsigned(n), int(repeats)) &&
                       climb<float>({"float, +=", "float, one per thread", "float, one per warp", "float, one per block"},
                                    unsigned(n), int(repeats));
    if (simulated) std::printf("\nTime is not modelled yet: on a real GPU this program prints the time of each line.\n");
    return right ? 0 : 1;
}
