/// \file
/// GPU profiles: what a simulated GPU is, each value with its source.
///
///     const Gpu& gpu = *lanescope::gpus::find("h200");
///     int n = gpu.sm_count;
///
/// A profile is one JSON file in gpus/profiles/, embedded in the library at build time; every value
/// there carries "source" and "status": measured, published or assumed. Host side only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/result.h"

namespace lanescope::gpus {

enum class Status : uint8_t { measured, published, assumed };

/// One line of `lanescope gpus NAME`: a value as written in the profile, and where it comes from.
struct SourcedValue {
    std::string key;      ///< "l2_bytes"
    std::string value;    ///< "62914560"
    std::string unit;     ///< "bytes", "kHz", "" ...
    Status status;
    std::string source;
};

struct Gpu {
    std::string name;             ///< "h200": what --gpu and LANESCOPE_GPU take
    std::string product_name;     ///< "NVIDIA H200": what cudaGetDeviceProperties reports
    int cc_major = 0, cc_minor = 0;

    int sm_count = 0;
    int max_threads_per_sm = 0;
    int max_blocks_per_sm = 0;
    int max_threads_per_block = 1024;
    int registers_per_sm = 0;
    int registers_per_block = 0;
    int64_t shared_bytes_per_sm = 0;
    int64_t shared_bytes_per_block = 0;         ///< without opting in
    int64_t shared_bytes_per_block_optin = 0;
    int64_t reserved_shared_bytes_per_block = 0;
    int64_t l1_and_shared_bytes_per_sm = 0;     ///< the unified array; on Kepler/Pascal the L1 alone
    std::vector<int64_t> carve_out_bytes;       ///< shared-memory sizes that the carve-out can take
    int64_t l2_bytes = 0;
    int64_t persisting_l2_max_bytes = 0;
    int64_t memory_bytes = 0;
    int memory_bus_bits = 0;
    int memory_clock_khz = 0;
    int sm_clock_khz = 0;
    int async_engine_count = 0;
    bool concurrent_managed_access = false;
    bool pageable_memory_access = false;
    bool host_native_atomics = false;
    bool ecc_enabled = false;             ///< memory with error correction, switched on
    bool cooperative_launch = false;
    bool cluster_launch = false;
    int single_to_double_ratio = 0;

    std::map<std::string, double, std::less<>> timing;   ///< parameters of the modelled clock, by their names in the profile

    std::map<std::string, std::vector<std::pair<double, double>>, std::less<>> timing_tables;   ///< rates by size in bytes

    std::vector<SourcedValue> sources;          ///< every value of the profile, in file order

    int sm() const { return cc_major * 10 + cc_minor; }   ///< 90
};

/// All profiles, oldest GPU first.
const std::vector<Gpu>& all();

/// The profile with that name (case does not matter). Diagnostic lists the names there are.
Result<const Gpu*> find(std::string_view name);

/// Several, separated by commas: "h200,h200". At least one.
Result<std::vector<const Gpu*>> find_all(std::string_view names);

/// The profiles that $LANESCOPE_GPU names, else h200 alone.
Result<std::vector<const Gpu*>> selected();

}  // namespace lanescope::gpus
