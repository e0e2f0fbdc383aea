// The claim: what a request costs depends on which sectors its 32 lanes touch together, and not on which lane touches
// which.
//
// The ladder, for a load c[i] = a[k] and for a store c[k] = k:
//   sequential   k = i: neighbouring lanes, neighbouring ints
//   reversed     k = n - 1 - i: the same sectors, the other way round
//   permuted     the 32 ints of a warp in a jumbled order, each once (5 * i + 3 modulo 32): the same sectors
//   strided      k = i * stride: gaps travel too
//   random       k = anywhere in the array
//   broadcast    k = i / 32: all lanes of a warp want the same int (and agree on what it becomes)
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/03_alignment/coalescing.cu -o coalescing
//   build/bin/lanescope run ./coalescing --help
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "tutorial/options.h"
#include "tutorial/transactions.cuh"

using namespace lanescope::tutorial;
using lanescope::MemoryTraffic;

enum Pattern { sequential, reversed, permuted, strided, random_order, broadcast };
constexpr const char* pattern_names[] = {"sequential", "reversed", "permuted", "strided", "random", "broadcast"};
enum Access { load, store, both };
constexpr const char* access_names[] = {"load", "store", "both"};

// Which element thread i wants. The same function serves the kernels and the prediction.
// [patterns]
__host__ __device__ inline unsigned element_of(Pattern pattern, unsigned i, unsigned n, unsigned stride) {
    switch (pattern) {
        case reversed:
            return n - 1 - i;
        case permuted:
            return i / 32 * 32 + (i * 5 + 3) % 32;
        case strided:
            return i * stride;
        case random_order: {
            unsigned x = i * 0x9E3779B9u;   // mixes the bits of i
            x = (x ^ (x >> 15)) * 0x85EBCA6Bu;
            return (x ^ (x >> 13)) % n;
        }
        case broadcast:
            return i / 32;
        default:
            return i;
    }
}
// [patterns]

// [kernels]
__global__ void load_in_order(Pattern pattern, const int* a, int* c, unsigned n, unsigned stride) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned k = element_of(pattern, i, n, stride);
    c[i] = a[k];
}

__global__ void store_in_order(Pattern pattern, int* c, unsigned n, unsigned stride) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned k = element_of(pattern, i, n, stride);
    c[k] = k;
}
// [kernels]

struct Case {
    Pattern pattern;
    Access access;   // load or store
    unsigned n, block, stride;
};

// [predict]
// `addresses` are those that the lanes of a warp want.
MemoryTraffic predict_warp(const std::vector<std::uint64_t>& addresses, const Rules& rules) {
    const auto different = [&](unsigned size) {
        std::set<std::uint64_t> blocks;
        for (const std::uint64_t address : addresses) blocks.insert(address / size);
        return blocks.size();
    };
    MemoryTraffic t;
    t.requests = 1;
    t.sectors = different(sector_bytes);
    t.transactions = different(rules.transaction_bytes);
    t.requested_bytes = different(sizeof(int)) * sizeof(int);
    t.moved_bytes = different(rules.moved_block_bytes) * rules.moved_block_bytes;
    return t;
}
// [predict]

MemoryTraffic predict(const Case& it, const int* array, const Rules& rules) {
    MemoryTraffic sum;
    for_each_warp(it.n, it.block, [&](long long first, long long lanes) {
        std::vector<std::uint64_t> addresses;
        for (long long lane = 0; lane < lanes; ++lane) {
            addresses.push_back(address_of(array + element_of(it.pattern, unsigned(first + lane), it.n, it.stride)));
        }
        sum += predict_warp(addresses, rules);
    });
    return sum;
}

// How long the array is that `k` indexes: n, rounded up for the jumbled warps, or n * stride.
std::size_t length_of(const Case& it) {
    return it.pattern == strided ? std::size_t(it.n) * it.stride
                                 : (std::size_t(it.n) + warp_size - 1) / warp_size * warp_size;
}

bool wrong(const Case& it, std::size_t where, int found, int expected) {
    std::fprintf(stderr, "coalescing: wrong result: %s, %s: c[%zu] is %d instead of %d\n", access_names[it.access],
                 pattern_names[it.pattern], where, found, expected);
    return false;
}

