/// \file
/// What a request costs, and a table that puts the prediction beside the count.
///
///     const Rules rules = rules_of_this_gpu();
///     const MemoryTraffic t = request_for_span(address_of(a + 1), 128, rules);   // a warp reads a[1] to a[32]
///     // t.sectors == 5 if a begins at a multiple of 32 bytes
///
/// A prediction is arithmetic on addresses. The same structure holds what was counted, so that they can be compared.
/// Host side only.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "tutorial/check.cuh"
#include "tutorial/counters.h"

namespace lanescope::tutorial {

constexpr unsigned warp_size = 32;
constexpr unsigned sector_bytes = 32;
constexpr unsigned line_bytes = 128;

/// What depends on the GPU's generation.
struct Rules {
    int major = 0, minor = 0;                   ///< compute capability
    unsigned transaction_bytes = sector_bytes;   ///< what profilers count: Kepler's lines, since Maxwell sectors
    unsigned moved_block_bytes = sector_bytes;   ///< what travels; a line for Kepler's loads through L1
    bool splits_wide_lanes = false;             ///< Kepler: a request is for at most 128 bytes
    const char* transactions() const { return transaction_bytes == line_bytes ? "lines" : "sectors"; }
};

/// For stores, and for loads of `kernel` if it is given.
inline Rules rules_of_this_gpu(const void* kernel = nullptr) {
    Rules rules;
    CUDA_CHECK(cudaDeviceGetAttribute(&rules.major, cudaDevAttrComputeCapabilityMajor, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&rules.minor, cudaDevAttrComputeCapabilityMinor, 0));
    if (rules.major != 3) return rules;
    rules.transaction_bytes = line_bytes;
    rules.splits_wide_lanes = true;
    cudaFuncAttributes attributes{};
    if (kernel) CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    if (attributes.cacheModeCA) rules.moved_block_bytes = line_bytes;   // compiled with -Xptxas -dlcm=ca
    return rules;
}

inline std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// One request for the `bytes` bytes from `first` on, without gaps. It touches every block from the one with its first
/// byte to the one with its last. Blocks lie at the multiples of their size, whatever array is there.
// [span]
inline MemoryTraffic request_for_span(std::uint64_t first, std::uint64_t bytes, const Rules& rules) {
    const std::uint64_t last = first + bytes - 1;
    const auto blocks = [&](unsigned size) {   // from the first byte's to the last byte's
        return last / size - first / size + 1;
    };
    MemoryTraffic t;
    t.requests = 1;
    t.sectors = blocks(sector_bytes);
    t.transactions = blocks(rules.transaction_bytes);
    t.requested_bytes = bytes;
    t.moved_bytes = blocks(rules.moved_block_bytes) * rules.moved_block_bytes;
    return t;
}
// [span]

inline unsigned blocks_for(long long threads, long long block) { return unsigned((threads + block - 1) / block); }

/// Calls visit(first, lanes) for the warps of a launch of `n` threads in blocks of `block`: its first thread, and how
/// many of its lanes have work. A warp belongs to one block, so the last one of a block may be short.
template <class Visit>
void for_each_warp(long long n, long long block, Visit&& visit) {
    for (long long begin = 0; begin < n; begin += block) {
        const long long end = std::min(begin + block, n);
        for (long long first = begin; first < end; first += warp_size)
            visit(first, std::min<long long>(warp_size, end - first));
    }
}

/// Memory on the GPU, freed at the end of its scope.
template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t n) : n_(n) { CUDA_CHECK(cudaMalloc(&data_, n * sizeof(T))); }
    explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
        CUDA_CHECK(cudaMemcpy(data_, values.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    ~DeviceArray() { cudaFree(data_); }

    T* data() const { return data_; }
    void fill_bytes(int byte) { CUDA_CHECK(cudaMemset(data_, byte, n_ * sizeof(T))); }
    std::vector<T> to_host() const {
        std::vector<T> values(n_);
        CUDA_CHECK(cudaMemcpy(values.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }

private:
    std::size_t n_;
    T* data_ = nullptr;
};

/// Whether a count is what was predicted. True where nothing counts.
inline bool agrees(const MemoryTraffic& predicted, const MemoryTraffic& counted) {
    return !can_count() || (predicted.requests == counted.requests && predicted.transactions == counted.transactions &&
                            predicted.moved_bytes == counted.moved_bytes);
}

inline void print_rules(const Rules& rules) {
    std::printf("This GPU (compute capability %d.%d) ", rules.major, rules.minor);
    if (rules.transaction_bytes == line_bytes) {
        std::printf("counts lines of 128 bytes.\n%s\n\n",
                    rules.moved_block_bytes == line_bytes
                        ? "Loads pass through L1 and move whole lines; stores move sectors of 32 bytes."
                        : "It moves sectors of 32 bytes.");
    } else {
        std::printf("counts and moves sectors of 32 bytes.\n\n");
    }
}

/// The head of a table. `name` heads its first column.
inline void print_head(const char* name, const Rules& rules, bool with_l1_hits) {
    if (can_count()) {
        std::printf("%10s%15s%16s%8s%13s", "", "requests", rules.transactions(), "per", "efficiency %");
        std::printf("%s\n%-10s%7s%8s%8s%8s%8s%7s%6s", with_l1_hits ? "     L1" : "", name, "pred.", "count", "pred.",
                    "count", "request", "pred.", "count");
        std::printf(with_l1_hits ? "  hits*\n" : "\n");
    } else {
        std::printf("%10s%16s%16s%8s%14s\n", "", "requests", rules.transactions(), "per", "efficiency");
        std::printf("%-10s%16s%16s%8s%14s\n", name, "predicted", "predicted", "request", "predicted");
    }
}

/// A line of the table.
inline void print_row(const std::string& name, const MemoryTraffic& predicted, const MemoryTraffic& counted,
                      bool with_l1_hits) {
    const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    const auto per_request = [](const MemoryTraffic& t) {
        return t.requests == 0 ? 0.0 : double(t.transactions) / double(t.requests);
    };
    std::printf("%-10s", name.c_str());
    if (!can_count()) {
        std::printf("%16llu%16llu%8.2f%12.1f %%\n", number(predicted.requests), number(predicted.transactions),
                    per_request(predicted), predicted.efficiency_percent());
        return;
    }
    std::printf("%7llu%8llu%8llu%8llu%8.2f%7.1f%6.1f", number(predicted.requests), number(counted.requests),
                number(predicted.transactions), number(counted.transactions), per_request(counted),
                predicted.efficiency_percent(), counted.efficiency_percent());
    if (with_l1_hits) std::printf("%7llu", number(counted.l1_hit_sectors));
    std::printf(agrees(predicted, counted) ? "\n" : "  differs\n");
}

/// Below the tables: what the star means, or who reads the counters that this program cannot read.
inline void print_notes(const Rules& rules, int argc, char** argv, bool with_l1_hits) {
    if (can_count()) {
        if (with_l1_hits)
            std::printf("\n* Sectors found in the L1 cache: from a model of the cache. The rest is counted.\n");
        return;
    }
    std::printf("\nThe counters of this GPU are not read here. This shows them:\n  ");
    if (rules.major >= 7) {
        std::printf("ncu --metrics ");
        const char* comma = "";
        for (const char* metric :
             {"l1tex__t_requests_pipe_lsu_mem_global_op_%s.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_%s.sum",
              "smsp__sass_average_data_bytes_per_sector_mem_global_op_%s.pct"}) {
            for (const char* direction : {"ld", "st"}) {
                std::printf("%s", comma);
                std::printf(metric, direction);
                comma = ",";
            }
        }
        if (with_l1_hits) std::printf(",l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum");
    } else {
        std::printf(
            "nvprof --metrics "
            "gld_transactions,gst_transactions,gld_transactions_per_request,gst_transactions_per_request,"
            "gld_efficiency,gst_efficiency");
    }
    for (int i = 0; i < argc; ++i) std::printf(" %s", argv[i]);
    std::printf("\n");
}

}  // namespace lanescope::tutorial
