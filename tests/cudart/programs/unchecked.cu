// A launch of n / 256 blocks with n < 256, whose error nothing asks for; with an argument, something does.
#include <cstdio>

__global__ void add_one(int* a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += 1;
}

int main(int argc, char**) {
    const int n = 100;
    int *a, host[n];
    cudaMalloc(&a, sizeof host);
    cudaMemset(a, 0, sizeof host);
    add_one<<<n / 256, 256>>>(a, n);
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\n", host[0]);
    if (argc > 1) std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    return 0;
}
