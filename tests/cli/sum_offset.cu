// c[i] = a[i + offset] + b[i + offset] for offsets 0, 1, 16 and 32: 16384 ints, 32 blocks of 512 threads. Then a launch of another kernel.
#include <cstdio>

__global__ void sum_offset(const int* a, const int* b, int* c, int offset) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i + offset] + b[i + offset];
}

__global__ void column(int* c) {
    __shared__ int tile[32][32];
    tile[threadIdx.x][0] = 1;   // one bank
    c[threadIdx.x * 8] = tile[threadIdx.x][0];
}

int main(int argc, char**) {
    constexpr int n = 16384;
    int *a, *b, *c;
    if (cudaMalloc(&a, 2 * n * sizeof(int)) != cudaSuccess) return 1;
    cudaMalloc(&b, 2 * n * sizeof(int));
    cudaMalloc(&c, n * sizeof(int));
    cudaMemset(a, 0, 2 * n * sizeof(int));
    cudaMemset(b, 0, 2 * n * sizeof(int));
    for (const int offset : {0, 1, 16, 32}) sum_offset<<<n / 512, 512>>>(a, b, c, offset);
    column<<<1, 32>>>(c);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorString(error));
    return error == cudaSuccess ? 5 : argc;   // a status of its own, so that a test can see it pass through
}
