// Source of the *.ptx files in this folder: one use of each thing that nvcc writes in its own way.
// Made with nvcc 13.0 by regenerate.sh.
#include <cstdio>

__device__ float scale = 3.14f;
__constant__ int coefficients[2][3] = {{1, 2}, {4}};
__managed__ int shared_counter = 7;

struct Named {
    int id;
    const char* name;
    int* place;
};
__device__ int cells[8];
__device__ Named named = {5, "cell", &cells[3]};

__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
__device__ int (*table[2])(int) = {twice, square};

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

extern __shared__ float dynamic[];

__device__ int warp_sum(int value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
    return value;
}

__global__ void __launch_bounds__(256, 2) everything(int* data, Named by_value, int n) {
    __shared__ int tile[16][17];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x / 16][threadIdx.x % 16] = data[i];
    dynamic[threadIdx.x] = scale;
    __syncthreads();
    int value = tile[threadIdx.x % 16][threadIdx.x / 16] + table[n & 1](i) + fibonacci(n);
    asm("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p add.s32 %0, %0, 4; }" : "+r"(value) : "r"(n));
    switch (n) {
        case 0: value += by_value.id; break;
        case 1: value -= 3; break;
        case 2: value *= 5; break;
        case 3: value ^= coefficients[n & 1][i % 3]; break;
        case 4: value = -value; break;
    }
    data[i] = warp_sum(value) + static_cast<int>(dynamic[0]) + shared_counter;
    if (i == 0) printf("%s %d\n", named.name, n);
}
