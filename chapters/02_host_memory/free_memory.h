/// \file
/// free_host_bytes: how much memory this machine can still give, so that a program asks for no more.
///
///     if (3 * bytes > free_host_bytes()) ...
///
/// Linux would promise more than it has and end the program when it uses it. Host side only.
#pragma once

#include <cstdio>
#include <limits>

namespace lanescope::tutorial {

namespace detail {

/// The first number in a file that `format` finds, or `otherwise`.
inline unsigned long long number_in(const char* path, const char* format, unsigned long long otherwise) {
    std::FILE* const file = std::fopen(path, "r");
    if (!file) return otherwise;
    unsigned long long number = otherwise;
    char line[256];
    while (std::fgets(line, sizeof line, file)) {
        if (std::sscanf(line, format, &number) == 1) break;
    }
    std::fclose(file);
    return number;
}

}   // namespace detail

/// The smaller of what the machine and the control group (a container's limit) have left.
inline unsigned long long free_host_bytes() {
    constexpr auto unlimited = std::numeric_limits<unsigned long long>::max();
    const auto kib = detail::number_in("/proc/meminfo", "MemAvailable: %llu kB", unlimited / 1024);
    const auto limit = detail::number_in("/sys/fs/cgroup/memory.max", "%llu", unlimited);
    const auto used = detail::number_in("/sys/fs/cgroup/memory.current", "%llu", 0);
    const auto left = limit > used ? limit - used : 0;
    return kib * 1024 < left ? kib * 1024 : left;
}

}   // namespace lanescope::tutorial
