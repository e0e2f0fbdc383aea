// The claim: what a layout costs depends on which fields a kernel touches together. All fields with one wide load: an
// array of structures is as good as any. One field, or a size that no wide load has: put the same field of neighbours
// side by side.
//
// The ladder: structures of 2, 3, 4 and 8 ints; a kernel adds to all fields, or to the first only. The layouts:
//   aos      an array of structures, field by field: each load touches the sectors of all fields
//   vector   the same bytes, aligned, loaded as a whole: 8 or 16 bytes with each load
//   soa      a structure of arrays
//   tiles    an array of structures of arrays: 32 first fields, 32 second fields, ..., then the next 32 elements
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/04_aos_soa/aosoa.cu -o aosoa
//   build/bin/lanescope run ./aosoa --help
#include <cstdio>
#include <string>
#include <vector>

#include "tutorial/lanes.cuh"
#include "tutorial/options.h"
#include "tutorial/simulated.h"
#include "tutorial/timing.cuh"

using namespace lanescope::tutorial;
using lanescope::MemoryTraffic;

// [layouts]
constexpr int tile_size = 32;

template <int fields>   // aos: an array of these
struct Record {
    int field[fields];
};

template <int fields>   // vector: an array of these; 8 or 16 bytes at once are allowed
struct __align__(fields == 2 ? 8 : 16) AlignedRecord {
    int field[fields];
};

template <int fields>   // soa: one of these
struct Arrays {
    int* field[fields];
};

template <int fields>   // tiles: an array of these
struct Tile {
    int field[fields][tile_size];
};
// [layouts]

// [element]
template <int fields>
__device__ int& element(Record<fields>* records, int i, int field) { return records[i].field[field]; }

template <int fields>
__device__ int& element(AlignedRecord<fields>* records, int i, int field) { return records[i].field[field]; }

template <int fields>
__device__ int& element(Arrays<fields> arrays, int i, int field) { return arrays.field[field][i]; }

template <int fields>
__device__ int& element(Tile<fields>* tiles, int i, int field) {
    return tiles[i / tile_size].field[field][i % tile_size];
}
// [element]

// [kernels]
template <int touched, class Data>
__global__ void add_to_fields(Data data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
#pragma unroll
    for (int field = 0; field < touched; ++field) {
        element(data, i, field) += field + 1;
    }
}

template <int fields>
__global__ void add_to_whole_records(AlignedRecord<fields>* records, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    AlignedRecord<fields> mine = records[i];   // wide loads into registers
#pragma unroll
    for (int field = 0; field < fields; ++field) mine.field[field] += field + 1;
    records[i] = mine;
}
// [kernels]

enum Layout { aos, vector, soa, tiles };
constexpr const char* layout_names[] = {"aos", "vector", "soa", "tiles"};
enum Touch { one, all_fields };
constexpr const char* touch_names[] = {"one", "all"};

struct Case {
    Layout layout;
    Touch touch;
    int fields;
    long long n, block;

    std::string name() const { return std::string(layout_names[layout]) + " " + std::to_string(fields * sizeof(int)); }
    int touched() const { return touch == one ? 1 : fields; }
    long long whole_tiles() const { return (n + tile_size - 1) / tile_size; }
    // From the beginning of an array to that of the next, in ints: a multiple of 256 bytes, as from cudaMalloc.
    long long pitch() const { return (n + 63) / 64 * 64; }
    long long ints() const {
        return fields * (layout == soa ? pitch() : layout == tiles ? whole_tiles() * tile_size : n);
    }
    // [index]
    // Where the field of an element is, counted in ints from the beginning.
    long long index_of(long long i, int field) const {
        switch (layout) {
            case soa: return field * pitch() + i;
            case tiles: return (i / tile_size * fields + field) * tile_size + i % tile_size;
            default: return i * fields + field;
        }
    }
    // [index]
};

// [predict]
// A thread makes one access for each field that it touches; with aligned structures as a whole, one for each 8 or 16
// bytes.
MemoryTraffic predict(const Case& it, const int* data, const Rules& rules) {
    const int at_once = it.layout == vector && it.touch == all_fields ? std::min(it.fields, 4) : 1;
    MemoryTraffic sum;
    for_each_warp(it.n, it.block, [&](long long first, long long lanes) {
        for (int field = 0; field < it.touched(); field += at_once) {
            const auto address = [&](long long lane) { return address_of(data + it.index_of(first + lane, field)); };
            sum += instruction_for_lanes(lanes, at_once * sizeof(int), rules, address);
        }
    });
    return sum;
}
// [predict]

struct Outcome {
    Cost predicted, counted;
    float ms = 0;   // measured on a real GPU
};

// Launches one of the kernels of a layout, and tells which.
template <int fields, class Data>
const void* launch_fields(const Case& it, Data data, bool launches) {
    const auto kernel = it.touch == one ? add_to_fields<1, Data> : add_to_fields<fields, Data>;
    if (launches) kernel<<<blocks_for(it.n, it.block), unsigned(it.block)>>>(data, int(it.n));
    return reinterpret_cast<const void*>(kernel);
}

