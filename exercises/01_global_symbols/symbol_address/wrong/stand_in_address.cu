// expect: *address: expected an address in GPU memory, got one that belongs to no allocation there
#include "symbol_address.h"

__device__ float gains[boards][channels];   // in the GPU's memory

// The copies find the table; board_address gives away the stand-in.

bool has(int board, int first, int count) {
    return board >= 0 && board < boards && first >= 0 && first <= channels && count >= 0 && count <= channels - first;
}

cudaError_t board_address(float** address, int board) {
    if (!has(board, 0, channels)) return cudaErrorInvalidValue;
    *address = &gains[board][0];
    return cudaSuccess;
}

cudaError_t upload(const float* values, int board, int first, int count) {
    if (!has(board, first, count)) return cudaErrorInvalidValue;
    void* table = nullptr;
    if (const cudaError_t error = cudaGetSymbolAddress(&table, gains)) return error;
    float* address = static_cast<float*>(table) + board * channels;
    return cudaMemcpy(address + first, values, count * sizeof *values, cudaMemcpyHostToDevice);
}

cudaError_t download(float* values, int board, int first, int count) {
    if (!has(board, first, count)) return cudaErrorInvalidValue;
    void* table = nullptr;
    if (const cudaError_t error = cudaGetSymbolAddress(&table, gains)) return error;
    float* address = static_cast<float*>(table) + board * channels;
    return cudaMemcpy(values, address + first, count * sizeof *values, cudaMemcpyDeviceToHost);
}

__global__ void calibrate_board(const float* readings, int board) {
    const int channel = threadIdx.x;
    gains[board][channel] = 1 / readings[channel];
}

__global__ void correct_board(const float* readings, float* corrected, int board) {
    const int channel = threadIdx.x;
    corrected[channel] = readings[channel] * gains[board][channel];
}

cudaError_t calibrate(const float* readings, int board) {
    calibrate_board<<<1, channels>>>(readings, board);
    return cudaGetLastError();
}

cudaError_t correct(const float* readings, float* corrected, int board) {
    correct_board<<<1, channels>>>(readings, corrected, board);
    return cudaGetLastError();
}
