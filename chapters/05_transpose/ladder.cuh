/// \file
/// The kernels of transposes.cuh in the order in which the chapter climbs them, and how each is launched.
///
///     for (const auto& step : ladder<std::uint32_t>) {
///         const std::string problem = problem_of_block(step, rows, columns, step.block);
///         if (problem.empty()) step.launch(out, in, rows, columns, step.block);
///     }
///
/// Host side.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>

#include "transposes.cuh"

namespace transpose {

/// Launches on the default stream. Returns the block that it chose, or `block`.
template <class T>
using Launch = dim3 (*)(T* out, const T* in, int rows, int columns, dim3 block);

enum class BlockRule {
    any,    ///< a thread for each element
    tile,   ///< as wide as the tile, and its height divides that of the tile
    fixed,  ///< the kernel has a block of its own
};

template <class T>
struct Step {
    const char* name;
    bool transposes;  ///< or copies
    BlockRule rule;
    bool x_counts_rows;  ///< grid and block, along x; else columns
    dim3 block;          ///< the default
    Launch<T> launch;
};

inline unsigned ceil_div(long long a, long long b) { return unsigned((a + b - 1) / b); }

// [grid]
/// As many blocks as cover the matrix: along x what x counts, by what the block has along x.
inline dim3 grid_for(long long along_x, long long along_y, dim3 block) {
    return dim3(ceil_div(along_x, block.x), ceil_div(along_y, block.y));
}
// [grid]

/// Whether vectors of 16 bytes fit: in every row of a matrix with rows of `length` elements that begins at `data`.
template <class T>
bool rows_are_aligned(const T* data, long long length) {
    return reinterpret_cast<std::uintptr_t>(data) % 16 == 0 && length * sizeof(T) % 16 == 0;
}

template <class T, void (*kernel)(T*, const T*, int, int), bool x_counts_rows>
dim3 launch_plain(T* out, const T* in, int rows, int columns, dim3 block) {
    const dim3 grid = x_counts_rows ? grid_for(rows, columns, block) : grid_for(columns, rows, block);
    kernel<<<grid, block>>>(out, in, rows, columns);
    return block;
}

/// Launches the variant for this block: Width x Height, or a lower one.
template <class T, bool padded, int Width, int Height>
void launch_tiles(T* out, const T* in, int rows, int columns, dim3 block) {
    if (block.y == Height) {
        const dim3 grid = grid_for(columns, rows, dim3(Width, Width));  // the tile is square
        (padded ? tiled_padded<T, Width, Height> : tiled<T, Width, Height>)<<<grid, block>>>(out, in, rows, columns);
    } else if constexpr (Height > 1) {
        launch_tiles<T, padded, Width, Height / 2>(out, in, rows, columns, block);
    }
}

template <class T, bool padded>
dim3 launch_tiled(T* out, const T* in, int rows, int columns, dim3 block) {
    const auto launch = block.x == 8    ? launch_tiles<T, padded, 8, 8>
                        : block.x == 16 ? launch_tiles<T, padded, 16, 16>
                                        : launch_tiles<T, padded, 32, 32>;
    launch(out, in, rows, columns, block);
    return block;
}

template <class T>
dim3 launch_tiled_elements(T* out, const T* in, int rows, int columns, dim3) {
    const dim3 grid = grid_for(columns, rows, dim3(elements_width, elements_width));
    tiled_elements<T><<<grid, elements_threads>>>(out, in, rows, columns);
    return elements_threads;
}

/// Whether `vectorised` can run; where it cannot, tiled_elements runs in its place.
template <class T>
bool can_vectorise(const T* out, const T* in, int rows, int columns) {
    return rows_are_aligned(in, columns) && rows_are_aligned(out, rows);
}

template <class T, int Down, Order order>
dim3 launch_vectors(T* out, const T* in, int rows, int columns) {
    constexpr int size = Vector<T>::size, threads = pieces<T> * Down;
    const unsigned across = ceil_div(columns, pieces<T> * size), down = ceil_div(rows, Down * size);
    const dim3 grid = order == Order::down_columns ? dim3(down, across) : dim3(across, down);
    vectorised<T, Down, order><<<grid, threads>>>(out, in, rows, columns);
    return threads;
}

template <class T>
dim3 launch_vectorised(T* out, const T* in, int rows, int columns, dim3 block) {
    if (!can_vectorise(out, in, rows, columns)) return launch_tiled_elements(out, in, rows, columns, block);
    return launch_vectors<T, pieces<T>, Order::along_rows>(out, in, rows, columns);
}

// Chosen on an H200 for 4 and 8 bytes; the others follow them: rows, columns, run, window.
// [shapes]
template <class T>
struct ShapeOf;
template <>
struct ShapeOf<std::uint8_t> : WindowShape<std::uint8_t, 128, 64, 32, 16> {};
template <>
struct ShapeOf<std::uint16_t> : WindowShape<std::uint16_t, 64, 64, 16, 8> {};
template <>
struct ShapeOf<std::uint32_t> : WindowShape<std::uint32_t, 64, 64, 16, 8> {};
template <>
struct ShapeOf<std::uint64_t> : WindowShape<std::uint64_t, 64, 64, 16, 4> {};
// [shapes]

template <class T>
dim3 launch_fastest(T* out, const T* in, int rows, int columns, dim3) {
    constexpr int down = sizeof(T) >= 4 ? 2 * pieces<T> : pieces<T>;
    if (can_vectorise(out, in, rows, columns)) return launch_vectors<T, down, Order::down_columns>(out, in, rows, columns);
    using Shape = ShapeOf<T>;
    windowed<T, Shape><<<unsigned(Shape::blocks(rows, columns)), Shape::threads>>>(out, in, rows, columns);
    return Shape::threads;
}

constexpr int ladder_size = 9;
constexpr const char* ladder_names[ladder_size] = {"copy_row",     "copy_col",       "naive_row",  "naive_col", "tiled",
                                                   "tiled_padded", "tiled_elements", "vectorised", "fastest"};

template <class T>
inline const Step<T> ladder[ladder_size] = {
    {"copy_row", false, BlockRule::any, false, dim3(32, 16), launch_plain<T, copy_row<T>, false>},
    {"copy_col", false, BlockRule::any, true, dim3(32, 16), launch_plain<T, copy_col<T>, true>},
    {"naive_row", true, BlockRule::any, false, dim3(32, 16), launch_plain<T, naive_row<T>, false>},
    {"naive_col", true, BlockRule::any, true, dim3(32, 16), launch_plain<T, naive_col<T>, true>},
    {"tiled", true, BlockRule::tile, false, dim3(32, 8), launch_tiled<T, false>},
    {"tiled_padded", true, BlockRule::tile, false, dim3(32, 8), launch_tiled<T, true>},
    {"tiled_elements", true, BlockRule::fixed, false, dim3(), launch_tiled_elements<T>},
    {"vectorised", true, BlockRule::fixed, false, dim3(), launch_vectorised<T>},
    {"fastest", true, BlockRule::fixed, false, dim3(), launch_fastest<T>},
};

/// Why a kernel cannot be launched for this matrix with this block; empty if it can.
template <class T>
std::string problem_of_block(const Step<T>& step, long long rows, long long columns, dim3 block) {
    if (step.rule == BlockRule::fixed) return "";
    const std::string named = std::string(step.name) + " with blocks of " + std::to_string(block.x) + " x " +
                              std::to_string(block.y) + " threads: ";
    if (1ull * block.x * block.y > 1024) return named + "a block has at most 1024 threads";
    if (step.rule == BlockRule::tile && block.x != 8 && block.x != 16 && block.x != 32)
        return named + "the tile is as wide as the block, and must be 8, 16 or 32 wide";
    if (step.rule == BlockRule::tile && block.x % block.y != 0)
        return named + "the height must divide the height of the tile, " + std::to_string(block.x);
    const long long along_y = step.x_counts_rows ? columns : rows;
    const unsigned height = step.rule == BlockRule::tile ? block.x : block.y;
    if (ceil_div(along_y, height) > 65535) {
        return named + "a grid has at most 65535 blocks along y, and " + std::to_string(along_y) +
               (step.x_counts_rows ? " columns" : " rows") + " need more";
    }
    return "";
}

}  // namespace transpose
