// The claim: a kernel can read and write host memory directly if it is pinned and mapped. Every access then goes over
// the bus: nothing is copied beforehand, and nothing is kept. The host must wait for the kernel before it reads.
//
// The ladder: c[i] = a[i] + b[i] with A, B, C in device memory; A, B mapped; A, B, C mapped. --forget-sync shows what
// the host reads if it does not wait.
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/02_host_memory/zero_copy.cu -o zero_copy
//   build/bin/lanescope run ./zero_copy
#include <algorithm>
#include <cstdio>
#include <vector>

#include "tutorial/check.cuh"
#include "tutorial/options.h"
#include "tutorial/simulated.h"
#include "tutorial/timing.cuh"

using namespace lanescope::tutorial;

// [kernel]
__global__ void add(const int* a, const int* b, int* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
// [kernel]

constexpr int threads_per_block = 256;

void launch(const int* a, const int* b, int* c, int n) {
    const int blocks = (n + threads_per_block - 1) / threads_per_block;
    if (blocks > 0) add<<<blocks, threads_per_block>>>(a, b, c, n);   // no launch of 0 blocks
    CUDA_CHECK(cudaGetLastError());
}

int value_of_a(int i) { return i; }
int value_of_b(int i) { return 2 * i + 1; }
constexpr int old_value = -1;   // no sum is negative

// An array in pinned host memory, and the pointer by which kernels reach it.
struct Mapped {
    int *host = nullptr, *device = nullptr;

    explicit Mapped(int n) {
        const std::size_t bytes = (n + std::size_t{1}) * sizeof(int);   // + 1: memory for 0 ints is no memory
        // [mapped]
        CUDA_CHECK(cudaHostAlloc(&host, bytes, cudaHostAllocMapped));
        CUDA_CHECK(cudaHostGetDevicePointer(&device, host, 0));
        // [mapped]
    }
    ~Mapped() { cudaFreeHost(host); }
    Mapped(const Mapped&) = delete;
};

// A, B and C twice: in host memory and in device memory, with the same values in A and B.
struct Arrays {
    int n;
    Mapped a, b, c;
    int *device_a = nullptr, *device_b = nullptr, *device_c = nullptr;

    explicit Arrays(int n) : n(n), a(n), b(n), c(n) {
        const std::size_t bytes = n * sizeof(int);
        for (int** array : {&device_a, &device_b, &device_c}) CUDA_CHECK(cudaMalloc(array, bytes + sizeof(int)));
        for (int i = 0; i < n; ++i) {
            a.host[i] = value_of_a(i);
            b.host[i] = value_of_b(i);
        }
        CUDA_CHECK(cudaMemcpy(device_a, a.host, bytes, cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemcpy(device_b, b.host, bytes, cudaMemcpyHostToDevice));
    }
    ~Arrays() {
        for (int* array : {device_a, device_b, device_c}) cudaFree(array);
    }
    Arrays(const Arrays&) = delete;
};

struct Placement {
    const char *name, *csv_name;
    bool inputs_mapped, output_mapped;
};

constexpr Placement placements[] = {
    {"A, B, C in device memory", "device", false, false},
    {"A, B mapped host memory", "ab_mapped", true, false},
    {"A, B, C mapped host memory", "abc_mapped", true, true},
};

// False, after one message: c does not hold the sums.
bool check_sums(const int* c, int n, const char* where) {
    for (int i = 0; i < n; ++i) {
        if (c[i] == value_of_a(i) + value_of_b(i)) continue;
        std::fprintf(stderr, "zero_copy: wrong result, %s: c[%d] is %d instead of %d\n", where, i, c[i],
                     value_of_a(i) + value_of_b(i));
        return false;
    }
    return true;
}

// Runs the kernel on one placement, checks the sums, and takes the time of the kernel alone. False: wrong sums.
bool measure(const Arrays& it, const Placement& placement, int repeats, float& ms) {
    const int* const a = placement.inputs_mapped ? it.a.device : it.device_a;
    const int* const b = placement.inputs_mapped ? it.b.device : it.device_b;
    int* const c = placement.output_mapped ? it.c.device : it.device_c;
    std::fill_n(it.c.host, it.n, old_value);
    CUDA_CHECK(cudaMemset(it.device_c, 0xff, it.n * sizeof(int)));
    launch(a, b, c, it.n);
    CUDA_CHECK(cudaDeviceSynchronize());
    if (!placement.output_mapped)
        CUDA_CHECK(cudaMemcpy(it.c.host, it.device_c, it.n * sizeof(int), cudaMemcpyDeviceToHost));
    if (!check_sums(it.c.host, it.n, placement.name)) return false;
    ms = median_ms(
        repeats, [] {}, [&] { launch(a, b, c, it.n); });
    return true;
}

bool print_table(int n, int repeats) {
    const Arrays arrays(n);
    const char* const source = source_of_times();
    std::printf("c[i] = a[i] + b[i]: %d ints, blocks of %d threads.\n\n", n, threads_per_block);
    std::printf("%-28s %13s %13s %12s\n", "", "read over", "written over", "kernel, ms");
    std::printf("%-28s %13s %13s %12s\n", "", "the bus, MB", "the bus, MB", source);
    for (const Placement& placement : placements) {
        float ms = 0;
        if (!measure(arrays, placement, repeats, ms)) return false;
        const double megabytes = n * sizeof(int) / 1e6;
        std::printf("%-28s %13.1f %13.1f ", placement.name, placement.inputs_mapped ? 2 * megabytes : 0.0,
                    placement.output_mapped ? megabytes : 0.0);
        if (n > 0)
            std::printf("%12.3f\n", ms);
        else
            std::printf("%12s\n", "no launch");
    }
    std::printf(
        "\nAll sums are right. Times: median of %d launches after one that does not count. The first line\n"
        "leaves out the copies that bring A and B to the device and C back.\n",
        repeats);
    return true;
}

bool print_csv(int largest, int repeats) {
    std::printf("n,placement,milliseconds,source\n");
    long long n = std::min(1024, largest);
    while (n > 0) {
        const Arrays arrays(static_cast<int>(n));
        for (const Placement& placement : placements) {
            float ms = 0;
            if (!measure(arrays, placement, repeats, ms)) return false;
            std::printf("%lld,%s,%.6f,%s\n", n, placement.csv_name, ms, source_of_times());
        }
        if (n == largest) break;
        n = std::min<long long>(4 * n, largest);
    }
    return true;
}

// Up to 1000 elements of c, evenly spread: how many still hold the old value? Looking at all would take longer than
// the kernel.
int count_old(const volatile int* c, int n, int looked_at) {
    int old = 0;
    for (long long k = 0; k < looked_at; ++k) old += c[k * n / looked_at] == old_value;
    return old;
}

bool forget_sync(int n) {
    const Arrays arrays(n);
    const int* const a = arrays.a.device;
    const int* const b = arrays.b.device;
    int* const c = arrays.c.device;
    int* const host_c = arrays.c.host;
    const int looked_at = std::min(n, 1000);
    std::printf("c[i] = a[i] + b[i]: %d ints, A, B, C mapped. C is full of -1 before the launch.\n\n", n);
    // Once before, so that a real GPU does not spend the launch loading the kernel.
    launch(a, b, c, n);
    CUDA_CHECK(cudaDeviceSynchronize());
    // [forget]
    std::fill_n(host_c, n, old_value);
    launch(a, b, c, n);
    const int too_early = count_old(host_c, n, looked_at);   // wrong: nothing has waited
    CUDA_CHECK(cudaDeviceSynchronize());
    const int in_time = count_old(host_c, n, looked_at);
    // [forget]
    std::printf("Without waiting   the host looks at %4d elements and finds %4d old ones.\n", looked_at, too_early);
    std::printf("After the wait    the host looks at %4d elements and finds %4d old ones.\n\n", looked_at, in_time);
    if (in_time != 0 || !check_sums(host_c, n, "after the wait")) {
        std::fprintf(stderr, "zero_copy: wrong result: %d old elements after the wait\n", in_time);
        return false;
    }
    if (on_simulated_gpu())
        std::printf(
            "The simulated GPU starts a kernel when somebody waits for it, so everything is old, every time.\n");
    else
        std::printf("How many are old is an accident of timing: all, some or none. Nothing orders the two.\n");
    return true;
}

int main(int argc, char** argv) {
    bool forget = false, csv = false;
    long long n = 1 << 24, repeats = 5;
    read_options(
        argc, argv,
        "Adds two arrays that lie in device memory or in mapped host memory.",
        {{"--n", "how many ints", &n, 0, 1 << 26}, {"--repeats", "measured launches of each", &repeats, 1, 1000}},
        {{"--forget-sync", "the host reads C before it has waited for the kernel", &forget},
         {"--csv", "1024 ints and more, up to n, as comma-separated values", &csv}});
    if (forget && csv) {
        std::fprintf(stderr, "zero_copy: --forget-sync and --csv exclude each other\n  next: zero_copy --help\n");
        return 2;
    }
    const bool right = forget ? forget_sync(int(n))
                       : csv  ? print_csv(int(n), int(repeats))
                              : print_table(int(n), int(repeats));
    return right ? 0 : 1;
}
