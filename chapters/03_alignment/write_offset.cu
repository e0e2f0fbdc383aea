// The claim: stores follow the same arithmetic as loads. A warp that writes 32 neighbouring ints writes to 4 sectors if
// they begin on a sector's boundary, and to 5 if they do not. No L1 cache makes up for it.
//
// The ladder: c[i + offset] = a[i] + b[i] with offset 0, 1, 7, 8, 11, 16, 32; then with an array that begins 4 bytes
// after a boundary.
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/03_alignment/write_offset.cu -o write_offset
//   build/bin/lanescope run ./write_offset --help
#include <cstdio>
#include <vector>

#include "tutorial/options.h"
#include "tutorial/transactions.cuh"

using namespace lanescope::tutorial;
using lanescope::MemoryTraffic;

// [kernel]
__global__ void add_to_offset(const int* a, const int* b, int* c, int n, int offset) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i + offset] = a[i] + b[i];
}
// [kernel]

struct Case {
    long long n, offset, block, start;   // c[0] lies `start` ints after what cudaMalloc returned
};

struct Outcome {
    MemoryTraffic predicted_load, predicted_store, counted_load, counted_store;
};

// Each warp reads a span of a and one of b, and writes one of c.
void predict(const Case& it, const int* a, const int* b, const int* c, Outcome& outcome) {
    const Rules load = rules_of_this_gpu(reinterpret_cast<const void*>(add_to_offset)), store = rules_of_this_gpu();
    for_each_warp(it.n, it.block, [&](long long first, long long lanes) {
        const std::uint64_t bytes = lanes * sizeof(int);
        outcome.predicted_load += request_for_span(address_of(a + first), bytes, load);
        outcome.predicted_load += request_for_span(address_of(b + first), bytes, load);
        outcome.predicted_store += request_for_span(address_of(c + first + it.offset), bytes, store);
    });
}

// Runs one case and checks the sums, and that nothing before them was written. False: something is wrong.
bool run(const Case& it, Outcome& outcome) {
    std::vector<int> values_a(it.n), values_b(it.n);
    for (long long i = 0; i < it.n; ++i) {
        values_a[i] = int(i);
        values_b[i] = int(3 * i + 1);
    }
    const DeviceArray<int> a(values_a), b(values_b);
    DeviceArray<int> all_of_c(it.start + it.offset + it.n);   // the last thread writes c[n - 1 + offset]
    all_of_c.fill_bytes(0xff);
    int* c = all_of_c.data() + it.start;

    predict(it, a.data(), b.data(), c, outcome);
    const lanescope::Counts counts = lanescope::count([&] {
        add_to_offset<<<blocks_for(it.n, it.block), unsigned(it.block)>>>(a.data(), b.data(), c, int(it.n),
                                                                          int(it.offset));
        CUDA_CHECK(cudaGetLastError());
    });
    CUDA_CHECK(cudaDeviceSynchronize());
    outcome.counted_load = counts.global_load;
    outcome.counted_store = counts.global_store;

    const std::vector<int> written = all_of_c.to_host();
    const long long before = it.start + it.offset;
    for (long long k = 0; k < before + it.n; ++k) {
        const int expected = k < before ? -1 : values_a[k - before] + values_b[k - before];
        if (written[k] != expected) {
            std::fprintf(stderr, "write_offset: wrong result: c[%lld] is %d instead of %d\n", k - it.start, written[k],
                         expected);
            return false;
        }
    }
    return true;
}

// A table of the stores, with a line for each offset. The loads are the same for all of them.
bool show(Case it, const std::vector<long long>& offsets, const Rules& rules) {
    Outcome first;
    bool first_line = true;
    for (const long long offset : offsets) {
        it.offset = offset;
        Outcome outcome;
        if (!run(it, outcome)) return false;
        if (first_line) print_head("offset", rules, false);
        print_row(std::to_string(offset), outcome.predicted_store, outcome.counted_store, false);
        if (first_line)
            first = outcome;
        else if (!agrees(first.counted_load, outcome.counted_load))
            std::printf("  The loads differ from those above.\n");
        first_line = false;
    }
    print_row("loads", first.predicted_load, first.counted_load, false);
    return true;
}

int main(int argc, char** argv) {
    Case it{16384, -1, 512, 0};
    read_options(argc, argv,
                 "Adds two arrays and writes the sums from an offset on: c[i + offset] = a[i] + b[i]. Counts what the "
                 "stores cost.",
                 {{"--n", "how many ints", &it.n, 1, 1 << 24},
                  {"--offset", "in ints", &it.offset, 0, 1 << 20, nullptr, "several are tried"},
                  {"--block", "threads in a block", &it.block, 1, 1024},
                  {"--start", "ints between the address from cudaMalloc and c[0]", &it.start, 0, 1 << 20}});
    const bool ladder = it.offset < 0;
    const Rules rules = rules_of_this_gpu();

    std::printf("c[i + offset] = a[i] + b[i]: %lld ints, blocks of %lld threads.\n", it.n, it.block);
    print_rules(rules);
    if (it.start != 0) std::printf("c begins %lld bytes after the address that cudaMalloc returned.\n", it.start * 4);
    if (!show(it, ladder ? std::vector<long long>{0, 1, 7, 8, 11, 16, 32} : std::vector<long long>{it.offset}, rules))
        return 1;
    if (ladder && it.start == 0) {
        it.start = 1;
        std::printf("\nWith c 4 bytes after a boundary, other offsets are the good ones:\n");
        if (!show(it, {0, 1, 7, 31}, rules)) return 1;
    }
    print_notes(rules, argc, argv, false);
    return 0;
}
