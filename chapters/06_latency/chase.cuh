/// \file
/// A chain of pointers through a working set, and the kernels that follow it.
///
///     Chain chain(n, 128, Order::random);               // n elements, one every 128 bytes, linked to one cycle
///     const Walk walk = chain.walk(Operator::ca, 2, 16384);   // 2 passes to warm up, 16384 timed loads
///     walk.cycles / 16384.0                             // what one load took
///
/// One thread follows the chain: each load needs the address that the load before it returned, so no two overlap and
/// the time of a load is its latency. Host side; CUDA errors end the program.
#pragma once

#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "tutorial/check.cuh"

namespace latency {

enum class Operator { ca, cg };
enum class Order { random, sequential };

/// How many loads a walk makes.
struct Steps {
    unsigned long long warm_up;
    unsigned timed;
};

/// What one walk found.
struct Walk {
    unsigned long long cycles;       ///< of the SM clock, for the timed loads
    unsigned long long nanoseconds;  ///< the same by %globaltimer
    unsigned long long last;         ///< where the walk ended, in bytes from the first element
};

constexpr unsigned loads_per_loop =
    16;  ///< the timed loop is unrolled; the number of timed loads is a multiple of this

/// The order in which a walk visits n elements: each once. The element after the last is the first, so whatever the
/// order, the chain is one cycle through all of them. The same on every machine.
inline std::vector<unsigned> visiting_order(unsigned n, Order order) {
    std::vector<unsigned> elements(n);
    std::iota(elements.begin(), elements.end(), 0u);
    if (order == Order::sequential) return elements;
    std::mt19937 draw(1);
    for (unsigned i = n; i > 1; --i) std::swap(elements[i - 1], elements[draw() % i]);
    return elements;
}

__device__ inline unsigned long long cycle_clock() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
    return now;
}

__device__ inline unsigned long long nanosecond_clock() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
    return now;
}

// [link]
// Each element holds the address of the next.
__global__ void link(char* elements, const unsigned* order, unsigned n, unsigned stride) {
    const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n) return;
    char* const mine = elements + std::size_t(order[k]) * stride;
    *reinterpret_cast<char**>(mine) = elements + std::size_t(order[k + 1 == n ? 0 : k + 1]) * stride;
}
// [link]

// [follow]
// volatile: the compiler must neither drop a load nor add one. The address is that of global memory.
template <Operator op>
__device__ unsigned long long follow(unsigned long long p) {
    if (op == Operator::ca) asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(p)::"memory");
    if (op == Operator::cg) asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(p)::"memory");
    return p;
}
// [follow]

__device__ inline unsigned follow_shared(unsigned p) {
    asm volatile("ld.shared.u32 %0, [%0];" : "+r"(p)::"memory");
    return p;
}

// [chase]
// The warm-up loads bring the elements into the caches, the timed ones follow.
template <Operator op>
__global__ void chase(const char* elements, unsigned first, unsigned stride, Steps steps, Walk* walk) {
    const unsigned long long base = __cvta_generic_to_global(elements);
    unsigned long long p = base + (unsigned long long)first * stride;
    for (unsigned long long i = 0; i < steps.warm_up; ++i) p = follow<op>(p);

    const auto start_ns = nanosecond_clock(), start = cycle_clock();
    for (unsigned i = 0; i < steps.timed; i += loads_per_loop) {
#pragma unroll
        for (unsigned k = 0; k < loads_per_loop; ++k) p = follow<op>(p);
    }
    const auto stop = cycle_clock(), stop_ns = nanosecond_clock();
    *walk = {stop - start, stop_ns - start_ns, p - base};  // p is stored: the chain is needed
}
// [chase]

/// The same in shared memory, which is filled before the clock starts. Shared addresses are 32 bits wide.
__global__ void chase_shared(const unsigned* order, unsigned n, unsigned stride, Steps steps, Walk* walk) {
    extern __shared__ __align__(16) char elements[];
    const unsigned base = unsigned(__cvta_generic_to_shared(elements));
    const unsigned first = order[0];
    unsigned from = first;
    for (unsigned k = 1; k <= n; ++k) {
        const unsigned to = k == n ? first : order[k];
        *reinterpret_cast<unsigned*>(elements + from * stride) = base + to * stride;
        from = to;
    }
    unsigned p = base + first * stride;
    for (unsigned long long i = 0; i < steps.warm_up; ++i) p = follow_shared(p);

    const auto start_ns = nanosecond_clock(), start = cycle_clock();
    for (unsigned i = 0; i < steps.timed; i += loads_per_loop) {
#pragma unroll
        for (unsigned k = 0; k < loads_per_loop; ++k) p = follow_shared(p);
    }
    const auto stop = cycle_clock(), stop_ns = nanosecond_clock();
    *walk = {stop - start, stop_ns - start_ns, p - base};
}

