// The claim: the GPU fetches by itself only what the operating system keeps in place. From pageable memory a copy goes
// through a pinned buffer of the driver, so the processor copies it once more; from pinned memory it does not.
//
// The ladder: both directions, pageable against pinned, from 4 KiB up in steps of 4. Bandwidth is in GB/s of 1e9 bytes.
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/02_host_memory/pinned_transfer.cu -o pinned_transfer
//   build/bin/lanescope run ./pinned_transfer --max-bytes 1048576
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "free_memory.h"
#include "tutorial/check.cuh"
#include "tutorial/options.h"
#include "tutorial/simulated.h"
#include "tutorial/timing.cuh"

using namespace lanescope::tutorial;

constexpr long long kib = 1024;
constexpr long long mib = 1024 * kib;
constexpr long long gib = 1024 * mib;

// All of them hold the largest size. What lies behind the size at hand is not touched.
struct Buffers {
    unsigned char *pageable, *pinned, *device;
};

Buffers allocate(std::size_t bytes) {
    // [allocate]
    void* pageable = std::malloc(bytes);   // the operating system may move it or take it away
    void* pinned = nullptr;
    CUDA_CHECK(cudaMallocHost(&pinned, bytes));   // stays where it is: the GPU can fetch it
    void* device = nullptr;
    CUDA_CHECK(cudaMalloc(&device, bytes));
    // [allocate]
    if (!pageable) {
        std::fprintf(stderr, "pinned_transfer: the host has no %zu bytes left\n  next: a smaller --max-bytes\n", bytes);
        std::exit(1);
    }
    const auto bytes_at = [](void* p) { return static_cast<unsigned char*>(p); };
    return {bytes_at(pageable), bytes_at(pinned), bytes_at(device)};
}

void release(const Buffers& it) {
    CUDA_CHECK(cudaFree(it.device));
    CUDA_CHECK(cudaFreeHost(it.pinned));
    std::free(it.pageable);
}

// Other bytes at every place and for every `seed`.
void fill(unsigned char* to, std::size_t bytes, std::uint64_t seed) {
    for (std::size_t i = 0; i < bytes; i += sizeof(std::uint64_t)) {
        const std::uint64_t word = (i + seed + 1) * 0x9e3779b97f4a7c15u;
        std::memcpy(to + i, &word, std::min(bytes - i, sizeof word));
    }
}

