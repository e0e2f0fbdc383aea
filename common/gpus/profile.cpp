#include "gpus/profile.h"

#include <concepts>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace lanescope::gpus {
namespace {

using Json = nlohmann::ordered_json;   // keeps the order of the file, which is the order of the listing

// Puts one JSON value into a Gpu. Returns what it expected instead, or "" on success.
using Setter = std::function<std::string(Gpu&, const Json&)>;

template <std::integral T>
Setter number(T Gpu::*field) {
    return [field](Gpu& gpu, const Json& value) -> std::string {
        // The upper bound is compared as uint64_t: JSON integers that do not fit int64_t are unsigned.
        if (!value.is_number_unsigned() || value.get<uint64_t>() > uint64_t(std::numeric_limits<T>::max())) {
            return "a whole number, not negative";
        }
        gpu.*field = value.get<T>();
        return "";
    };
}

Setter boolean(bool Gpu::*field) {
    return [field](Gpu& gpu, const Json& value) -> std::string {
        if (!value.is_boolean()) return "true or false";
        gpu.*field = value.get<bool>();
        return "";
    };
}

std::string set_compute_capability(Gpu& gpu, const Json& value) {
    const std::string expected = "a string such as \"9.0\"";
    if (!value.is_string()) return expected;
    const std::string text = value;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const size_t dot = text.find('.');
    if (dot == 0 || dot > 2 || dot + 2 != text.size() || !is_digit(text[dot + 1])) return expected;
    int major = 0;
    for (size_t i = 0; i < dot; ++i) {
        if (!is_digit(text[i])) return expected;
        major = major * 10 + (text[i] - '0');
    }
    gpu.cc_major = major;
    gpu.cc_minor = text[dot + 1] - '0';
    return "";
}

std::string set_carve_outs(Gpu& gpu, const Json& value) {
    const std::string expected = "an array of whole numbers in ascending order";
    if (!value.is_array() || value.empty()) return expected;
    for (const Json& element : value) {
        if (!element.is_number_unsigned()) return expected;
        const auto bytes = element.get<int64_t>();
        if (bytes < 0 || (!gpu.carve_out_bytes.empty() && bytes <= gpu.carve_out_bytes.back())) return expected;
        gpu.carve_out_bytes.push_back(bytes);
    }
    return "";
}

// What the modelled clock needs: positive numbers.
constexpr const char* timing_values[] = {
    "l1_latency_cycles",
    "l2_latency_cycles",
    "l2_far_latency_cycles",
    "dram_latency_cycles",
    "shared_latency_cycles",
    "ffma_latency_cycles",
    "shfl_latency_cycles",
    "popc_latency_cycles",
    "ex2_latency_cycles",
    "fp32_lanes_per_sm",
    "peak_memory_bandwidth",
    "device_copy_bandwidth",
    "pinned_to_device_bandwidth",
    "pinned_from_device_bandwidth",
    "pageable_to_device_bandwidth",
    "pageable_from_device_bandwidth",
    "migration_bandwidth",
    "page_fault_us",
    "host_latency_us",
    "l2_bandwidth",
    "l1_load_line_cycles",
    "partial_sectors_per_cycle",
    "block_interval_ns",
    "block_turnaround_cycles",
    "launch_us",
    "kernel_start_us",
    "copy_setup_us",
    "link_directions_at_once",
};

// The values that every profile must have. Others are listed with their source and not interpreted here.
std::map<std::string, Setter> required_values() {
    std::map<std::string, Setter> setters{
        {"compute_capability", set_compute_capability},
        {"sm_count", number(&Gpu::sm_count)},
        {"max_threads_per_sm", number(&Gpu::max_threads_per_sm)},
        {"max_blocks_per_sm", number(&Gpu::max_blocks_per_sm)},
        {"max_threads_per_block", number(&Gpu::max_threads_per_block)},
        {"registers_per_sm", number(&Gpu::registers_per_sm)},
        {"registers_per_block", number(&Gpu::registers_per_block)},
        {"shared_bytes_per_sm", number(&Gpu::shared_bytes_per_sm)},
        {"shared_bytes_per_block", number(&Gpu::shared_bytes_per_block)},
        {"shared_bytes_per_block_optin", number(&Gpu::shared_bytes_per_block_optin)},
        {"reserved_shared_bytes_per_block", number(&Gpu::reserved_shared_bytes_per_block)},
        {"l1_and_shared_bytes_per_sm", number(&Gpu::l1_and_shared_bytes_per_sm)},
        {"carve_out_bytes", set_carve_outs},
        {"l2_bytes", number(&Gpu::l2_bytes)},
        {"persisting_l2_max_bytes", number(&Gpu::persisting_l2_max_bytes)},
        {"memory_bytes", number(&Gpu::memory_bytes)},
        {"memory_bus_bits", number(&Gpu::memory_bus_bits)},
        {"memory_clock_khz", number(&Gpu::memory_clock_khz)},
        {"sm_clock_khz", number(&Gpu::sm_clock_khz)},
        {"async_engine_count", number(&Gpu::async_engine_count)},
        {"concurrent_managed_access", boolean(&Gpu::concurrent_managed_access)},
        {"pageable_memory_access", boolean(&Gpu::pageable_memory_access)},
        {"host_native_atomics", boolean(&Gpu::host_native_atomics)},
        {"ecc_enabled", boolean(&Gpu::ecc_enabled)},
        {"cooperative_launch", boolean(&Gpu::cooperative_launch)},
        {"cluster_launch", boolean(&Gpu::cluster_launch)},
        {"single_to_double_ratio", number(&Gpu::single_to_double_ratio)},
    };
    for (const char* key : timing_values) {
        setters[key] = [key](Gpu& gpu, const Json& value) -> std::string {
            if (!value.is_number() || value.get<double>() <= 0) return "a positive number";
            gpu.timing[key] = value.get<double>();
            return "";
        };
    }
    return setters;
}

const std::map<std::string, Status> status_names{
    {"measured", Status::measured}, {"published", Status::published}, {"assumed", Status::assumed}};

Diagnostic malformed(std::string what, std::string where) {
    return {std::move(what), std::move(where), "correct the file in common/gpus/profiles/; profile.h shows the layout"};
}

// The string member `key` of a JSON object, or nullptr.
const std::string* string_of(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : found->get_ptr<const std::string*>();
}

}  // namespace

