// The claim: a kernel that copies cannot be faster than the memory, and how near it comes depends on how many bytes it
// has on their way. With 16 bytes for each thread a plain kernel is about as fast as the driver's own copy.
//
// The ladder:
//   cudaMemcpy    device to device
//   bytes         a thread copies 1 byte
//   ints          a thread copies 4 bytes
//   ints_by_four  a thread copies 4 ints, 256 ints from each other: four loads are on their way
//   vectors       a thread copies 16 bytes with one load and one store
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/05_transpose/bandwidth.cu -o bandwidth
//   build/bin/lanescope run ./bandwidth
#include <algorithm>
#include <cstdio>

#include "matrix.cuh"
#include "measure.cuh"
#include "tutorial/options.h"

using namespace transpose;
using namespace lanescope::tutorial;

constexpr int threads_per_block = 256;

// [kernels]
template <class T>
__global__ void copy(T* out, const T* in, std::size_t n) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

template <int Count>
__global__ void copy_several(int* out, const int* in, std::size_t n) {
    const std::size_t first = std::size_t(blockIdx.x) * blockDim.x * Count + threadIdx.x;
    int element[Count];
#pragma unroll
    for (int k = 0; k < Count; ++k) {  // all loads are on their way before the first store
        if (first + k * blockDim.x < n) element[k] = in[first + k * blockDim.x];
    }
#pragma unroll
    for (int k = 0; k < Count; ++k) {
        if (first + k * blockDim.x < n) out[first + k * blockDim.x] = element[k];
    }
}
// [kernels]

unsigned blocks_of(std::size_t threads) { return unsigned((threads + threads_per_block - 1) / threads_per_block); }

template <class T>
void launch_copy(void* out, const void* in, std::size_t bytes) {
    const std::size_t n = bytes / sizeof(T);
    copy<<<blocks_of(n), threads_per_block>>>(static_cast<T*>(out), static_cast<const T*>(in), n);
}

void launch_by_four(void* out, const void* in, std::size_t bytes) {
    const std::size_t n = bytes / sizeof(int);
    copy_several<4>
        <<<blocks_of((n + 3) / 4), threads_per_block>>>(static_cast<int*>(out), static_cast<const int*>(in), n);
}

void device_copy(void* out, const void* in, std::size_t bytes) {
    CUDA_CHECK(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice));
}

struct Way {
    const char *name, *access;
    void (*launch)(void* out, const void* in, std::size_t bytes);
};
constexpr Way ways[] = {
    {"cudaMemcpy", "-", device_copy},      {"bytes", "1", launch_copy<unsigned char>},
    {"ints", "4", launch_copy<int>},       {"ints_by_four", "4 x 4", launch_by_four},
    {"vectors", "16", launch_copy<uint4>},
};

void print_peak(const MemoryLimits& limits) {
    std::printf("Peak of this GPU's memory: 2 x %.0f MHz x %d bits / 8 = %.2f GB/s.\n", limits.clock_khz / 1e3,
                limits.bus_bits, limits.peak_gigabytes_per_second());
    const MemoryLimits k80{2505000, 384, 0};  // one of the two GPUs of the board
    std::printf("A Tesla K80 board:         2 GPUs x 2 x 2505 MHz x 384 bits / 8 = %.2f GB/s.\n",
                2 * k80.peak_gigabytes_per_second());
}

int main(int argc, char** argv) {
    long long mib = 64, repeats = 20;
    bool csv = false;
    read_options(
        argc, argv, "Copies an array within the GPU's memory in several ways, and compares them with what is possible.",
        {{"--mib", "size of the array, in 2^20 bytes", &mib, 1, 16384},
         {"--repeats", "measured launches of each on a real GPU; 0: only the one that is checked", &repeats, 0, 1000}},
        {{"--csv", "comma-separated values only", &csv}});
    const std::size_t bytes = std::size_t(mib) << 20;
    std::size_t free_bytes = 0, all_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &all_bytes));
    if (2 * bytes > free_bytes) {
        std::fprintf(
            stderr,
            "bandwidth: --mib %lld: two arrays need %.1f GB, and the GPU has %.1f GB free\n  next: bandwidth --help\n",
            mib, 2 * double(bytes) / 1e9, double(free_bytes) / 1e9);
        return 2;
    }

    const MemoryLimits limits = limits_of_this_gpu();
    const double peak = limits.peak_gigabytes_per_second();
    const char* const source = source_of_times();
    Matrix<std::uint32_t> array(1024, int(bytes / 4096));  // an array of rows, for its values and its check
    if (csv) {
        std::printf("copy,bytes,milliseconds,gigabytes_per_second,share_of_cudamemcpy,share_of_peak,source\n");
    } else {
        print_peak(limits);
        std::printf("\n%lld MiB from one array to another; a kernel has blocks of %d threads.\n\n", mib,
                    threads_per_block);
        std::printf("%-14s%11s%11s%11s%15s%13s  %s\n", "copy", "bytes for", "ms", "GB/s", "of cudaMemcpy",
                    "of the peak", "limited by");
        std::printf("%-14s%11s%11s%11s%15s%13s  %s\n", "", "a thread", source, source, source, source,
                    on_simulated_gpu() ? "(modelled)" : "");
    }
    double first_ms = 0, fastest = 0;
    for (const Way& way : ways) {
        array.poison();
        const Measured it = measure(
            int(repeats), [&] { way.launch(array.out(), array.in(), bytes); },
            [&] { return array.check(false, "bandwidth", way.name); });
        if (!it.right) return 1;
        if (first_ms == 0) first_ms = it.ms;
        const double bandwidth = gigabytes_per_second(2.0 * double(bytes), it.ms);
        fastest = std::max(fastest, bandwidth);
        const double share_of_peak = peak > 0 ? bandwidth / peak : 0;
        if (csv)
            std::printf("%s,%zu,%.6f,%.3f,%.4f,%.4f,%s\n", way.name, bytes, it.ms, bandwidth, first_ms / it.ms,
                        share_of_peak, source);
        else
            std::printf("%-14s%11s%11.4f%11.1f%13.1f %%%11.1f %%  %s\n", way.name, way.access, it.ms, bandwidth,
                        100 * first_ms / it.ms, 100 * share_of_peak, it.limit.c_str());
    }
    if (csv) return 0;
    std::printf(
        "\nEvery result was right. GB/s: 1e9 bytes a second, of 2 x %zu bytes, each read once and written once.\n",
        bytes);
    print_cautions(limits, 2.0 * double(bytes), fastest, int(repeats));
    return 0;
}