template <int fields>
const void* launch(const Case& it, int* data, bool launches) {
    if (it.layout == aos) return launch_fields<fields>(it, reinterpret_cast<Record<fields>*>(data), launches);
    if (it.layout == tiles) return launch_fields<fields>(it, reinterpret_cast<Tile<fields>*>(data), launches);
    if (it.layout == soa) {
        Arrays<fields> arrays;
        for (int field = 0; field < fields; ++field) arrays.field[field] = data + field * it.pitch();
        return launch_fields<fields>(it, arrays, launches);
    }
    if constexpr (fields != 3) {   // no load is 12 bytes wide
        const auto records = reinterpret_cast<AlignedRecord<fields>*>(data);
        if (it.touch == one) return launch_fields<fields>(it, records, launches);
        const unsigned blocks = blocks_for(it.n, it.block);
        if (launches) add_to_whole_records<<<blocks, unsigned(it.block)>>>(records, int(it.n));
        return reinterpret_cast<const void*>(add_to_whole_records<fields>);
    }
    return nullptr;
}

// Runs one case and checks every int: those of fields that are not touched, and those of no element, must stay. False:
// wrong.
template <int fields>
bool run(const Case& it, int repeats, Outcome& outcome) {
    std::vector<int> expected(it.ints());
    for (long long k = 0; k < it.ints(); ++k) expected[k] = int(11 * k + 5);
    const DeviceArray<int> data(expected);
    outcome.predicted.load = predict(it, data.data(), rules_of_this_gpu(launch<fields>(it, data.data(), false)));
    outcome.predicted.store = predict(it, data.data(), rules_of_this_gpu());
    outcome.counted = count_cost([&] { launch<fields>(it, data.data(), true); });

    for (long long i = 0; i < it.n; ++i) {
        for (int field = 0; field < it.touched(); ++field) expected[it.index_of(i, field)] += field + 1;
    }
    const std::vector<int> result = data.to_host();
    for (long long k = 0; k < it.ints(); ++k) {
        if (result[k] != expected[k]) {
            std::fprintf(stderr, "aosoa: wrong result: %s, %s: int %lld is %d instead of %d\n", it.name().c_str(),
                         touch_names[it.touch], k, result[k], expected[k]);
            return false;
        }
    }
    if (!on_simulated_gpu()) outcome.ms = median_ms(repeats, [] {}, [&] { launch<fields>(it, data.data(), true); });
    return true;
}

bool run_size(const Case& it, int repeats, Outcome& outcome) {
    switch (it.fields) {
        case 2: return run<2>(it, repeats, outcome);
        case 3: return run<3>(it, repeats, outcome);
        case 4: return run<4>(it, repeats, outcome);
        default: return run<8>(it, repeats, outcome);
    }
}

int main(int argc, char** argv) {
    constexpr long long all = -1;
    constexpr const char* size_names[] = {"8", "12", "16", "32"};
    constexpr int fields_of_size[] = {2, 3, 4, 8};
    long long n = 16384, block = 512, layout = all, size = all, touch = all, repeats = 9;
    read_options(argc, argv, "Adds to all fields, or to one, of structures in several layouts. Counts what the loads cost.",
                 {{"--bytes", "of a structure", &size, 0, 3, size_names, "all are tried"},
                  {"--touch", "how many of its fields", &touch, 0, 1, touch_names, "both are tried"},
                  {"--layout", "of the structures", &layout, 0, 3, layout_names, "all are tried"},
                  {"--n", "how many structures", &n, 1, 1 << 24},
                  {"--block", "threads in a block", &block, 1, 1024},
                  {"--repeats", "measured runs of each, on a real GPU", &repeats, 1, 1000}});
    if (layout == vector && size == 1) {
        std::fprintf(stderr, "aosoa: --layout vector cannot have --bytes 12: loads are 4, 8 or 16 bytes wide\n"
                             "  next: aosoa --layout vector --bytes 16\n");
        return 2;
    }

    std::printf("Structures of ints: %lld, in blocks of %lld threads. Loads:\n", n, block);
    const Rules rules = rules_of_this_gpu(reinterpret_cast<const void*>(add_to_whole_records<4>));
    print_rules(rules);
    bool stores_agree = true;
    std::vector<std::pair<Case, float>> times;
    for (const Touch each_touch : {all_fields, one}) {
        if (touch != all && touch != each_touch) continue;
        if (touch == all && each_touch == one) std::printf("\n");
        std::printf(each_touch == all_fields ? "A thread adds to all fields of its structure:\n"
                                             : "A thread adds to the first field only:\n");
        print_head("layout", rules, true);
        for (long long each_size = 0; each_size < 4; ++each_size) {
            if (size != all && size != each_size) continue;
            for (const Layout each_layout : {aos, vector, soa, tiles}) {
                if (layout != all && layout != each_layout) continue;
                if (each_layout == vector && fields_of_size[each_size] == 3) continue;
                const Case it{each_layout, each_touch, fields_of_size[each_size], n, block};
                Outcome outcome;
                if (!run_size(it, int(repeats), outcome)) return 1;
                print_row(it.name(), outcome.predicted.load, outcome.counted.load, true);
                stores_agree = stores_agree && stores_are_like_loads(outcome.predicted, outcome.counted);
                times.emplace_back(it, outcome.ms);
            }
        }
    }
    print_whether_stores_agree(stores_agree);
    if (!on_simulated_gpu()) {
        std::printf("\nTime, median of %lld runs, and fields read and written (1 GB = 10^9 bytes):\n", repeats);
        for (const auto& [it, ms] : times) {
            const double bytes = 2.0 * sizeof(int) * it.touched() * it.n;
            std::printf("%-10s %-4s %10.4f ms %9.1f GB/s\n", it.name().c_str(), touch_names[it.touch], ms,
                        bytes / ms / 1e6);
        }
    }
    print_notes(rules, argc, argv, true);
    return 0;
}