// Sends `from` to the device and fetches it into `to`. False: something else came back.
bool round_trip(unsigned char* to, unsigned char* from, unsigned char* device, std::size_t bytes, const char* way) {
    fill(from, bytes, bytes + (from < to));
    std::memset(to, 0xee, bytes);   // a byte that does not arrive will differ
    CUDA_CHECK(cudaMemset(device, 0xdd, bytes));
    CUDA_CHECK(cudaMemcpy(device, from, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(to, device, bytes, cudaMemcpyDeviceToHost));
    if (std::memcmp(to, from, bytes) == 0) return true;
    const std::size_t i = std::mismatch(to, to + bytes, from).first - to;
    std::fprintf(stderr, "pinned_transfer: wrong contents, %s: byte %zu of %zu is %#x instead of %#x\n", way, i, bytes,
                 to[i], from[i]);
    return false;
}

// [measure]
// The same call for both kinds. It returns when the copy is done or, to the device from
// pageable memory, when a buffer of the driver has the bytes. The second event comes after all.
float copy_ms(void* to, const void* from, size_t bytes, cudaMemcpyKind way, int repeats) {
    const auto prepare = [] {};
    const auto copy = [&] { CUDA_CHECK(cudaMemcpy(to, from, bytes, way)); };
    return median_ms(repeats, prepare, copy);
}
// [measure]

struct Times {
    float pageable_to, pinned_to, pageable_from, pinned_from;   // in ms
};

// Checks the contents, then takes the times. False: wrong contents.
bool measure(const Buffers& it, std::size_t bytes, int repeats, Times& times) {
    if (!round_trip(it.pinned, it.pageable, it.device, bytes, "pageable to device, device to pinned") ||
        !round_trip(it.pageable, it.pinned, it.device, bytes, "pinned to device, device to pageable"))
        return false;
    times.pageable_to = copy_ms(it.device, it.pageable, bytes, cudaMemcpyHostToDevice, repeats);
    times.pinned_to = copy_ms(it.device, it.pinned, bytes, cudaMemcpyHostToDevice, repeats);
    times.pageable_from = copy_ms(it.pageable, it.device, bytes, cudaMemcpyDeviceToHost, repeats);
    times.pinned_from = copy_ms(it.pinned, it.device, bytes, cudaMemcpyDeviceToHost, repeats);
    return true;
}

double gb_per_s(std::size_t bytes, float ms) { return ms > 0 ? double(bytes) / 1e6 / ms : 0; }

std::string size_name(long long bytes) {
    for (const auto& [unit, name] : {std::pair{gib, " GiB"}, {mib, " MiB"}, {kib, " KiB"}}) {
        if (bytes % unit == 0) return std::to_string(bytes / unit) + name;
    }
    return std::to_string(bytes) + " B";
}

void print_csv(std::size_t bytes, const Times& times) {
    const auto line = [&](const char* direction, const char* memory, float ms) {
        std::printf("%zu,%s,%s,%.6f,%.4f,%s\n", bytes, direction, memory, ms, gb_per_s(bytes, ms),
                    source_of_times());
    };
    line("to_device", "pageable", times.pageable_to);
    line("to_device", "pinned", times.pinned_to);
    line("from_device", "pageable", times.pageable_from);
    line("from_device", "pinned", times.pinned_from);
}

// The steps from `lowest` to `highest`, both included.
std::vector<long long> sizes_between(long long lowest, long long highest) {
    std::vector<long long> sizes;
    for (long long bytes = lowest; bytes < highest; bytes *= 4) sizes.push_back(bytes);
    sizes.push_back(highest);
    return sizes;
}

// Leaves out the sizes for which there is no memory, and says so.
void keep_what_fits(std::vector<long long>& sizes) {
    std::size_t device_free = 0, device_total = 0;
    CUDA_CHECK(cudaMemGetInfo(&device_free, &device_total));
    const unsigned long long host_free = free_host_bytes();
    const int copies_on_host = on_simulated_gpu() ? 3 : 2;   // the memory of a simulated GPU is memory of the host
    const auto fits = [&](long long bytes) {
        return bytes <= static_cast<long long>(device_free) &&
               copies_on_host * static_cast<unsigned long long>(bytes) <= host_free;
    };
    std::vector<long long> fitting = sizes;
    while (!fitting.empty() && !fits(fitting.back())) fitting.pop_back();
    if (fitting.size() < sizes.size()) {
        const long long least = sizes[fitting.size()];
        std::fprintf(
            stderr,
            "pinned_transfer: left out: %s and more. That needs %.2f GiB of host memory (free: %.2f) and %.2f on the "
            "device (free: %.2f).\n",
            size_name(least).c_str(), double(least) * copies_on_host / gib, double(host_free) / gib,
            double(least) / gib, double(device_free) / gib);
    }
    sizes = fitting;
}

int main(int argc, char** argv) {
    bool csv = false;
    long long lowest = 0, highest = 64 * mib, repeats = 5;
    read_options(
        argc, argv,
        "Copies to the device and back, from pageable and from pinned memory.",
        {{"--min-bytes", "smallest size", &lowest, 1, 64 * gib, nullptr, "4096, or the largest size if that is less"},
         {"--max-bytes", "largest size; 4294967296 are 4 GiB", &highest, 1, 64 * gib},
         {"--repeats", "measured copies of each size", &repeats, 1, 1000}},
        {{"--csv", "the same as comma-separated values", &csv}});
    if (lowest == 0) lowest = std::min(4 * kib, highest);
    if (lowest > highest) {
        std::fprintf(
            stderr, "pinned_transfer: --min-bytes %lld is more than --max-bytes %lld\n  next: pinned_transfer --help\n",
            lowest, highest);
        return 2;
    }

    std::vector<long long> sizes = sizes_between(lowest, highest);
    keep_what_fits(sizes);
    if (sizes.empty()) return 1;

    if (csv) {
        std::printf("bytes,direction,memory,milliseconds,gb_per_second,source\n");
    } else {
        const char* const source = source_of_times();
        std::printf("Copies between host and device. GB/s are 1e9 bytes a second, %s:\n", source);
        std::printf("the median of %lld after a copy that does not count.\n\n", repeats);
        std::printf("%12s  %23s  %23s\n", "", "to the device, GB/s", "from the device, GB/s");
        std::printf("%12s  %11s %11s  %11s %11s\n", "size", "pageable", "pinned", "pageable", "pinned");
        std::printf("%12s  %11s %11s  %11s %11s\n", "", source, source, source, source);
    }
    const Buffers buffers = allocate(sizes.back());
    for (const long long bytes : sizes) {
        Times times;
        if (!measure(buffers, bytes, int(repeats), times)) return 1;
        if (csv)
            print_csv(bytes, times);
        else
            std::printf("%12s  %11.2f %11.2f  %11.2f %11.2f\n", size_name(bytes).c_str(),
                        gb_per_s(bytes, times.pageable_to), gb_per_s(bytes, times.pinned_to),
                        gb_per_s(bytes, times.pageable_from), gb_per_s(bytes, times.pinned_from));
    }
    release(buffers);
    if (!csv) std::printf("\nEvery size arrived complete, on all four ways, before it was timed.\n");
    return 0;
}
