#include "true_or_completion.h"

// n chains, side by side, in one warp. Only the second round counts: when it begins, the operands are there.
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
            // YOUR TASK (1 of 3): which step needs the result of which?
#pragma unroll
            for (unsigned c = 0; c < n; ++c) y[c] = step<instruction>(x[c]);
        }
        stop = clock64();
    }

    for (unsigned c = 0; c < n; ++c) values[c * lanes + threadIdx.x] = y[c];
    if (threadIdx.x == 0) *cycles = stop - start;
}

__global__ void run_loads(const unsigned* where, LoadTimes* times) {
    // YOUR TASK (2 of 3): what has happened when the clock is read, and what has not? And what does the clock take?
    const long long start = clock64();
    const unsigned first = load(where);
    const long long middle = clock64();
    const unsigned again = load(where);
    const long long stop = clock64();
    *times = {double(middle - start), double(stop - middle), first & again};
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
    // YOUR TASK (3 of 3): how many instructions were timed?
    if (error == cudaSuccess) *costs = {double(cycles[0]) / steps, double(cycles[1]) / steps};
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
