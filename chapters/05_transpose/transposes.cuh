/// \file
/// The kernels of chapter 5: two copies, and transposes from the naive one to the fastest that
/// plain CUDA C++ gives.
///
///     const dim3 block(32, 16), grid((columns + 31) / 32, (rows + 15) / 16);
///     naive_row<<<grid, block>>>(out, in, rows, columns);
///
/// The matrix `in` has `rows` rows of `columns` elements, one row after the other. A transpose
/// writes element (row, column) of `in` to element (column, row) of `out`, a copy to the same
/// place. Any number of rows and columns from 1 on, with at most 2^31 - 1 elements in all; nothing
/// outside the matrices is read or written. An element is of 1, 2, 4 or 8 bytes; `out` and `in` do
/// not overlap. ladder.cuh says how each kernel is launched. Device side.
#pragma once

#include <cstdint>
#include <cstring>
#include <cuda/annotated_ptr>

namespace transpose {

/// Where element (row, column) of a matrix with rows of `columns` elements lies.
__device__ inline int at(int row, int column, int columns) { return row * columns + column; }

// 1. One element for each thread. A warp's lanes differ in threadIdx.x first. In the kernels called
// row they are neighbours in a row of `in`; in those called col, in a column of it, and grid and
// block count rows along x.

// [copies]
template <class T>
__global__ void copy_row(T* out, const T* in, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns)
        out[at(row, column, columns)] = in[at(row, column, columns)];
}

template <class T>
__global__ void copy_col(T* out, const T* in, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns)
        out[at(row, column, columns)] = in[at(row, column, columns)];
}
// [copies]

// [naive]
// Loads along rows, stores down columns.
template <class T>
__global__ void naive_row(T* out, const T* in, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns) out[at(column, row, rows)] = in[at(row, column, columns)];
}

// Loads down columns, stores along rows.
template <class T>
__global__ void naive_col(T* out, const T* in, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns) out[at(column, row, rows)] = in[at(row, column, columns)];
}
// [naive]

// 2. By way of a square in shared memory, which does not care in which order it is read: loads and
// stores both go along rows. A block has Width x Height threads, as wide as the square, and a
// thread Width / Height elements of a column.

// [tiled]
template <class T, int Width, int Height>
__global__ void __launch_bounds__(Width* Height) tiled(T* out, const T* in, int rows, int columns) {
    __shared__ T tile[Width][Width];
    const int first_row = blockIdx.y * Width, first_column = blockIdx.x * Width;
    const int x = threadIdx.x;
#pragma unroll
    for (int k = 0; k < Width; k += Height) {
        const int y = threadIdx.y + k;
        const int row = first_row + y, column = first_column + x;
        if (row < rows && column < columns) tile[y][x] = in[at(row, column, columns)];
    }
    __syncthreads();  // a thread reads what others wrote
#pragma unroll
    for (int k = 0; k < Width; k += Height) {
        const int y = threadIdx.y + k;
        const int row = first_row + x, column = first_column + y;  // x and y have changed places
        if (row < rows && column < columns) out[at(column, row, rows)] = tile[x][y];
    }
}
// [tiled]

// The same, without bank conflicts for elements of 4 and 8 bytes, and with few for smaller ones.
// Think of the square as lines of 32 elements: of 4 bytes, that is one for each bank. A line holds
// 32 / Width rows of the square. Without padding, the elements of a column would be in 32 / Width
// banks only. After each line 32 / Width elements are left out, so that a column starts over in
// other banks.

// [padded]
template <class T, int Width>
struct PaddedTile {
    static constexpr int rows_in_a_line = 32 / Width, padding = 32 / Width;
    T line[Width / rows_in_a_line][32 + padding];  // [32][33] for a square of 32 x 32

    __device__ T& operator()(int y, int x) {
        return line[y / rows_in_a_line][y % rows_in_a_line * Width + x];
    }
};

template <class T, int Width, int Height>
__global__ void __launch_bounds__(Width* Height)
    tiled_padded(T* out, const T* in, int rows, int columns) {
    __shared__ PaddedTile<T, Width> tile;
    const int first_row = blockIdx.y * Width, first_column = blockIdx.x * Width;
    const int x = threadIdx.x;
#pragma unroll
    for (int k = 0; k < Width; k += Height) {
        const int y = threadIdx.y + k;
        const int row = first_row + y, column = first_column + x;
        if (row < rows && column < columns) tile(y, x) = in[at(row, column, columns)];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Width; k += Height) {
        const int y = threadIdx.y + k;
        const int row = first_row + x, column = first_column + y;
        if (row < rows && column < columns) out[at(column, row, rows)] = tile(x, y);
    }
}
// [padded]

// 3. More bytes on their way. A load is only waited for when its value is needed: 16 loads into
// registers wait once. 256 threads for 64 x 64 elements.

// [elements]
constexpr int elements_width = 64, elements_threads = 256;

