// What starter.cu defines and the tests call.
#pragma once

#include <cuda_runtime.h>

constexpr int boards = 3;
constexpr int channels = 16;   // of each board

// gains[boards][channels] lies in GPU memory. The three functions that are your task:

// Copies `count` values from host memory to gains[board][first] and the elements behind it.
cudaError_t upload(const float* values, int board, int first, int count);

// Copies them back: gains[board][first] and the elements behind it, to `values` in host memory.
cudaError_t download(float* values, int board, int first, int count);

// *address becomes the address of gains[board][0] in GPU memory, for a kernel that takes a pointer.
cudaError_t board_address(float** address, int board);

// What the three promise:
// - They find the table with cudaGetSymbolAddress, and copy through that address. When they return, they have copied.
// - 0 <= board < boards, 0 <= first, 0 <= count and first + count <= channels, for any ints that come. Anything
//   else is refused with cudaErrorInvalidValue before a CUDA call could fail or copy. A count of 0 copies nothing.
// - They return the first error that one of their CUDA calls returns, and do not go on after it; else cudaSuccess.
// - An error that an earlier call left behind for cudaGetLastError is not theirs: they neither return nor clear it.

// These two are there already. `readings` and `corrected` are arrays of `channels` floats in GPU memory.

// Sets the board's gains so that these readings are corrected to 1.
cudaError_t calibrate(const float* readings, int board);

// Multiplies readings by the board's gains.
cudaError_t correct(const float* readings, float* corrected, int board);
