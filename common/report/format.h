/// \file
/// How numbers and GPUs are written in reports.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "counters/launch.h"
#include "gpus/gpu.h"

namespace lanescope::report {

/// 5, 5.25: whole numbers without decimals, others with two. As Nsight Compute does.
inline std::string number(double value) { return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value); }

/// 1,024 and 1,024.50.
inline std::string with_thousands(double value) {
    std::string text = number(value);
    const size_t point = std::min(text.find('.'), text.size());
    for (size_t i = point; i > 3; i -= 3) text.insert(i - 3, ",");
    return text;
}

/// "176.49 GB/s": five digits, 1e9 bytes; "0.00000 B/s".
inline std::string rate(double bytes_per_second, std::string_view blank = " ") {
    constexpr const char* units[] = {"B/s", "KB/s", "MB/s", "GB/s", "TB/s"};
    if (bytes_per_second == 0) return fmt::format("0.00000{}B/s", blank);
    size_t unit = 0;
    for (; unit < 3 && bytes_per_second >= 1000; ++unit) bytes_per_second /= 1000;
    return fmt::format("{:#.5g}{}{}", bytes_per_second, blank, units[unit]);
}

/// A metric's value, with its unit where it is a share, a rate or a time.
inline std::string value_text(const counters::Wanted& wanted, double value) {
    if (wanted.kind() == counters::Kind::percent) return fmt::format("{:.2f} %", value);
    if (wanted.kind() == counters::Kind::bytes_per_second) return rate(value);
    return wanted.needs_time() ? number(value) + " " + wanted.unit() : number(value);
}

inline std::string triple(const std::array<unsigned, 3>& size) { return fmt::format("({}, {}, {})", size[0], size[1], size[2]); }

/// "NVIDIA H200"; the profile's name if there is no such profile.
inline std::string product_name(const std::string& gpu) {
    const auto found = gpus::find(gpu);
    return found ? (*found)->product_name : gpu;
}

/// "add<int>" of "void add<int>(int*)": without its result and its parameters.
inline std::string short_name(const std::string& kernel) {
    size_t open = kernel.size(), depth = 0;   // of the last pair of parentheses
    while (open > 0) {
        --open;
        if (kernel[open] == ')') ++depth;
        if (kernel[open] == '(' && --depth == 0) break;
    }
    const std::string name = open == 0 ? kernel : kernel.substr(0, open);
    return name.starts_with("void ") ? name.substr(5) : name;
}

/// "9.0".
inline std::string compute_capability(const std::string& gpu) {
    const auto found = gpus::find(gpu);
    return found ? fmt::format("{}.{}", (*found)->cc_major, (*found)->cc_minor) : "";
}

/// On these a transaction is a line of 128 bytes.
inline bool is_kepler(const std::string& gpu) {
    const auto found = gpus::find(gpu);
    return found && (*found)->cc_major < 5;
}

}  // namespace lanescope::report