template <class T>
__global__ void __launch_bounds__(elements_threads)
    tiled_elements(T* out, const T* in, int rows, int columns) {
    constexpr int width = elements_width, step = elements_threads / width, count = width / step;
    __shared__ T tile[width][width + 1];
    const int first_row = blockIdx.y * width, first_column = blockIdx.x * width;
    const int x = threadIdx.x % width, y = threadIdx.x / width;
    T element[count];  // every index below is known to the compiler: these are registers
#pragma unroll
    for (int k = 0; k < count; ++k) {
        const int row = first_row + y + k * step, column = first_column + x;
        if (row < rows && column < columns) element[k] = in[at(row, column, columns)];
    }
#pragma unroll
    for (int k = 0; k < count; ++k) tile[y + k * step][x] = element[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < count; ++k) {
        const int row = first_row + x, column = first_column + y + k * step;
        if (row < rows && column < columns) out[at(column, row, rows)] = tile[x][y + k * step];
    }
}
// [elements]

// 4. 16 bytes for each lane: a quarter of the instructions, for elements of 4 bytes.

// [vector]
/// What fits in 16 bytes, loaded and stored by one instruction. The address must be a multiple
/// of 16.
template <class T>
struct Vector {
    static constexpr int size = 16 / sizeof(T);
    T element[size];
};

template <class T>
__device__ Vector<T> load_vector(const void* from) {
    const uint4 words = *static_cast<const uint4*>(from);
    Vector<T> vector;
    std::memcpy(&vector, &words, sizeof words);  // in registers: the bytes stay where they are
    return vector;
}

template <class T>
__device__ void store_vector(void* to, const Vector<T>& vector) {
    uint4 words;
    std::memcpy(&words, &vector, sizeof words);
    *static_cast<uint4*>(to) = words;
}
// [vector]

/// A piece is as many rows as a vector has elements, and as many columns: what a thread turns in registers. A tile is
/// `pieces` pieces wide.
template <class T>
constexpr int pieces = sizeof(T) == 1 ? 8 : 16;

// For rows and columns that are multiples of Vector<T>::size, in matrices that begin at a multiple of 16 bytes. A tile
// is `Down` pieces high, and a thread has one piece. Where vector q of tile column c lies: vector q ^ (c / size) of
// row c. A warp's lanes store vectors of different rows, and without the ^ they would meet in few banks.
//
// `order` is that of the blocks, which start in the order of blockIdx.x: neighbours beside each other in `in`, or below
// each other. Below each other they write a row of `out` one after the other, and memory likes what is written together
// to lie together. On an H200 this makes it 3 % faster. With it come two things more.
// [vectorised]
enum class Order { along_rows, down_columns };

// 1. What is loaded here is to stay in L2 longer than anything else. Nobody wants it again. But then what L2 gives away
// is mostly what was stored, soon after it was: on an H200 1 to 4 % faster. Older GPUs than an Ampere know no such hint.
// [hint]
template <class T>
__device__ const T* kept_in_l2(const T* in) {
    return cuda::associate_access_property(in, cuda::access_property::persisting{});
}
// [hint]

// 2. Columns of tiles in this order: 0, 64, 1, 65, ..., 63, 127, 128, 192, ... The addresses of a column share few parts
// of the memory where rows are a large power of two long, and two columns 64 tiles apart share more of it: on an H200
// 3 % for 16384 x 16384 elements of 8 bytes, whose tiles are 256 bytes wide. Smaller elements gain nothing by it.
template <class T>
__device__ int tile_column(int i, int count) {
    constexpr int apart = 64;
    const int first = i / (2 * apart) * (2 * apart), k = i - first;
    if (sizeof(T) < 8 || first + 2 * apart > count) return i;
    return first + k / 2 + k % 2 * apart;
}

