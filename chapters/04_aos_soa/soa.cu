// The claim: with an array for each field, neighbouring lanes load neighbouring words: 100 %. But where the pointers to
// the arrays lie in device memory themselves, every warp loads them too, 8 bytes for 32 lanes, before each access to an
// array.
//
// The ladder, for init (x[i] = i, y[i] = i) and for add (x[i] += 2, y[i] += 2):
//   in memory   the kernel gets a pointer to the structure of pointers
//   by value    the kernel gets the structure itself
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/04_aos_soa/soa.cu -o soa
//   build/bin/lanescope run ./soa --help
#include <cstdio>
#include <vector>

#include "tutorial/lanes.cuh"
#include "tutorial/options.h"

using namespace lanescope::tutorial;
using lanescope::MemoryTraffic;

// [in memory]
struct Points {
    int* x;
    int* y;
};

__global__ void init(const Points* points, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    points->x[i] = i;
    points->y[i] = i;
}

__global__ void add(const Points* points, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    points->x[i] += 2;
    points->y[i] += 2;
}
// [in memory]

// [by value]
__global__ void init_by_value(Points points, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    points.x[i] = i;
    points.y[i] = i;
}

__global__ void add_by_value(Points points, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    points.x[i] += 2;
    points.y[i] += 2;
}
// [by value]

enum Placement { in_memory, by_value, both };
constexpr const char* placement_names[] = {"in_memory", "by_value", "both"};

struct Case {
    bool adds;   // add, or init
    Placement placement;
    long long n, block;
};

// [predict]
// For x and for y, a warp loads the pointer, if that is in memory, loads ints, if it adds, and stores.
Cost predict(const Case& it, const Points* structure, const Points& points,
             const Rules& load_rules, const Rules& store_rules) {
    const std::uint64_t pointers[] = {address_of(&structure->x), address_of(&structure->y)};
    const int* const arrays[] = {points.x, points.y};
    Cost cost;
    for_each_warp(it.n, it.block, [&](long long first, long long lanes) {
        for (const int field : {0, 1}) {
            const auto pointer = [&](long long) { return pointers[field]; };   // one for all lanes
            const int* const of_lane_0 = arrays[field] + first;
            const auto ints = [&](long long lane) { return address_of(of_lane_0 + lane); };
            if (it.placement == in_memory) {
                cost.load += instruction_for_lanes(lanes, sizeof(int*), load_rules, pointer);
            }
            if (it.adds) {
                cost.load += instruction_for_lanes(lanes, sizeof(int), load_rules, ints);
            }
            cost.store += instruction_for_lanes(lanes, sizeof(int), store_rules, ints);
        }
    });
    return cost;
}
// [predict]

bool check(const Case& it, const char* name, const std::vector<int>& before, const std::vector<int>& after) {
    for (long long i = 0; i < it.n; ++i) {
        const int expected = it.adds ? before[i] + 2 : int(i);
        if (after[i] != expected) {
            std::fprintf(stderr, "soa: wrong result: %s[%lld] is %d instead of %d\n", name, i, after[i], expected);
            return false;
        }
    }
    return true;
}

// Runs one kernel and checks both arrays. False: they are wrong.
bool run(const Case& it, Cost& predicted, Cost& counted) {
    std::vector<int> before_x(it.n), before_y(it.n);
    for (long long i = 0; i < it.n; ++i) {
        before_x[i] = int(3 * i + 1);
        before_y[i] = int(-7 * i);
    }
    // [allocate]
    const DeviceArray<int> x(before_x), y(before_y);
    const Points points{x.data(), y.data()};   // two addresses in the GPU's memory
    const DeviceArray<Points> structure(std::vector{points});   // and the same two, there
    // [allocate]

    const unsigned blocks = blocks_for(it.n, it.block), threads = unsigned(it.block);
    const int n = int(it.n);
    const void* kernel = it.placement == in_memory ? reinterpret_cast<const void*>(it.adds ? add : init)
                                                   : reinterpret_cast<const void*>(it.adds ? add_by_value : init_by_value);
    predicted = predict(it, structure.data(), points, rules_of_this_gpu(kernel), rules_of_this_gpu());
    counted = count_cost([&] {
        if (it.placement == in_memory) (it.adds ? add : init)<<<blocks, threads>>>(structure.data(), n);
        else (it.adds ? add_by_value : init_by_value)<<<blocks, threads>>>(points, n);
    });
    return check(it, "x", before_x, x.to_host()) && check(it, "y", before_y, y.to_host());
}

int main(int argc, char** argv) {
    long long n = 32, block = 512, kernel = 2, placement = both;
    const char* const kernels[] = {"init", "add", "both"};
    read_options(argc, argv, "Sets or adds to two arrays, x and y, that a structure of pointers leads to. Counts what it costs.",
                 {{"--kernel", "which", &kernel, 0, 2, kernels},
                  {"--pointers", "where they are", &placement, 0, 2, placement_names},
                  {"--n", "how many elements", &n, 1, 1 << 24},
                  {"--block", "threads in a block", &block, 1, 1024}});

    std::printf("%lld elements {x, y}, an array for each field, in blocks of %lld threads.\n", n, block);
    const Rules rules = rules_of_this_gpu(reinterpret_cast<const void*>(add));
    print_rules(rules);
    for (const Placement each : {in_memory, by_value}) {
        if (placement != both && placement != each) continue;
        if (placement == both && each == by_value) std::printf("\n");
        std::printf(each == in_memory ? "The pointers lie in device memory:\n"
                                      : "The pointers are parameters of the kernel:\n");
        print_head("kernel", rules, true);
        for (const bool adds : {false, true}) {
            if (kernel != 2 && (kernel == 1) != adds) continue;
            Cost predicted, counted;
            if (!run({adds, each, n, block}, predicted, counted)) return 1;
            const std::string name = adds ? "add" : "init";
            print_row(name + " load", predicted.load, counted.load, true);
            print_row(name + " store", predicted.store, counted.store, false);
        }
    }
    print_notes(rules, argc, argv, true);
    return 0;
}
