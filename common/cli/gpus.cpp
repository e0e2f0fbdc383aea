#include "gpus/gpu.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"

namespace lanescope::cli {
namespace {

std::string_view name_of(gpus::Status status) {
    switch (status) {
        case gpus::Status::measured: return "measured";
        case gpus::Status::published: return "published";
        case gpus::Status::assumed: return "assumed";
    }
    return "";
}

}  // namespace

int list_gpus() {
    fmt::print("{:<8}  {:<24} {:>4}  {:>4}  {:>13}  {:>8}  {:>9}  {:>6}\n", "NAME", "GPU", "CC", "SMs", "L1+shared/SM",
               "L2", "memory", "SM MHz");
    for (const gpus::Gpu& gpu : gpus::all()) {
        fmt::print("{:<8}  {:<24} {:>2}.{}  {:>4}  {:>10} KB  {:>5.1f} MB  {:>6.1f} GB  {:>6}\n", gpu.name, gpu.product_name,
                   gpu.cc_major, gpu.cc_minor, gpu.sm_count, gpu.l1_and_shared_bytes_per_sm / 1024,
                   gpu.l2_bytes / 1048576.0, gpu.memory_bytes / 1e9, gpu.sm_clock_khz / 1000);
    }
    fmt::print("\nOn the K80 and P100, L1 alone: their shared memory is separate or split off.\n"
               "`lanescope gpus NAME` lists every value with its source; `--gpu NAME` or LANESCOPE_GPU selects one (default h200).\n");
    return 0;
}

int show_gpu(const std::string& name) {
    const Result<const gpus::Gpu*> gpu = gpus::find(name);
    if (!gpu) {
        fmt::print(stderr, "lanescope: {}\n", gpu.error().text());
        return exit_usage;
    }
    size_t key_width = 0;
    size_t value_width = 0;
    for (const gpus::SourcedValue& value : (*gpu)->sources) {
        key_width = std::max(key_width, value.key.size());
        value_width = std::max(value_width, value.value.size() + 1 + value.unit.size());
    }
    value_width = std::min<size_t>(value_width, 32);   // the list of carve-outs may stick out
    fmt::print("{} ({})\n\n", (*gpu)->product_name, (*gpu)->name);
    for (const gpus::SourcedValue& value : (*gpu)->sources) {
        fmt::print("{:<{}}  {:<{}}  {:<9}  {}\n", value.key, key_width, value.value + " " + value.unit, value_width,
                   name_of(value.status), value.source);
    }
    return 0;
}

}  // namespace lanescope::cli
