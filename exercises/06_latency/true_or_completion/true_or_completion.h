// What starter.cu defines and the tests call, and the instructions that it times.
#pragma once

#include <cuda_runtime.h>

enum class Instruction { fma, imad, shuffle };

constexpr unsigned lanes = 32;   // of the one warp that runs
constexpr unsigned chains = 8;   // side by side
constexpr unsigned steps = 252;  // of a chain in a round; there are two rounds, and the second is timed

// One step of a chain: one instruction, whose result is the operand of the next step. Values are 32-bit words, which
// the fma takes for a float (it adds 1). The assembly is volatile: the compiler leaves out none, and keeps their order.
template <Instruction instruction>
__device__ unsigned step(unsigned x) {
    if constexpr (instruction == Instruction::fma) asm volatile("fma.rn.f32 %0, %0, 0f3F800000, 0f3F800000;" : "+r"(x));
    if constexpr (instruction == Instruction::imad) asm volatile("mad.lo.u32 %0, %0, 1664525, 1013904223;" : "+r"(x));
    if constexpr (instruction == Instruction::shuffle) {  // from the next lane
        asm volatile("shfl.sync.idx.b32 %0, %0, %1, 31, 0xffffffff;" : "+r"(x) : "r"((threadIdx.x + 1) % lanes));
    }
    return x;
}

// One load: looks in L1, then in L2, then in memory. Volatile too.
__device__ inline unsigned load(const unsigned* address) {
    unsigned value;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(__cvta_generic_to_global(address)) : "memory");
    return value;
}

// What one instruction of a warp costs, in cycles of the SM clock.
struct Costs {
    double true_latency;        // if the next instruction needs its result: from one chain alone
    double completion_latency;  // if the next ones do not: from `chains` chains, side by side
};

// `alone` is one chain, a value for each lane: alone[lane]. `together` are `chains` of them: together[chain * lanes +
// lane]. All are in device memory. Every chain makes two rounds of `steps` steps, and the values that come out replace
// those that went in. Only the second round is timed; the first waits for the operands, which are being loaded. Returns
// the first CUDA error; waits.
cudaError_t costs_of(Instruction instruction, unsigned* alone, unsigned* together, Costs* costs);

// What two loads of one address take, one after the other, in cycles of the SM clock: from the load to the moment in
// which its value can be used. What the clock itself takes, and the use of the value, are no part of it.
struct LoadTimes {
    double first;    // of the first load, wherever the value is now
    double again;    // of the second one, when the first has returned
    unsigned value;  // what both of them found
};

// One thread makes two loads of `where`, no more. `where` is in device memory, or mapped memory of the host. Returns
// the first CUDA error; waits.
cudaError_t time_loads(const unsigned* where, LoadTimes* times);
