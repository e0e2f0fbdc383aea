/// \file
/// What an exercise's tests.cu is written with: graded tests, and checks whose messages teach.
///
///     GRADED_TEST(CountsOnOneBlock, 3, "Six threads, one variable") {
///         const std::string input = text("n = ", n, ", 1 block of ", n, " threads");
///         expect_success(count_alarms(...), "count_alarms", input);
///         expect_equal(alarms, 17u, "alarms", input);
///     }
///
/// A GRADED_TEST has a name, points, and the heading in the chapter's page.md that explains the matter. All
/// its points are given when no check fails, else none; the learner sees its first failed check. Each test
/// runs in a process of its own, on the simulated GPU under several schedules. Host side, C++17.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "tutorial/counters.h"

/// `lanescope grade` reads name, points and lesson from the source: write them in this form, name first on its line.
#define GRADED_TEST(name, points, lesson)                                                 \
    static_assert((points) > 0 && sizeof(lesson) > 1, "points and a lesson are needed");  \
    TEST(Graded, name)

namespace lanescope::grading {

/// text("n = ", 32, ", block ", 256) == "n = 32, block 256"
template <class... Parts>
std::string text(const Parts&... parts) {
    std::ostringstream out;
    out.precision(std::numeric_limits<double>::max_digits10);
    (out << ... << parts);
    return out.str();
}

/// A value as a message shows it: numbers with all their digits, characters as numbers.
template <class T>
std::string shown(const T& value) {
    if constexpr (std::is_same_v<T, float>) {
        std::ostringstream out;
        out.precision(std::numeric_limits<float>::max_digits10);
        out << value;
        return out.str();
    } else if constexpr (std::is_integral_v<T> && sizeof(T) == 1) {
        return text(static_cast<int>(value));
    } else {
        return text(value);
    }
}

/// The CUDA call or function under test reported no error, and neither does the GPU when it has finished.
inline bool expect_success(cudaError_t error, const std::string& what, const std::string& input) {
    const char* when = "";
    if (error == cudaSuccess) {
        error = cudaDeviceSynchronize();
        when = " (reported by cudaDeviceSynchronize afterwards)";
    }
    if (error == cudaSuccess) return true;
    ADD_FAILURE() << what << ": expected cudaSuccess, got " << cudaGetErrorName(error) << when << "\nfor " << input;
    return false;
}

/// The function under test reported this very error.
inline bool expect_error(cudaError_t error, cudaError_t expected, const std::string& what, const std::string& input) {
    if (error == expected) return true;
    ADD_FAILURE() << what << ": expected the error " << cudaGetErrorName(expected) << ", got " << cudaGetErrorName(error)
                  << "\nfor " << input;
    return false;
}

template <class T>
bool expect_equal(const T& computed, const T& expected, const std::string& what, const std::string& input) {
    if (computed == expected) return true;
    ADD_FAILURE() << what << ": expected " << shown(expected) << ", got " << shown(computed) << "\nfor " << input;
    return false;
}

/// Element by element; the message names the first that differs, and how many do.
template <class T>
bool expect_equal(const std::vector<T>& computed, const std::vector<T>& expected, const std::string& what,
                  const std::string& input) {
    if (!expect_equal(computed.size(), expected.size(), "size of " + what, input)) return false;
    size_t differing = 0, first = 0;
    for (size_t i = computed.size(); i-- > 0;) {
        if (computed[i] == expected[i]) continue;
        first = i;
        ++differing;
    }
    if (differing == 0) return true;
    ADD_FAILURE() << what << "[" << first << "]: expected " << shown(expected[first]) << ", got " << shown(computed[first])
                  << " (" << differing << " of " << computed.size() << " elements differ)\nfor " << input;
    return false;
}

/// A counter that a check limits. Of memory requests, so that source lines have it too.
struct Counter {
    const char* name;
    std::uint64_t (*read)(const MemoryCounts&);
};
inline constexpr Counter global_load_requests{"global load requests", [](const MemoryCounts& c) { return c.global_load.requests; }};
inline constexpr Counter global_load_sectors{"global load sectors", [](const MemoryCounts& c) { return c.global_load.sectors; }};
inline constexpr Counter global_store_requests{"global store requests", [](const MemoryCounts& c) { return c.global_store.requests; }};
inline constexpr Counter global_store_sectors{"global store sectors", [](const MemoryCounts& c) { return c.global_store.sectors; }};
inline constexpr Counter global_atomic_requests{"global atomic requests", [](const MemoryCounts& c) { return c.global_atomic.requests + c.global_reduction.requests; }};

/// "\n96 of them at starter.cu:21: alarms += 1;", the line with most, or "" if no line is known.
inline std::string worst_line(const Counts& counts, const Counter& counter) {
    const std::pair<std::string, int>* worst = nullptr;
    std::uint64_t most = 0;
    for (const auto& [place, line] : counts.lines) {
        if (counter.read(line) <= most) continue;
        worst = &place;
        most = counter.read(line);
    }
    if (!worst) return "";
    std::ifstream file(worst->first);
    std::string source;
    for (int i = 0; i < worst->second && std::getline(file, source); ++i) {}
    const size_t begin = source.find_first_not_of(" \t"), end = source.find_last_not_of(" \t\r");
    return text("\n", most, " of them at ", worst->first.substr(worst->first.rfind('/') + 1), ":", worst->second,
                begin == std::string::npos ? "" : ": " + source.substr(begin, end - begin + 1));
}

/// `counts` stays within the limit. `reason` says where the limit comes from: "one for each warp".
inline bool expect_at_most(const Counts& counts, const Counter& counter, std::uint64_t limit, const std::string& reason,
                           const std::string& input) {
    if (counts.launches.empty()) {
        ADD_FAILURE() << "expected a kernel to run, but none was launched\nfor " << input;
        return false;
    }
    const std::uint64_t counted = counter.read(counts);
    if (counted <= limit) return true;
    ADD_FAILURE() << counter.name << ": expected at most " << limit << " (" << reason << "), counted " << counted << "\nfor "
                  << input << worst_line(counts, counter);
    return false;
}

/// As above, of a number that no source line has: "bytes copied to the host".
inline bool expect_at_most(std::uint64_t counted, std::uint64_t limit, const std::string& what, const std::string& reason,
                           const std::string& input) {
    if (counted <= limit) return true;
    ADD_FAILURE() << what << ": expected at most " << limit << " (" << reason << "), counted " << counted << "\nfor " << input;
    return false;
}

/// One of the kernels that ran had this grid. True also where nothing counts.
inline bool expect_launch(const Counts& counts, std::uint64_t blocks, std::uint64_t threads_per_block, const std::string& input) {
    if (!can_count()) return true;
    std::string others;
    for (const LaunchCounts& launch : counts.launches) {
        if (launch.blocks() == blocks && launch.threads_per_block() == threads_per_block) return true;
        others = text(launch.blocks(), " of ", launch.threads_per_block());
    }
    ADD_FAILURE() << "kernel: expected a launch of " << blocks << " block(s) of " << threads_per_block << " thread(s), "
                  << (others.empty() ? "but none was launched" : "got " + others) << "\nfor " << input;
    return false;
}

/// An array in device memory, filled from the host; freed with its owner.
template <class T>
class DeviceArray {
public:
    explicit DeviceArray(const std::vector<T>& values) : count_(values.size()) {
        if (cudaMalloc(&data_, bytes() > 0 ? bytes() : 1) != cudaSuccess) data_ = nullptr;
        if (data_ && count_ > 0) cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice);
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    ~DeviceArray() { cudaFree(data_); }

    T* data() const { return data_; }
    size_t bytes() const { return count_ * sizeof(T); }
    /// A copy of what is in device memory now.
    std::vector<T> values() const {
        std::vector<T> result(count_);
        if (count_ > 0) cudaMemcpy(result.data(), data_, bytes(), cudaMemcpyDeviceToHost);
        return result;
    }

private:
    size_t count_ = 0;
    T* data_ = nullptr;
};

/// At the start of a test that reads counters: elsewhere than on the simulated GPU it is skipped, and its points with it.
#define SKIP_WITHOUT_COUNTERS() \
    if (!::lanescope::can_count()) GTEST_SKIP() << "graded on the simulated GPU only: it needs counters"

}  // namespace lanescope::grading
