/// \file
/// What the graded tests of this folder share: a matrix in device memory and the place for its transpose, each between
/// two borders that nobody may write to.
///
///     const GradedMatrix<int> matrix({rows, columns}, 0);
///     const cudaError_t error = transpose(matrix.out(), matrix.in(), rows, columns);
///     if (expect_success(error, "transpose", input)) matrix.expect_transposed(input);
///
/// Host side, C++17.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grading/graded_test.h"

namespace lanescope::grading {

struct Shape {
    int rows, columns;
    std::size_t elements() const { return std::size_t(rows) * columns; }
    std::string words() const { return text(rows, " x ", columns); }
};

/// Rows and columns: none, one, both orders, and what is a multiple of 8, of 16, of 32, and of nothing.
constexpr Shape shapes[] = {{1, 1},  {0, 5},   {5, 0},   {0, 0},   {1, 2},   {2, 1},    {3, 7},   {7, 3},
                            {8, 8},  {16, 16}, {32, 32}, {31, 33}, {33, 31}, {64, 32},  {32, 64}, {9, 40},
                            {40, 9}, {1, 300}, {300, 1}, {5, 701}, {701, 5}, {100, 57}, {57, 100}};

/// Sectors in which rows * columns elements lie, if each row begins at a multiple of 32 bytes.
inline std::uint64_t least_sectors(const Shape& shape, std::size_t element_bytes) {
    return shape.elements() * element_bytes / 32;
}

/// The most sectors that pieces of `width` neighbours touch, wherever the rows begin: one more than the piece fills.
inline std::uint64_t most_sectors(int rows, int columns, int width, std::size_t element_bytes) {
    return std::uint64_t(rows) * ((columns + width - 1) / width) * (width * element_bytes / 32 + 1);
}

template <class T>
class GradedMatrix {
public:
    /// `behind` elements lie behind each matrix; with none it ends where its allocation ends, so that an access further
    /// on is an error. Both begin at a multiple of 256 bytes.
    GradedMatrix(const Shape& shape, int behind)
        : shape_(shape),
          behind_(behind),
          values_(values_of(shape.elements(), behind)),
          in_(values_),
          out_(std::vector<T>(values_.size(), poison)) {}

    const T* in() const { return in_.data() + border; }
    T* out() const { return out_.data() + border; }

    /// Element (row, column) of the matrix is element (column, row) of the output, and nothing else has changed.
    bool expect_transposed(const std::string& input) const {
        const std::vector<T> result = out_.values();
        std::size_t wrong = 0, first = 0;
        for (std::size_t i = shape_.elements(); i-- > 0;) {
            if (result[border + i] == expected(i)) continue;
            first = i;
            ++wrong;
        }
        if (wrong > 0) {
            const T got = result[border + first];
            ADD_FAILURE() << "out, row " << first / shape_.rows << ", column " << first % shape_.rows << ": expected "
                          << expected(first) << ", got " << got << (got == poison ? ", which was there before" : "")
                          << " (" << wrong << " of " << shape_.elements() << " elements are wrong)\nfor " << input;
            return false;
        }
        const auto part = [&](std::size_t begin, std::size_t count) {
            return std::vector<T>(result.begin() + begin, result.begin() + begin + count);
        };
        return expect_equal(part(0, border), std::vector<T>(border, poison), "what lies before out", input) &&
               expect_equal(part(border + shape_.elements(), behind_), std::vector<T>(behind_, poison),
                            "what lies behind out", input) &&
               expect_equal(in_.values(), values_, "in, and what lies around it", input);
    }

private:
    static constexpr int border = 64;
    static constexpr T poison = -7;

    // All are different, and none is what lies around them.
    static std::vector<T> values_of(std::size_t elements, int behind) {
        std::vector<T> values(border + elements + behind, T(-8));
        for (std::size_t i = 0; i < elements; ++i) values[border + i] = T(i + 1);
        return values;
    }
    T expected(std::size_t i) const {  // element i of the output
        return values_[border + i % shape_.rows * shape_.columns + i / shape_.rows];
    }

    Shape shape_;
    int behind_;
    std::vector<T> values_;
    DeviceArray<T> in_, out_;
};

/// That kernels read the whole matrix, and many threads of them: no warp has more than its share of instructions.
template <class T>
void expect_shared_work(const Counts& counts, const Shape& shape, const std::string& input) {
    const std::uint64_t bytes = shape.elements() * sizeof(T);
    expect_at_most(bytes - std::min(bytes, counts.global_load.requested_bytes), 0,
                   "bytes of the matrix that no kernel loaded", "kernels transpose", input);
    expect_at_most(counts.busiest_warp_instructions, 4000, "instructions of the busiest warp", "room for 4096 elements",
                   input);
}

/// Leaves an error that every later launch reports.
static __global__ void write_to(int* address) { *address = 1; }

}  // namespace lanescope::grading
