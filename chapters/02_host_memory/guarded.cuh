/// \file
/// Guarded: an array between two guards, in a kind of memory of the test's choice.
///
///     Guarded array(Kind::pinned, 1000);
///     kernel<<<1, 1>>>(array.data());
///     EXPECT_TRUE(array.guards_are_untouched());
///
/// The guards find a byte that is written beside the array. Host side only.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "tutorial/check.cuh"

namespace lanescope::test {

enum class Kind { pageable, pinned, mapped, registered, device, managed };

constexpr Kind all_kinds[] = {Kind::pageable,   Kind::pinned, Kind::mapped,
                              Kind::registered, Kind::device, Kind::managed};

inline const char* name_of(Kind kind) {
    constexpr const char* names[] = {"pageable", "pinned", "mapped", "registered", "device", "managed"};
    return names[static_cast<int>(kind)];
}

class Guarded {
public:
    Guarded(Kind kind, std::size_t bytes) : kind_(kind), bytes_(bytes) {
        constexpr std::size_t page = 4096;
        const std::size_t all = (bytes + 2 * guard_bytes + page - 1) / page * page;
        void* base = nullptr;
        switch (kind) {
            case Kind::pageable:
            case Kind::registered:
                base = std::aligned_alloc(page, all);
                break;
            case Kind::pinned:
                CUDA_CHECK(cudaMallocHost(&base, all));
                break;
            case Kind::mapped:
                CUDA_CHECK(cudaHostAlloc(&base, all, cudaHostAllocMapped));
                break;
            case Kind::device:
                CUDA_CHECK(cudaMalloc(&base, all));
                break;
            case Kind::managed:
                CUDA_CHECK(cudaMallocManaged(&base, all));
                break;
        }
        if (kind == Kind::registered) CUDA_CHECK(cudaHostRegister(base, all, cudaHostRegisterMapped));
        base_ = static_cast<unsigned char*>(base);
        write_all(std::vector<unsigned char>(bytes + 2 * guard_bytes, poison));
    }
    ~Guarded() {
        switch (kind_) {
            case Kind::registered:
                cudaHostUnregister(base_);
                [[fallthrough]];
            case Kind::pageable:
                std::free(base_);
                break;
            case Kind::pinned:
            case Kind::mapped:
                cudaFreeHost(base_);
                break;
            case Kind::device:
            case Kind::managed:
                cudaFree(base_);
                break;
        }
    }
    Guarded(const Guarded&) = delete;

    template <class T = unsigned char>
    T* data() {
        return reinterpret_cast<T*>(base_ + guard_bytes);
    }

    /// What lies between the guards. Waits for the device.
    std::vector<unsigned char> contents() {
        const auto all = read_all();
        return {all.begin() + guard_bytes, all.end() - guard_bytes};
    }

    void set(const std::vector<unsigned char>& contents) {
        auto all = read_all();
        std::copy(contents.begin(), contents.end(), all.begin() + guard_bytes);
        write_all(all);
    }

    bool guards_are_untouched() {
        const auto all = read_all();
        for (std::size_t i = 0; i < guard_bytes; ++i) {
            if (all[i] != poison || all[all.size() - 1 - i] != poison) return false;
        }
        return true;
    }

private:
    static constexpr std::size_t guard_bytes = 256;
    static constexpr unsigned char poison = 0xee;

    // Managed memory is read as the host reads it; the rest as its kind demands.
    std::vector<unsigned char> read_all() {
        CUDA_CHECK(cudaDeviceSynchronize());
        std::vector<unsigned char> all(bytes_ + 2 * guard_bytes);
        if (kind_ == Kind::device)
            CUDA_CHECK(cudaMemcpy(all.data(), base_, all.size(), cudaMemcpyDeviceToHost));
        else
            std::memcpy(all.data(), base_, all.size());
        return all;
    }
    void write_all(const std::vector<unsigned char>& all) {
        CUDA_CHECK(cudaDeviceSynchronize());
        if (kind_ == Kind::device)
            CUDA_CHECK(cudaMemcpy(base_, all.data(), all.size(), cudaMemcpyHostToDevice));
        else
            std::memcpy(base_, all.data(), all.size());
        CUDA_CHECK(cudaDeviceSynchronize());
    }

    Kind kind_;
    std::size_t bytes_;
    unsigned char* base_ = nullptr;
};

/// Other bytes for every place and `seed`.
inline std::vector<unsigned char> pattern(std::size_t bytes, unsigned seed) {
    std::vector<unsigned char> values(bytes);
    unsigned state = 2 * seed + 1;
    for (unsigned char& value : values) {
        state = state * 1664525u + 1013904223u;
        value = static_cast<unsigned char>(state >> 24);
    }
    return values;
}

/// Nothing, one byte, around a word, a warp's ints and a page, and sizes that are no multiple of anything.
constexpr std::size_t sizes_of_copies[] = {0, 1, 3, 127, 128, 4095, 4097, 65537, 1048583, 16u << 20};

}   // namespace lanescope::test
