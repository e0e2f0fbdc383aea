/// \file
/// A matrix whose elements follow from their places, so that any copy or transpose of it can be checked; and what is
/// the most that its bandwidth can be.
///
///     Matrix<std::uint32_t> m(1000, 777);
///     m.poison();
///     launch(m.out(), m.in(), 1000, 777);
///     if (!m.check(true, "transpose", "naive_row")) return 1;       // one message says where it is wrong
///
/// Host side.
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "tutorial/transactions.cuh"

namespace transpose {

/// Element (row, column). Its highest bit is 0, so none looks like poison. The bits of 4 and 8 bytes are also those of
/// an ordinary floating-point number.
template <class T>
inline T value_at(std::uint32_t row, std::uint32_t column) {
    std::uint32_t x = row * 0x9E3779B1u + column * 0x85EBCA77u;
    x = (x ^ (x >> 15)) * 0xC2B2AE3Du;
    x ^= x >> 13;
    if constexpr (sizeof(T) == 8) {
        return T(0x20000000 | x >> 3) << 32 | (x * 0x27D4EB2Fu);
    } else if constexpr (sizeof(T) == 4) {
        return 0x20000000 | x >> 3;
    } else {
        return T(x >> (33 - 8 * sizeof(T)));
    }
}

constexpr int poison_byte = 0xff;

template <class T>
class Matrix {
public:
    Matrix(int rows, int columns)
        : rows_(rows), columns_(columns), host_(std::size_t(rows) * columns), in_(host_.size()), out_(host_.size()) {
        std::size_t i = 0;
        for (int row = 0; row < rows; ++row) {
            for (int column = 0; column < columns; ++column) host_[i++] = value_at<T>(row, column);
        }
        CUDA_CHECK(cudaMemcpy(in_.data(), host_.data(), bytes(), cudaMemcpyHostToDevice));
    }

    const T* in() const { return in_.data(); }
    T* out() const { return out_.data(); }
    std::size_t bytes() const { return host_.size() * sizeof(T); }

    /// So that what a kernel does not write is seen.
    void poison() { out_.fill_bytes(poison_byte); }

    /// Fetches the output. How many elements of it are wrong, and where the first is (an index).
    struct Wrong {
        std::size_t count = 0, first = 0;
    };
    Wrong wrong(bool transposed) {
        CUDA_CHECK(cudaMemcpy(host_.data(), out_.data(), bytes(), cudaMemcpyDeviceToHost));
        const int height = transposed ? columns_ : rows_, width = transposed ? rows_ : columns_;
        Wrong result;
        for (int y = 0; y < height; ++y) {
            const T* const line = &host_[std::size_t(y) * width];
            unsigned in_line = 0;
            for (int x = 0; x < width; ++x) in_line += line[x] != expected(y, x, transposed);
            if (in_line == 0) continue;
            if (result.count == 0) {
                int x = 0;
                while (line[x] == expected(y, x, transposed)) ++x;
                result.first = std::size_t(y) * width + x;
            }
            result.count += in_line;
        }
        return result;
    }

    /// False, after one message: the output is not the copy or the transpose.
    bool check(bool transposed, const char* program, const char* kernel) {
        const Wrong it = wrong(transposed);
        if (it.count == 0) return true;
        const int width = transposed ? rows_ : columns_;
        const int y = int(it.first / width), x = int(it.first % width);
        std::fprintf(stderr,
                     "%s: wrong result: %s: %zu of %zu elements, the first in row %d, column %d of the output: %" PRIu64
                     " instead of %" PRIu64 "\n",
                     program, kernel, it.count, host_.size(), y, x, std::uint64_t(host_[it.first]),
                     std::uint64_t(expected(y, x, transposed)));
        return false;
    }

    /// Of the output that wrong() fetched last.
    std::size_t count_poison() const {
        T poison;
        std::memset(&poison, poison_byte, sizeof poison);
        std::size_t count = 0;
        for (const T& element : host_) count += element == poison;
        return count;
    }

private:
    static T expected(int y, int x, bool transposed) { return transposed ? value_at<T>(x, y) : value_at<T>(y, x); }

    int rows_, columns_;
    std::vector<T> host_;
    lanescope::tutorial::DeviceArray<T> in_, out_;
};

}  // namespace transpose
