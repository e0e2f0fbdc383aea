// Accesses whose sectors can be counted by hand. Compiled by regenerate.sh.
#include <cooperative_groups.h>

__constant__ int factor[4] = {2, 3, 5, 7};
extern "C" __global__ void copy_offset(const int* in, int* out, int load_offset, int store_offset) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i + store_offset] = in[i + load_offset];
}
extern "C" __global__ void copy_strided(const int* in, int* out, int stride) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * stride];
}
extern "C" __global__ void copy_int4(const int4* in, int4* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
extern "C" __global__ void copy_some(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
extern "C" __global__ void scale(int* out, int index) { out[threadIdx.x] = factor[index] * threadIdx.x; }
extern "C" __global__ void through_shared(const int* in, int* out) {
    __shared__ int s[32];
    s[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = s[31 - threadIdx.x];
}
// Every block adds to the total of the blocks before it; needs all blocks at once.
extern "C" __global__ void grid_wide(int* cells, int rounds) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; ++r) {
        const int next = cells[(i + 1) % n];
        grid.sync();
        cells[i] = next + 1;
        grid.sync();
    }
}
