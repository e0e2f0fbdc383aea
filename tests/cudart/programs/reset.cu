// cudaDeviceReset: variables are as the program declared them, kernels work again.
#include "show.h"

__device__ int counter = 5;
__global__ void add() { ++counter; }

int read() {
    int value = 0;
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    return value;
}

int main() {
    add<<<1, 1>>>();
    std::printf("%d\n", read());
    SHOW(cudaDeviceReset());
    std::printf("%d\n", read());
    add<<<1, 1>>>();
    std::printf("%d\n", read());
    return 0;
}
