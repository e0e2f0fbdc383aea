#include "symbol_address.h"

__device__ float gains[boards][channels];   // in the GPU's memory

// YOUR TASK: here `gains` is taken for an address, and nobody looks at what the calls return. Make the three functions
// keep what symbol_address.h promises.
cudaError_t board_address(float** address, int board) {
    *address = gains[board];
    return cudaSuccess;
}

cudaError_t upload(const float* values, int board, int first, int count) {
    cudaMemcpy(gains[board] + first, values, count * sizeof *values, cudaMemcpyHostToDevice);
    return cudaSuccess;
}

cudaError_t download(float* values, int board, int first, int count) {
    cudaMemcpy(values, gains[board] + first, count * sizeof *values, cudaMemcpyDeviceToHost);
    return cudaSuccess;
}

// Nothing is wrong from here on: kernels are device code, and may use the table by its name. A launch returns no error,
// so cudaGetLastError is asked for it.
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