Result<Gpu> parse_profile(std::string_view json) {
    const Json document = Json::parse(json, nullptr, /*allow_exceptions=*/false);
    if (!document.is_object()) return malformed("a profile must be a JSON object", "GPU profile");

    Gpu gpu;
    const std::string* name = string_of(document, "name");
    const std::string* product_name = string_of(document, "product_name");
    if (!name || name->empty()) return malformed("\"name\" is missing", "GPU profile");
    const std::string where = "GPU profile " + *name;
    if (!product_name || product_name->empty()) return malformed("\"product_name\" is missing", where);
    gpu.name = *name;
    gpu.product_name = *product_name;

    const auto sources = document.find("sources");
    const auto values = document.find("values");
    if (sources == document.end() || !sources->is_object()) return malformed("\"sources\" must be an object", where);
    if (values == document.end() || !values->is_object()) return malformed("\"values\" must be an object", where);

    std::set<std::string> unused_sources;
    for (const auto& source : sources->items()) {
        if (!source.value().is_string()) return malformed("must be a string", where + ", source " + source.key());
        unused_sources.insert(source.key());
    }

    auto missing = required_values();
    for (const auto& [key, entry] : values->items()) {
        const std::string here = where + ", value " + key;
        if (!entry.is_object() || !entry.contains("value")) return malformed("must be an object with a \"value\"", here);
        const std::string* unit = string_of(entry, "unit");
        const std::string* status = string_of(entry, "status");
        const std::string* source = string_of(entry, "source");
        if (!unit) return malformed("\"unit\" is missing (\"\" for none)", here);
        if (!status || !status_names.contains(*status)) {
            return malformed("\"status\" must be measured, published or assumed", here);
        }
        if (!source || !sources->contains(*source)) {
            return malformed("\"source\" must be one of the names in \"sources\"", here);
        }
        if (const auto setter = missing.find(key); setter != missing.end()) {
            const std::string expected = setter->second(gpu, entry["value"]);
            if (!expected.empty()) return malformed("\"value\" must be " + expected, here);
            missing.erase(setter);
        }
        if (key.ends_with("_by_size")) {
            double last = 0;
            for (const Json& pair : entry["value"]) {
                if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_number() || pair[0].get<double>() <= last || pair[1].get<double>() <= 0) {
                    return malformed("\"value\" must be pairs of a size in bytes, ascending, and a rate", here);
                }
                last = pair[0].get<double>();
                gpu.timing_tables[key].emplace_back(last, pair[1].get<double>());
            }
        }
        unused_sources.erase(*source);
        const Json& value = entry["value"];
        gpu.sources.push_back({key, value.is_string() ? value.get<std::string>() : value.dump(), *unit,
                               status_names.at(*status), sources->at(*source)});
    }
    if (!missing.empty()) return malformed("value \"" + missing.begin()->first + "\" is missing", where);
    if (!unused_sources.empty()) return malformed("source \"" + *unused_sources.begin() + "\" is not used", where);
    return gpu;
}

}  // namespace lanescope::gpus
