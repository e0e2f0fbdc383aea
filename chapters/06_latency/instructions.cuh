/// \file
/// Chains of one instruction, for timing: what the instruction is, and a kernel that runs 1 to 8 chains of it side by
/// side.
///
///     chains<Ffma, 4><<<1, 32>>>(values, timing);   // 4 independent chains of FFMA in each lane of a warp
///
/// Within a chain every instruction needs the result of the one before: a chain alone shows the true latency. Chains do
/// not wait for each other: with enough of them the unit is busy all the time, and what is left is the time from one
/// completion to the next.
#pragma once

#include <cmath>
#include <limits>

#include "tutorial/check.cuh"

namespace latency {

constexpr unsigned lanes = 32;
constexpr unsigned most_chains = 8;
constexpr unsigned timed_instructions = 480;  ///< of one lane, divisible by 1 to 6 and 8; 476 with 7 chains

/// How many instructions each of n chains runs in the timed region.
template <unsigned n>
constexpr unsigned steps_of = timed_instructions / n;

// Each instruction: `Value`, `step` on the device, the same in `expected` on the host, and the relative error that the
// instruction may have. The assembly is volatile: the compiler must neither fold nor drop it.

// [ffma]
struct Ffma {
    using Value = float;
    static constexpr const char* name = "ffma";
    static constexpr const char* ptx = "fma.rn.f32";
    static __device__ void step(float& x, float&) {
        asm volatile("fma.rn.f32 %0, %0, 0f3F000000, 0f3F800000;" : "+f"(x));
    }
    static void expected(float& x, float&) { x = std::fma(x, 0.5f, 1.0f); }
    static constexpr double error = 0;
};
// [ffma]

struct Fadd {
    using Value = float;
    static constexpr const char* name = "fadd";
    static constexpr const char* ptx = "add.rn.f32";
    static __device__ void step(float& x, float&) { asm volatile("add.rn.f32 %0, %0, 0f3F800000;" : "+f"(x)); }
    static void expected(float& x, float&) { x = x + 1.0f; }
    static constexpr double error = 0;
};

struct Imad {
    using Value = unsigned;
    static constexpr const char* name = "imad";
    static constexpr const char* ptx = "mad.lo.u32";
    static __device__ void step(unsigned& x, unsigned& y) {
        asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(x) : "r"(y));
    }
    static void expected(unsigned& x, unsigned& y) { x = x * y + y; }
    static constexpr double error = 0;
};

// [iadd]
// x += y, then y += x, in turn: each addition needs the one before. Of x += y; x += y the assembler
// makes one addition of three numbers, and the chain is half as long as written. (For an H200 it writes
// every other addition as a multiply-add with 1, on another unit; the chain stays as long.)
struct Iadd {
    using Value = unsigned;
    static constexpr const char* name = "iadd";
    static constexpr const char* ptx = "add.u32";
    static __device__ void step(unsigned& x, unsigned& y) {
        asm volatile("add.u32 %0, %0, %1;" : "+r"(x) : "r"(y));
        const unsigned sum = x;
        x = y;
        y = sum;
    }
    static void expected(unsigned& x, unsigned& y) {
        const unsigned sum = x + y;
        x = y;
        y = sum;
    }
    static constexpr double error = 0;
};
// [iadd]

struct Shfl {
    using Value = unsigned;
    static constexpr const char* name = "shfl";
    static constexpr const char* ptx = "shfl.sync.bfly.b32";
    static __device__ void step(unsigned& x, unsigned&) {
        asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;" : "+r"(x));
    }
    static void expected(unsigned&, unsigned&) {}  // all lanes hold the same
    static constexpr double error = 0;
};

struct Ex2 {
    using Value = float;
    static constexpr const char* name = "ex2";
    static constexpr const char* ptx = "ex2.approx.ftz.f32";
    static __device__ void step(float& x, float&) { asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x)); }
    static void expected(float& x, float&) { x = std::exp2(x); }  // infinite after a few
    static constexpr double error = 1e-3;
};

struct Rsqrt {
    using Value = float;
    static constexpr const char* name = "rsqrt";
    static constexpr const char* ptx = "rsqrt.approx.ftz.f32";
    static __device__ void step(float& x, float&) { asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x)); }
    static void expected(float& x, float&) { x = 1 / std::sqrt(x); }
    static constexpr double error = 1e-3;
};

// Two machine instructions: a multiplication by 1 / (2 pi), and the sine of a full turn.
struct Sin {
    using Value = float;
    static constexpr const char* name = "sin";
    static constexpr const char* ptx = "sin.approx.ftz.f32";
    static __device__ void step(float& x, float&) { asm volatile("sin.approx.ftz.f32 %0, %0;" : "+f"(x)); }
    static void expected(float& x, float&) { x = std::sin(x); }
    static constexpr double error = 1e-2;  // what the approximations lack adds up
};

__device__ inline unsigned long long cycle_clock() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
    return now;
}

// [kernel]
// One warp. Only the last round counts. The first brings the code into the instruction cache and waits
// for the values, which are loaded before: a chain whose first operand is still on its way would measure
// the load too.
template <class Instruction, unsigned n>
__global__ void chains(typename Instruction::Value* values, unsigned long long* cycles) {
    typename Instruction::Value x[n], y[n];
    for (unsigned c = 0; c < n; ++c) {
        x[c] = values[c * lanes + threadIdx.x];
        y[c] = x[c];
    }
    unsigned long long start = 0, stop = 0;
#pragma unroll 1
    for (int round = 0; round < 2; ++round) {
        start = cycle_clock();
#pragma unroll
        for (unsigned i = 0; i < steps_of<n>; ++i) {
#pragma unroll
            for (unsigned c = 0; c < n; ++c) Instruction::step(x[c], y[c]);
        }
        stop = cycle_clock();
    }
    for (unsigned c = 0; c < n; ++c) values[c * lanes + threadIdx.x] = x[c];  // the results are needed
    if (threadIdx.x == 0) *cycles = stop - start;
}
// [kernel]

}  // namespace latency
