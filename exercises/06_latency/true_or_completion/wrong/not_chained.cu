// expect: alone[0]: expected 505, got 2 (32 of 32 elements differ)
#include "true_or_completion.h"

// Every step begins with the same value, so none waits for another.

// n chains, side by side, in one warp: each step needs the result of the one before in its chain.
template <Instruction instruction, unsigned n>
__global__ void run(unsigned* values, long long* cycles) {
    unsigned x[n], y[n];
    for (unsigned c = 0; c < n; ++c) x[c] = values[c * lanes + threadIdx.x];

    long long start = 0, stop = 0;
#pragma unroll 1
    for (int round = 0; round < 2; ++round) {
        start = clock64();
#pragma unroll
        for (unsigned i = 0; i < steps; ++i) {
#pragma unroll
            for (unsigned c = 0; c < n; ++c) y[c] = step<instruction>(x[c]);
        }
        stop = clock64();
    }

    for (unsigned c = 0; c < n; ++c) values[c * lanes + threadIdx.x] = y[c];
    if (threadIdx.x == 0) *cycles = stop - start;
}

// The store cannot begin before it has the value, and the clock is read after it: instructions begin in order.
template <bool with_load>
__device__ long long time_use(const unsigned* where, unsigned& value) {
    __shared__ volatile unsigned use;
    const long long start = clock64();
    if (with_load) value = load(where);
    use = value;
    return clock64() - start;
}

__global__ void run_loads(const unsigned* where, LoadTimes* times) {
    unsigned first = 0, again = 0;
    const long long without = time_use<false>(where, first);  // the clock's own time, and the store's
    const long long cycles_first = time_use<true>(where, first);
    const long long cycles_again = time_use<true>(where, again);
    *times = {double(cycles_first - without), double(cycles_again - without), again};
}

template <Instruction instruction>
void launch(unsigned* alone, unsigned* together, long long* cycles) {
    run<instruction, 1><<<1, lanes>>>(alone, cycles);
    run<instruction, chains><<<1, lanes>>>(together, cycles + 1);
}

cudaError_t costs_of(Instruction instruction, unsigned* alone, unsigned* together, Costs* costs) {
    long long* on_gpu = nullptr;
    if (const cudaError_t error = cudaMalloc(&on_gpu, 2 * sizeof *on_gpu)) return error;
    if (instruction == Instruction::fma) launch<Instruction::fma>(alone, together, on_gpu);
    if (instruction == Instruction::imad) launch<Instruction::imad>(alone, together, on_gpu);
    if (instruction == Instruction::shuffle) launch<Instruction::shuffle>(alone, together, on_gpu);
    cudaError_t error = cudaGetLastError();
    long long cycles[2]{};
    if (error == cudaSuccess) error = cudaMemcpy(cycles, on_gpu, sizeof cycles, cudaMemcpyDeviceToHost);
    cudaFree(on_gpu);
    if (error == cudaSuccess) *costs = {double(cycles[0]) / steps, double(cycles[1]) / (steps * chains)};
    return error;
}

cudaError_t time_loads(const unsigned* where, LoadTimes* times) {
    LoadTimes* on_gpu = nullptr;
    if (const cudaError_t error = cudaMalloc(&on_gpu, sizeof *on_gpu)) return error;
    run_loads<<<1, 1>>>(where, on_gpu);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaMemcpy(times, on_gpu, sizeof *times, cudaMemcpyDeviceToHost);
    cudaFree(on_gpu);
    return error;
}
