// The claim: managed memory is one pointer for host and device, like mapped memory, but its pages move to where they
// are used. It spares the copies in the code, not the way over the bus; the host must wait all the same.
//
// The ladder: the host writes, a kernel adds 1, the host reads; the same with a prefetch that moves the pages before
// they are needed; then what each costs.
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/02_host_memory/managed.cu -o managed
//   build/bin/lanescope run ./managed
#include <cstdio>
#include <cstdlib>

#include "tutorial/check.cuh"
#include "tutorial/options.h"
#include "tutorial/simulated.h"
#include "tutorial/timing.cuh"

using namespace lanescope::tutorial;

__global__ void add_one(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += 1;
}

void launch(int* values, int n) {
    if (n > 0) add_one<<<(n + 255) / 256, 256>>>(values, n);   // no launch of 0 blocks
    CUDA_CHECK(cudaGetLastError());
}

int attribute(cudaDeviceAttr which) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

void host_writes(int* values, int n) {
    for (int i = 0; i < n; ++i) values[i] = i;
}

// Ends the program unless values[i] == i + added.
void host_reads(const int* values, int n, int added, const char* what) {
    for (int i = 0; i < n; ++i) {
        if (values[i] == i + added) continue;
        std::fprintf(stderr, "managed: wrong result, %s: element %d is %d instead of %d\n", what, i, values[i],
                     i + added);
        std::exit(1);
    }
}

// [prefetch]
// Moves pages to the device, or to the host with device = cudaCpuDeviceId. Only a hint: the
// contents do not depend on it. CUDA 13 has another signature than 12.
void prefetch(const int* values, std::size_t bytes, int device) {
    if (bytes == 0) return;
#if CUDART_VERSION >= 13000
    cudaMemLocation where{};
    where.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    where.id = device == cudaCpuDeviceId ? 0 : device;
    CUDA_CHECK(cudaMemPrefetchAsync(values, bytes, where, 0, nullptr));
#else
    CUDA_CHECK(cudaMemPrefetchAsync(values, bytes, device, nullptr));
#endif
}
// [prefetch]

// What moving the pages costs. Each `prepare` of median_ms leaves them where the name says.
void show_times(int* values, int n, bool can_prefetch, int repeats) {
    const std::size_t bytes = n * sizeof(int);
    const auto show = [](const char* what, float ms) { std::printf("   %-58s %9.3f ms\n", what, ms); };
    const auto write = [&] { host_writes(values, n); };
    std::printf("\n3. Times, measured: the median of %d runs after one that does not count.\n", repeats);
    show("kernel, pages on the host: they come when touched", median_ms(repeats, write, [&] { launch(values, n); }));
    show("kernel, pages on the device from the last launch", median_ms(
                                                                 repeats, [] {}, [&] { launch(values, n); }));
    if (!can_prefetch) return;
    show("prefetch to the device", median_ms(repeats, write, [&] { prefetch(values, bytes, 0); }));
    const auto write_and_prefetch = [&] {
        write();
        prefetch(values, bytes, 0);
    };
    show("kernel, pages on the device after a prefetch",
         median_ms(repeats, write_and_prefetch, [&] { launch(values, n); }));
}

int main(int argc, char** argv) {
    long long count = 1 << 22, repeats = 5;
    read_options(
        argc, argv, "Host and device use one array in managed memory.",
        {{"--n", "how many ints", &count, 0, 1 << 28}, {"--repeats", "measured runs of each", &repeats, 1, 1000}});
    const int n = static_cast<int>(count);
    if (!attribute(cudaDevAttrManagedMemory)) {
        std::fprintf(stderr,
                     "managed: this GPU has no managed memory\n  next: lanescope run PROGRAM, on the simulated GPU\n");
        return 1;
    }
    // Only then may the host touch managed memory while a kernel runs, and pages be moved beforehand.
    const bool can_prefetch = attribute(cudaDevAttrConcurrentManagedAccess);

    int* values = nullptr;
    const std::size_t bytes = (n + std::size_t{1}) * sizeof(int);   // + 1: memory for 0 ints is no memory
    CUDA_CHECK(cudaMallocManaged(&values, bytes));

    // [round trip]
    host_writes(values, n);
    launch(values, n);                     // the same pointer, and no copy
    CUDA_CHECK(cudaDeviceSynchronize());   // but a wait
    host_reads(values, n, 1, "after the kernel");
    // [round trip]
    std::printf(
        "1. The host wrote %d ints, a kernel added 1 to each, the host waited and found the sums. One pointer, no "
        "copy.\n",
        n);

    if (can_prefetch) {
        host_writes(values, n);
        prefetch(values, n * sizeof(int), 0);
        launch(values, n);
        prefetch(values, n * sizeof(int), cudaCpuDeviceId);
        CUDA_CHECK(cudaDeviceSynchronize());
        host_reads(values, n, 1, "with a prefetch");
        std::printf("2. The same with a prefetch to the device before the kernel and one to the host after it.\n");
    } else {
        std::printf(
            "2. This GPU moves managed memory as a whole at a launch (concurrentManagedAccess is 0): no prefetch.\n");
    }
    if (on_simulated_gpu())
        std::printf(
            "\n3. Times: the simulated GPU does not see when the host touches a page. A real GPU shows them.\n");
    else if (n > 0)
        show_times(values, n, can_prefetch, static_cast<int>(repeats));
    CUDA_CHECK(cudaFree(values));
    return 0;
}
