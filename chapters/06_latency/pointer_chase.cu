// The claim: how long a load takes depends on where it finds its data. A chain of pointers shows it: each load needs
// the address that the last one returned, so nothing hides its latency. As the chain's working set grows past a cache,
// the cycles of a load climb from one plateau to the next.
//
// The ladder: working sets from 16 KB to 128 MB, an element every 128 bytes (a line each), visited in random order.
//   --op ca          loads that look in L1 first (ld.global.ca)
//   --op cg          loads that go to L2 at once (ld.global.cg)
//   --space shared   the same chain in shared memory
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/06_latency/pointer_chase.cu -o pointer_chase
//   build/bin/lanescope run ./pointer_chase --help
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "chase.cuh"
#include "plateaus.h"
#include "tutorial/options.h"
#include "tutorial/simulated.h"

using namespace lanescope::tutorial;
using namespace latency;

constexpr const char* space_names[] = {"global", "shared"};
constexpr const char* operator_names[] = {"ca", "cg"};
constexpr const char* order_names[] = {"random", "sequential"};
enum { in_global, in_shared };

[[noreturn]] void refuse(const std::string& problem, const std::string& next) {
    std::fprintf(stderr, "pointer_chase: %s\n  next: %s\n", problem.c_str(), next.c_str());
    std::exit(2);
}

// What the SM clock did: a cycle is not a fixed time unless somebody locked it.
void print_clock(double lowest, double highest) {
    if (on_simulated_gpu()) {
        std::printf("\nSM clock: %.0f MHz, modelled; it does not change.\n", highest);
        return;
    }
    std::printf("\nSM clock seen: %.0f to %.0f MHz (cycles / %%globaltimer, over each size's timed loads).\n", lowest,
                highest);
    if (highest > 1.02 * lowest) {
        std::printf(
            "It changed, so the clocks are not locked. L2 and DRAM have clocks of their own: their cycles change with "
            "it.\n"
            "  next: sudo chapters/06_latency/gpu_clock_lock.sh lock --sm %.0f\n",
            lowest);
    } else {
        std::printf(
            "Steady, but that is no proof that the clocks are locked, and a program cannot ask CUDA. Lock them to be "
            "sure:\n"
            "  next: chapters/06_latency/gpu_clock_lock.sh status\n");
    }
}