template <class T, int Down, Order order>
__global__ void __launch_bounds__(pieces<T>* Down) vectorised(T* out, const T* in, int rows, int columns) {
    constexpr int size = Vector<T>::size, width = pieces<T> * size, height = Down * size;
    __shared__ uint4 tile[width][Down];
    const int tile_down = order == Order::down_columns ? blockIdx.x : blockIdx.y;
    const int tile_across = order == Order::down_columns ? tile_column<T>(blockIdx.y, gridDim.y) : blockIdx.x;
    const int first_row = tile_down * height, first_column = tile_across * width;
    const int x = threadIdx.x % pieces<T>, y = threadIdx.x / pieces<T>;
    const int piece_row = first_row + y * size, piece_column = first_column + x * size;
    if (order == Order::down_columns) in = kept_in_l2(in);
    if (piece_row < rows && piece_column < columns) {  // then all of the piece is in the matrix
        Vector<T> loaded[size];
#pragma unroll
        for (int j = 0; j < size; ++j) loaded[j] = load_vector<T>(&in[at(piece_row + j, piece_column, columns)]);
#pragma unroll
        for (int c = 0; c < size; ++c) {  // column c of the piece, turned in registers
            Vector<T> turned;
#pragma unroll
            for (int j = 0; j < size; ++j) turned.element[j] = loaded[j].element[c];
            store_vector(&tile[x * size + c][y ^ x], turned);
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < size; ++k) {  // vector q of column c of the tile: neighbours in a row of `out`
        const int q = threadIdx.x % Down, c = threadIdx.x / Down + k * pieces<T>;
        const int row = first_row + q * size, column = first_column + c;
        if (row < rows && column < columns) {
            store_vector(&out[at(column, row, rows)], load_vector<T>(&tile[c][q ^ (c / size)]));
        }
    }
}
// [vectorised]

// 5. The same where rows do not start at multiples of 16 bytes. Two things are new.
//
// Loads: each is of one element, of neighbouring columns in neighbouring lanes, and a thread has a piece of one column.
// That needs no turning in registers, and no row of `in` must start anywhere.
// Stores: vectors, wherever the rows of `out` start. `Window` elements are what stores are aligned to: a tile's window
// on row c of `out` starts up to Window - 1 elements earlier, where the address is a multiple of Window elements. A
// thread loads that much more than the Run elements that it passes on, and drops what the windows of its neighbours
// hold.
template <class T, int Rows, int Columns, int Run, int Window>
struct WindowShape {
    static constexpr int rows = Rows, columns = Columns, run = Run, window = Window;
    static constexpr int threads = Columns * (Rows / Run);
    static constexpr int vectors_down = Rows / Vector<T>::size, vectors = Columns * vectors_down;
    static_assert(Rows % Run == 0 && Run % Vector<T>::size == 0 && vectors % threads == 0);
    static_assert(vectors_down % 8 == 0, "the vectors of 8 lanes lie in all banks");
    static_assert((Window & (Window - 1)) == 0 && Window <= 16);

    static long long blocks(long long in_rows, long long in_columns) {
        return ((in_rows + Window - 1 + Rows - 1) / Rows) * ((in_columns + Columns - 1) / Columns);
    }
};

// How many elements before row `column` of `out` the next multiple of `Window` elements lies.
template <int Window, class T>
__device__ int misalignment(const T* out, int column, int rows) {
    return (reinterpret_cast<std::uintptr_t>(out) / sizeof(T) + std::uintptr_t(column) * rows) &
           (Window - 1);
}

// [shift]
// Moves all elements down by `by`, which differs between lanes. An array index that is not a
// constant would put the array in local memory; so there is a step for each bit, and each element
// chooses between two registers.
template <int Window, class T, int N>
__device__ void shift_down(T (&element)[N], int by) {
#pragma unroll
    for (int bit = 1; bit < Window; bit *= 2) {
        const bool move = by & bit;
#pragma unroll
        for (int k = 0; k + bit < N; ++k) element[k] = move ? element[k + bit] : element[k];
    }
}
// [shift]

// [windowed]
template <class T, class Shape>
__global__ void __launch_bounds__(Shape::threads)
    windowed(T* __restrict__ out, const T* in, int rows, int columns) {
    constexpr int size = Vector<T>::size, run = Shape::run, window = Shape::window;
    __shared__ uint4 tile[Shape::columns][Shape::vectors_down];
    const int tiles_down = (rows + window - 1 + Shape::rows - 1) / Shape::rows;
    // Neighbouring blocks: down the rows.
    const int first_row = blockIdx.x % tiles_down * Shape::rows;
    const int first_column = blockIdx.x / tiles_down * Shape::columns;

    const int x = threadIdx.x % Shape::columns, piece = threadIdx.x / Shape::columns;
    const int column = first_column + x;
    constexpr int loads = run + window - 1;
    const int loaded_row = first_row + piece * run - (window - 1);
    in = kept_in_l2(in);
    T element[loads];
    if (loaded_row >= 0 && loaded_row + loads <= rows && first_column + Shape::columns <= columns) {
        const T* from = &in[at(loaded_row, column, columns)];
#pragma unroll
        for (int k = 0; k < loads; ++k, from += columns) element[k] = *from;
    } else {
#pragma unroll
        for (int k = 0; k < loads; ++k) {
            const int row = loaded_row + k;
            if (row >= 0 && row < rows && column < columns)
                element[k] = in[at(row, column, columns)];
        }
    }
    shift_down<window>(element, window - 1 - misalignment<window>(out, column, rows));
#pragma unroll
    for (int v = 0; v < run / size; ++v) {
        Vector<T> vector;
#pragma unroll
        for (int j = 0; j < size; ++j) vector.element[j] = element[v * size + j];
        store_vector(&tile[x][(piece * (run / size) + v) ^ (x % 8)], vector);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Shape::vectors / Shape::threads; ++k) {
        const int i = threadIdx.x + k * Shape::threads;
        const int q = i % Shape::vectors_down, c = i / Shape::vectors_down;
        if (first_column + c >= columns) break;
        const int row = first_row + q * size - misalignment<window>(out, first_column + c, rows);
        const Vector<T> vector = load_vector<T>(&tile[c][q ^ (c % 8)]);
        if (row >= 0 && row + size <= rows) {
            store_vector(&out[at(first_column + c, row, rows)], vector);
        } else {  // the first and the last vectors of a row
#pragma unroll
            for (int j = 0; j < size; ++j) {
                if (row + j >= 0 && row + j < rows)
                    out[at(first_column + c, row + j, rows)] = vector.element[j];
            }
        }
    }
}
// [windowed]

}  // namespace transpose