/// Memory on the device that is freed with its owner.
template <class T>
class DeviceMemory {
public:
    explicit DeviceMemory(std::size_t n) { CUDA_CHECK(cudaMalloc(&data_, n * sizeof(T))); }
    ~DeviceMemory() { cudaFree(data_); }
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    T* get() const { return data_; }

private:
    T* data_ = nullptr;
};

/// n elements, one every `stride` bytes (a multiple of 8), each visited once in a cycle.
class Chain {
public:
    Chain(unsigned n, unsigned stride, Order order) : Chain(visiting_order(n, order), stride) {}

    Chain(std::vector<unsigned> order, unsigned stride)
        : order_(std::move(order)), stride_(stride), order_there_(order_.size()), walk_(1) {
        CUDA_CHECK(
            cudaMemcpy(order_there_.get(), order_.data(), order_.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
    }

    const std::vector<unsigned>& order() const { return order_; }
    unsigned size() const { return unsigned(order_.size()); }
    std::size_t bytes() const { return std::size_t(size()) * stride_; }

    /// Links the elements in `memory`, which has bytes() bytes. Done on the device: a copy of the whole set would take
    /// longer.
    void link_in(char* memory) const {
        constexpr unsigned block = 256;
        link<<<(size() + block - 1) / block, block>>>(memory, order_there_.get(), size(), stride_);
        CUDA_CHECK(cudaGetLastError());
    }

    /// Follows the chain through global memory. `loads` is a multiple of loads_per_loop.
    Walk walk(Operator op, unsigned passes, unsigned loads) const {
        DeviceMemory<char> memory(bytes());
        link_in(memory.get());
        const auto kernel = op == Operator::ca ? chase<Operator::ca> : chase<Operator::cg>;
        // [carve-out]
        // L1 and shared memory are one memory; all that can be L1 shall be.
        const auto function = reinterpret_cast<const void*>(kernel);
        const auto carve_out = cudaFuncAttributePreferredSharedMemoryCarveout;
        CUDA_CHECK(cudaFuncSetAttribute(function, carve_out, cudaSharedmemCarveoutMaxL1));
        // [carve-out]
        kernel<<<1, 1>>>(memory.get(), order_[0], stride_, steps(passes, loads), walk_.get());
        CUDA_CHECK(cudaGetLastError());
        return result();
    }

    /// The same in shared memory, where bytes() must fit.
    Walk walk_shared(unsigned passes, unsigned loads) const {
        const auto kernel = reinterpret_cast<const void*>(chase_shared);
        CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes())));
        chase_shared<<<1, 1, bytes()>>>(order_there_.get(), size(), stride_, steps(passes, loads), walk_.get());
        CUDA_CHECK(cudaGetLastError());
        return result();
    }

    /// Where a walk of so many loads must end: it began at the first element.
    unsigned long long end_of(unsigned long long loads) const {
        return (unsigned long long)order_[loads % size()] * stride_;
    }

private:
    Steps steps(unsigned passes, unsigned loads) const { return {(unsigned long long)passes * size(), loads}; }

    Walk result() const {
        Walk walk;
        CUDA_CHECK(cudaMemcpy(&walk, walk_.get(), sizeof walk, cudaMemcpyDeviceToHost));  // waits for the kernel
        return walk;
    }

    std::vector<unsigned> order_;
    unsigned stride_;
    DeviceMemory<unsigned> order_there_;
    DeviceMemory<Walk> walk_;
};

/// Sizes from one to the other, in KB, with so many steps to each doubling: 16, 20, 24, 28, 32, 40 with 4.
inline std::vector<long long> ladder(long long from, long long to, long long steps) {
    std::vector<long long> sizes{from};
    for (long long base = 1; base < to; base *= 2) {
        for (long long k = 0; k < steps; ++k) {
            const long long size = base + base * k / steps;
            if (size > sizes.back() && size < to) sizes.push_back(size);
        }
    }
    if (to > from) sizes.push_back(to);
    return sizes;
}

}  // namespace latency