int main(int argc, char** argv) {
    long long space = in_global, op = 0, order = 0, from = 16, to = -1, steps = 4, stride = 128, passes = 2,
              loads = 16384, device = 0;
    bool csv = false;
    read_options(
        argc, argv,
        "Follows a chain of pointers with one thread, and prints the cycles of a load for growing working sets.",
        {{"--space", "where the chain is", &space, 0, 1, space_names},
         {"--op", "cache operator of the loads from global memory", &op, 0, 1, operator_names},
         {"--from", "smallest working set, in KB", &from, 1, 1 << 22},
         {"--to", "largest working set, in KB", &to, 1, 1 << 22, nullptr, "131072, or all shared memory of a block"},
         {"--steps", "sizes for each doubling", &steps, 1, 64},
         {"--stride", "bytes from element to element, a multiple of 8", &stride, 8, 1 << 20},
         {"--order", "order in which the elements are visited", &order, 0, 1, order_names},
         {"--warmup", "passes over the working set before the clock starts", &passes, 0, 16},
         {"--loads", "timed loads for each size, rounded up to a multiple of 16", &loads, 1, 1 << 24},
         {"--device", "number of the GPU", &device, 0, 63}},
        {{"--csv", "print comma-separated values only", &csv}});

    int devices = 0;
    CUDA_CHECK(cudaGetDeviceCount(&devices));
    if (device >= devices)
        refuse("--device " + std::to_string(device) + ": this machine has " + std::to_string(devices) +
                   " GPU(s), counted from 0",
               "choose one of them; nvidia-smi -L lists them");
    CUDA_CHECK(cudaSetDevice(int(device)));
    int shared_bytes = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, int(device)));
    const long long shared_kb = shared_bytes / 1024;
    if (to < 0) to = std::max(from, space == in_shared ? shared_kb : 131072);
    if (to < from)
        refuse("--to " + std::to_string(to) + " is less than --from " + std::to_string(from), "pointer_chase --help");
    if (space == in_shared && to > shared_kb)
        refuse("--to " + std::to_string(to) + ": a block can have " + std::to_string(shared_kb) +
                   " KB of shared memory on this GPU",
               "choose at most that, or --space global");
    if (stride % 8 != 0)
        refuse("--stride " + std::to_string(stride) + " is not a multiple of 8",
               "an element holds an address of 8 bytes");
    if (stride > from * 1024)
        refuse("--stride " + std::to_string(stride) + ": no element fits in " + std::to_string(from) + " KB",
               "a smaller --stride, or a larger --from");
    if (to * 1024 / stride > 1 << 28)
        refuse(
            "--to " + std::to_string(to) + " with --stride " + std::to_string(stride) + " are more than 2^28 elements",
            "a smaller --to, or a larger --stride");
    loads = (loads + loads_per_loop - 1) / loads_per_loop * loads_per_loop;

    cudaDeviceProp properties;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, int(device)));
    const char* const kind = source_of_times();
    const char* const op_name = space == in_shared ? "-" : operator_names[op];
    if (csv) {
        std::printf("gpu,kind,space,op,order,stride_bytes,kb,loads,cycles_per_load,sm_mhz\n");
    } else {
        std::printf("A chain of pointers through %s memory", space_names[space]);
        if (space == in_global) std::printf(" (ld.global.%s)", op_name);
        std::printf(", followed by one thread.\n%s, %s. An element every %lld bytes, in %s order.\n", properties.name,
                    kind, stride, order_names[order]);
        std::printf(
            "For each size %lld pass(es) over all elements to warm up, then %lld timed loads, however many elements "
            "there are.\n\n",
            passes, loads);
        std::printf("%10s %10s %12s\n%10s %10s %12s\n", "KB", "elements", "cycles", "", "", kind);
    }

    std::vector<Point> points;
    double lowest_mhz = 0, highest_mhz = 0;
    for (const long long kb : ladder(from, to, steps)) {
        const Chain chain(unsigned(kb * 1024 / stride), unsigned(stride),
                          order == 0 ? Order::random : Order::sequential);
        const Walk walk = space == in_shared
                              ? chain.walk_shared(unsigned(passes), unsigned(loads))
                              : chain.walk(op == 0 ? Operator::ca : Operator::cg, unsigned(passes), unsigned(loads));
        // Every load happened, and each used what the last one returned: else the walk would not end here.
        const unsigned long long end = chain.end_of((unsigned long long)passes * chain.size() + loads);
        if (walk.last != end) {
            std::fprintf(stderr,
                         "pointer_chase: wrong result: the walk through %lld KB ended at byte %llu instead of %llu\n",
                         kb, walk.last, end);
            return 1;
        }
        const double cycles = double(walk.cycles) / double(loads);
        const double mhz = walk.nanoseconds == 0 ? 0 : 1e3 * double(walk.cycles) / double(walk.nanoseconds);
        points.push_back({double(kb), cycles});
        lowest_mhz = points.size() == 1 ? mhz : std::min(lowest_mhz, mhz);
        highest_mhz = std::max(highest_mhz, mhz);
        if (csv) {
            std::printf("%s,%s,%s,%s,%s,%lld,%lld,%lld,%.2f,%.0f\n", properties.name, kind, space_names[space], op_name,
                        order_names[order], stride, kb, loads, cycles, mhz);
        } else {
            std::printf("%10lld %10u %12.1f\n", kb, chain.size(), cycles);
        }
    }
    if (csv) return 0;

    std::printf(
        "\nPlateaus: sizes whose cycles differ by at most %.0f %%, the largest at least %g times the smallest.\n",
        100 * plateau_tolerance, plateau_span);
    const std::vector<Plateau> plateaus = find_plateaus(points);
    for (std::size_t i = 0; i < plateaus.size(); ++i) {
        const Plateau& it = plateaus[i];
        std::printf("%3zu. %8.1f cycles, %s: %.0f KB to %.0f KB (%zu sizes)\n", i + 1, it.cycles, kind, it.from_kb,
                    it.to_kb, it.sizes);
    }
    if (plateaus.empty()) std::printf("     none in these sizes\n");
    print_clock(lowest_mhz, highest_mhz);
    return 0;
}
