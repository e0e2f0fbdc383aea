// The claim: a warp that reads 32 neighbouring ints moves 4 sectors if they begin on a sector's boundary, and 5 if they
// do not. Boundaries are multiples of 32 in the address itself; where the array begins does not matter.
//
// The ladder: c[i] = a[i + offset] + b[i + offset] with offset 0, 1, 7, 8, 16, 31, 32; then with arrays that begin 4
// bytes after a boundary.
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/03_alignment/read_offset.cu -o read_offset
//   build/bin/lanescope run ./read_offset --help
#include <cstdio>
#include <vector>

#include "tutorial/options.h"
#include "tutorial/transactions.cuh"

using namespace lanescope::tutorial;
using lanescope::MemoryTraffic;

// [kernel]
__global__ void add_at_offset(const int* a, const int* b, int* c, int n, int offset) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i + offset] + b[i + offset];
}
// [kernel]

struct Case {
    long long n, offset, block, start;   // a[0] and b[0] lie `start` ints after what cudaMalloc returned
};

struct Outcome {
    MemoryTraffic predicted_load, predicted_store, counted_load, counted_store;
};

// Each warp reads a span of a and one of b, and writes one of c.
void predict(const Case& it, const int* a, const int* b, const int* c, Outcome& outcome) {
    const Rules load = rules_of_this_gpu(reinterpret_cast<const void*>(add_at_offset)), store = rules_of_this_gpu();
    // [predict]
    for_each_warp(it.n, it.block, [&](long long first, long long lanes) {
        const std::uint64_t bytes = lanes * sizeof(int);
        const long long k = first + it.offset;
        outcome.predicted_load += request_for_span(address_of(a + k), bytes, load);
        outcome.predicted_load += request_for_span(address_of(b + k), bytes, load);
        outcome.predicted_store += request_for_span(address_of(c + first), bytes, store);
    });
    // [predict]
}

// Runs one case and checks the sums. False: they are wrong.
bool run(const Case& it, Outcome& outcome) {
    // [allocate]
    // The last thread reads a[n - 1 + offset].
    const std::size_t length = it.start + it.offset + it.n;
    std::vector<int> values_a(length), values_b(length);
    for (std::size_t i = 0; i < length; ++i) {
        values_a[i] = int(i);
        values_b[i] = int(3 * i + 1);
    }
    const DeviceArray<int> all_of_a(values_a), all_of_b(values_b);
    const int* a = all_of_a.data() + it.start;
    const int* b = all_of_b.data() + it.start;
    // [allocate]
    DeviceArray<int> c(it.n);
    c.fill_bytes(0xff);   // a sum that is not written will be wrong

    predict(it, a, b, c.data(), outcome);
    const lanescope::Counts counts = lanescope::count([&] {
        add_at_offset<<<blocks_for(it.n, it.block), unsigned(it.block)>>>(a, b, c.data(), int(it.n), int(it.offset));
        CUDA_CHECK(cudaGetLastError());
    });
    CUDA_CHECK(cudaDeviceSynchronize());
    outcome.counted_load = counts.global_load;
    outcome.counted_store = counts.global_store;

    const std::vector<int> sums = c.to_host();
    for (long long i = 0; i < it.n; ++i) {
        const long long k = it.start + it.offset + i;
        if (sums[i] != values_a[k] + values_b[k]) {
            std::fprintf(stderr, "read_offset: wrong result: c[%lld] is %d instead of %d\n", i, sums[i],
                         values_a[k] + values_b[k]);
            return false;
        }
    }
    return true;
}

// A table of the loads, with a line for each offset. The stores are the same for all of them.
bool show(Case it, const std::vector<long long>& offsets, const Rules& rules) {
    Outcome first;
    bool first_line = true;
    for (const long long offset : offsets) {
        it.offset = offset;
        Outcome outcome;
        if (!run(it, outcome)) return false;
        if (first_line) print_head("offset", rules, true);
        print_row(std::to_string(offset), outcome.predicted_load, outcome.counted_load, true);
        if (first_line)
            first = outcome;
        else if (!agrees(first.counted_store, outcome.counted_store))
            std::printf("  The stores differ from those above.\n");
        first_line = false;
    }
    print_row("stores", first.predicted_store, first.counted_store, false);
    return true;
}

int main(int argc, char** argv) {
    Case it{16384, -1, 512, 0};
    read_options(
        argc, argv,
        "Adds two arrays, read from an offset on: c[i] = a[i + offset] + b[i + offset]. Counts what the loads cost.",
        {{"--n", "how many ints", &it.n, 1, 1 << 24},
         {"--offset", "in ints", &it.offset, 0, 1 << 20, nullptr, "several are tried"},
         {"--block", "threads in a block", &it.block, 1, 1024},
         {"--start", "ints between the address from cudaMalloc and a[0], b[0]", &it.start, 0, 1 << 20}});
    const bool ladder = it.offset < 0;
    const Rules rules = rules_of_this_gpu(reinterpret_cast<const void*>(add_at_offset));

    std::printf("c[i] = a[i + offset] + b[i + offset]: %lld ints, blocks of %lld threads.\n", it.n, it.block);
    print_rules(rules);
    if (it.start != 0)
        std::printf("a and b begin %lld bytes after the address that cudaMalloc returned.\n", it.start * 4);
    if (!show(it, ladder ? std::vector<long long>{0, 1, 7, 8, 16, 31, 32} : std::vector<long long>{it.offset}, rules))
        return 1;
    if (ladder && it.start == 0) {
        it.start = 1;
        std::printf("\nWith a and b 4 bytes after a boundary, other offsets are the good ones:\n");
        if (!show(it, {0, 1, 7, 31}, rules)) return 1;
    }
    print_notes(rules, argc, argv, true);
    return 0;
}
