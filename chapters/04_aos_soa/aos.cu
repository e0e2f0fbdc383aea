// The claim: a warp that loads one field of neighbouring structures touches the sectors of all fields. Of {x, y} that
// is 50 %, for a load of x alone, and also for a load of x and then one of y. One load of both is 100 %; the compiler
// may make one if the structure is aligned to 8 bytes.
//
// The ladder (each adds to fields of an array of structures {x, y}):
//   xy            to both, of structures that begin at any multiple of 4
//   x             to x only
//   aligned_xy    to both, of structures that begin at a multiple of 8
//   aligned_x     to x only
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/04_aos_soa/aos.cu -o aos
//   build/bin/lanescope run ./aos --help
#include <cstdio>
#include <vector>

#include "tutorial/lanes.cuh"
#include "tutorial/options.h"

using namespace lanescope::tutorial;
using lanescope::MemoryTraffic;

// [structures]
struct Point {
    int x, y;
};

struct __align__(8) AlignedPoint {
    int x, y;
};
// [structures]

// [kernels]
template <class P>
__global__ void add_to_xy(P* points, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    points[i].x += 2;
    points[i].y += 3;
}

template <class P>
__global__ void add_to_x(P* points, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) points[i].x += 2;
}
// [kernels]

// What a thread does: `accesses` loads, one behind the other, of `width` bytes each; and the same stores.
struct Kernel {
    const char* name;
    bool aligned, both;
    int accesses;
    unsigned width;
};
constexpr Kernel kernels[] = {
    {"xy", false, true, 2, 4},
    {"x", false, false, 1, 4},
    {"aligned_xy", true, true, 1, 8},   // one load, of 8 bytes from a multiple of 8
    {"aligned_x", true, false, 1, 4},
};
constexpr const char* kernel_names[] = {"xy", "x", "aligned_xy", "aligned_x"};

// [predict]
// In a warp, the x of neighbouring lanes are a structure apart: 8 bytes.
MemoryTraffic predict(const Kernel& kernel, const void* points, long long n, long long block,
                      const Rules& rules) {
    MemoryTraffic sum;
    for_each_warp(n, block, [&](long long first, long long lanes) {
        for (int access = 0; access < kernel.accesses; ++access) {
            const std::uint64_t start = address_of(points) + access * kernel.width;
            const auto address = [&](long long lane) { return start + (first + lane) * sizeof(Point); };
            sum += instruction_for_lanes(lanes, kernel.width, rules, address);
        }
    });
    return sum;
}
// [predict]

// Runs one kernel and checks the points. False: they are wrong.
template <class P>
bool run(const Kernel& kernel, long long n, long long block, Cost& predicted, Cost& counted) {
    std::vector<P> before(n);
    for (long long i = 0; i < n; ++i) before[i] = {int(i), int(-5 * i)};
    const DeviceArray<P> points(before);
    const auto function = kernel.both ? add_to_xy<P> : add_to_x<P>;

    const Rules load_rules = rules_of_this_gpu(reinterpret_cast<const void*>(function));
    predicted.load = predict(kernel, points.data(), n, block, load_rules);
    predicted.store = predict(kernel, points.data(), n, block, rules_of_this_gpu());
    counted = count_cost([&] { function<<<blocks_for(n, block), unsigned(block)>>>(points.data(), int(n)); });

    const std::vector<P> after = points.to_host();
    for (long long i = 0; i < n; ++i) {
        const P expected{before[i].x + 2, before[i].y + (kernel.both ? 3 : 0)};
        if (after[i].x != expected.x || after[i].y != expected.y) {
            std::fprintf(stderr, "aos: wrong result: %s: point %lld is {%d, %d} instead of {%d, %d}\n", kernel.name, i,
                         after[i].x, after[i].y, expected.x, expected.y);
            return false;
        }
    }
    return true;
}

int main(int argc, char** argv) {
    constexpr long long all = -1;
    long long n = 16384, block = 512, chosen = all;
    read_options(argc, argv, "Adds to x and y, or to x alone, in an array of structures {x, y}. Counts what the loads cost.",
                 {{"--kernel", "which", &chosen, 0, 3, kernel_names, "all are tried"},
                  {"--n", "how many structures", &n, 1, 1 << 24},
                  {"--block", "threads in a block", &block, 1, 1024}});

    std::printf("%lld structures {x, y} of 8 bytes, in blocks of %lld threads. Loads:\n", n, block);
    const Rules rules = rules_of_this_gpu(reinterpret_cast<const void*>(add_to_xy<Point>));
    print_rules(rules);
    bool stores_agree = true;
    for (long long which = 0; which < 4; ++which) {
        if (chosen != all && chosen != which) continue;
        const Kernel& kernel = kernels[which];
        Cost predicted, counted;
        const auto run_it = kernel.aligned ? run<AlignedPoint> : run<Point>;
        if (!run_it(kernel, n, block, predicted, counted)) return 1;
        if (which == 0 || chosen != all) print_head("added to", rules, true);
        print_row(kernel.name, predicted.load, counted.load, true);
        stores_agree = stores_agree && stores_are_like_loads(predicted, counted);
    }
    print_whether_stores_agree(stores_agree);
    print_notes(rules, argc, argv, true);
    return 0;
}
