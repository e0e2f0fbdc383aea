// The claim: a lane may load up to 16 bytes with one instruction. The same bytes then take fewer requests; the sectors
// stay the same. The address must be a multiple of the width: otherwise the kernel ends with
// cudaErrorMisalignedAddress.
//
// The ladder: the same bytes are copied with char, short, int, int2 and int4 for each thread.
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/03_alignment/vector_width.cu -o vector_width
//   build/bin/lanescope run ./vector_width --help
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tutorial/options.h"
#include "tutorial/transactions.cuh"

using namespace lanescope::tutorial;
using lanescope::MemoryTraffic;

constexpr const char* type_names[] = {"char", "short", "int", "int2", "int4"};

// [kernel]
template <class T>
__global__ void copy(const T* from, T* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}
// [kernel]

struct Case {
    long long bytes, block, shift;   // both arrays begin `shift` bytes after what cudaMalloc returned
};

struct Outcome {
    MemoryTraffic predicted_load, predicted_store, counted_load, counted_store;
    cudaError_t error = cudaSuccess;
};

// [predict]
// The bytes of a warp are a span without gaps. A Kepler serves at most 128 of them with one request, so 8-byte lanes
// make a request for each half of the warp, and 16-byte lanes for each quarter. Since Maxwell, one instruction is one
// request.
MemoryTraffic predict(const Case& it, const void* array, long long width, const Rules& rules) {
    const long long lanes_of_request =
        rules.splits_wide_lanes ? std::min<long long>(warp_size, line_bytes / width) : warp_size;
    MemoryTraffic sum;
    for_each_warp(it.bytes / width, it.block, [&](long long first, long long lanes) {
        for (long long lane = 0; lane < lanes; lane += lanes_of_request) {
            const long long together = std::min(lanes_of_request, lanes - lane);
            sum += request_for_span(address_of(array) + (first + lane) * width, together * width, rules);
        }
    });
    return sum;
}
// [predict]

// Copies with one type and checks the copy. False: it is wrong. An error of the kernel is in outcome.error.
template <class T>
bool run(const Case& it, Outcome& outcome) {
    const long long size = it.shift + it.bytes;
    std::vector<unsigned char> bytes(size);
    for (long long i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 7 + i / 256);
    const DeviceArray<unsigned char> all_from(bytes);
    DeviceArray<unsigned char> all_to(size);
    all_to.fill_bytes(0);
    const T* from = reinterpret_cast<const T*>(all_from.data() + it.shift);
    T* to = reinterpret_cast<T*>(all_to.data() + it.shift);
    const long long n = it.bytes / sizeof(T);

    outcome.predicted_load = predict(it, from, sizeof(T), rules_of_this_gpu(reinterpret_cast<const void*>(copy<T>)));
    outcome.predicted_store = predict(it, to, sizeof(T), rules_of_this_gpu());
    const lanescope::Counts counts = lanescope::count([&] {
        copy<<<blocks_for(n, it.block), unsigned(it.block)>>>(from, to, int(n));
        CUDA_CHECK(cudaGetLastError());
    });
    outcome.error = cudaDeviceSynchronize();
    if (outcome.error != cudaSuccess) return true;
    outcome.counted_load = counts.global_load;
    outcome.counted_store = counts.global_store;

    const std::vector<unsigned char> copied = all_to.to_host();
    for (long long i = 0; i < size; ++i) {
        const int expected = i < it.shift ? 0 : bytes[i];
        if (copied[i] != expected) {
            std::fprintf(stderr, "vector_width: wrong result: byte %lld is %d instead of %d\n", i - it.shift, copied[i],
                         expected);
            return false;
        }
    }
    return true;
}

bool run_type(long long type, const Case& it, Outcome& outcome) {
    switch (type) {
        case 0:
            return run<char>(it, outcome);
        case 1:
            return run<short>(it, outcome);
        case 2:
            return run<int>(it, outcome);
        case 3:
            return run<int2>(it, outcome);
        default:
            return run<int4>(it, outcome);
    }
}

int main(int argc, char** argv) {
    constexpr long long all = -1;
    long long type = all;
    Case it{65536, 512, 0};
    read_options(argc, argv,
                 "Copies the same bytes with 1, 2, 4, 8 and 16 bytes for each thread. Counts what each costs.",
                 {{"--type", "what a thread copies", &type, 0, 4, type_names, "all are tried"},
                  {"--bytes", "how many, a multiple of 16", &it.bytes, 16, 1 << 26},
                  {"--block", "threads in a block", &it.block, 1, 1024},
                  {"--shift", "bytes between the address from cudaMalloc and the arrays", &it.shift, 0, 1 << 20}});
    if (it.bytes % 16 != 0) {
        std::fprintf(stderr,
                     "vector_width: --bytes must be a multiple of 16, not %lld\n  next: vector_width --bytes %lld\n",
                     it.bytes, it.bytes / 16 * 16);
        return 2;
    }

    std::printf("%lld bytes are copied, blocks of %lld threads.\n", it.bytes, it.block);
    const Rules rules = rules_of_this_gpu(reinterpret_cast<const void*>(copy<int4>));
    print_rules(rules);
    if (it.shift != 0)
        std::printf("Both arrays begin %lld bytes after the address that cudaMalloc returned.\n", it.shift);
    print_head("loads as", rules, false);

    bool stopped = false;   // by the misaligned access
    bool stores_agree = true;
    for (long long each = 0; each < 5; ++each) {
        if (type != all && type != each) continue;
        const long long width = 1 << each;
        const bool misaligned = it.shift % width != 0;
        Outcome outcome;
        std::fflush(stdout);   // so that a report of the simulated GPU comes after the lines above
        if (!run_type(each, it, outcome)) return 1;
        if (misaligned != (outcome.error == cudaErrorMisalignedAddress)) CUDA_CHECK(outcome.error);
        if (outcome.error != cudaSuccess) {
            std::printf("%-9s %s: the address is no multiple of %lld\n", type_names[each],
                        cudaGetErrorName(outcome.error), width);
            std::printf("\nThat error ends all that the program could still do with the GPU.\n");
            if (!misaligned) return 1;
            stopped = true;
            break;
        }
        print_row(type_names[each], outcome.predicted_load, outcome.counted_load, false);
        stores_agree = stores_agree && agrees(outcome.predicted_store, outcome.counted_store);
    }
    if (lanescope::can_count() && !stopped)
        std::printf(stores_agree ? "The stores cost the same.\n" : "The stores differ from the prediction.\n");
    print_notes(rules, argc, argv, false);
    return 0;
}