bool run_load(const Case& it, MemoryTraffic& predicted, MemoryTraffic& counted) {
    std::vector<int> values(length_of(it));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = int(2 * k + 1);
    const DeviceArray<int> a(values);
    DeviceArray<int> c(it.n);
    c.fill_bytes(0xff);
    predicted = predict(it, a.data(), rules_of_this_gpu(reinterpret_cast<const void*>(load_in_order)));
    const lanescope::Counts counts = lanescope::count([&] {
        load_in_order<<<blocks_for(it.n, it.block), it.block>>>(it.pattern, a.data(), c.data(), it.n, it.stride);
        CUDA_CHECK(cudaGetLastError());
    });
    CUDA_CHECK(cudaDeviceSynchronize());
    counted = counts.global_load;
    const std::vector<int> result = c.to_host();
    for (unsigned i = 0; i < it.n; ++i) {
        const int expected = values[element_of(it.pattern, i, it.n, it.stride)];
        if (result[i] != expected) return wrong(it, i, result[i], expected);
    }
    return true;
}

bool run_store(const Case& it, MemoryTraffic& predicted, MemoryTraffic& counted) {
    DeviceArray<int> c(length_of(it));
    c.fill_bytes(0xff);
    predicted = predict(it, c.data(), rules_of_this_gpu());
    const lanescope::Counts counts = lanescope::count([&] {
        store_in_order<<<blocks_for(it.n, it.block), it.block>>>(it.pattern, c.data(), it.n, it.stride);
        CUDA_CHECK(cudaGetLastError());
    });
    CUDA_CHECK(cudaDeviceSynchronize());
    counted = counts.global_store;
    std::vector<int> expected(length_of(it), -1);
    for (unsigned i = 0; i < it.n; ++i) {
        const unsigned k = element_of(it.pattern, i, it.n, it.stride);
        expected[k] = int(k);
    }
    const std::vector<int> result = c.to_host();
    for (std::size_t k = 0; k < result.size(); ++k) {
        if (result[k] != expected[k]) return wrong(it, k, result[k], expected[k]);
    }
    return true;
}

// Runs one case, checks its result, and prints its line.
bool show(const Case& it) {
    MemoryTraffic predicted, counted;
    const bool right = it.access == load ? run_load(it, predicted, counted) : run_store(it, predicted, counted);
    if (!right) return false;
    std::string name = pattern_names[it.pattern];
    if (it.pattern == strided) name += " " + std::to_string(it.stride);
    print_row(name, predicted, counted, it.access == load);
    return true;
}

int main(int argc, char** argv) {
    constexpr long long all = -1;
    long long n = 16384, block = 512, pattern = all, stride = all, access = both;
    read_options(argc, argv, "Reads and writes an array in several orders. Counts what each costs.",
                 {{"--pattern", "the order", &pattern, 0, 5, pattern_names, "all are tried"},
                  {"--stride", "of the strided order, in ints", &stride, 1, 64, nullptr, "several are tried"},
                  {"--access", "which kernels", &access, 0, 2, access_names},
                  {"--n", "how many ints", &n, 1, 1 << 20},
                  {"--block", "threads in a block", &block, 1, 1024}});

    std::printf("%lld ints, blocks of %lld threads.\n", n, block);
    const Rules load_rules = rules_of_this_gpu(reinterpret_cast<const void*>(load_in_order));
    print_rules(load_rules);
    for (const Access kind : {load, store}) {
        if (access != both && access != kind) continue;
        if (access == both && kind == store) std::printf("\n");
        std::printf(kind == load ? "Loads, c[i] = a[k]:\n" : "Stores, c[k] = k:\n");
        print_head("k", load_rules, kind == load);
        for (const Pattern each : {sequential, reversed, permuted, strided, random_order, broadcast}) {
            if (pattern != all && pattern != each) continue;
            std::vector<unsigned> strides{1};
            if (each == strided)
                strides = stride == all ? std::vector<unsigned>{2, 4, 8, 32} : std::vector<unsigned>{unsigned(stride)};
            for (const unsigned step : strides) {
                if (!show({each, kind, unsigned(n), unsigned(block), step})) return 1;
            }
        }
    }
    print_notes(load_rules, argc, argv, access != store);
    return 0;
}
