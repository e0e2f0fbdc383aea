// Device printf appears at the waits, in order with the host's own output.
#include <cstdio>

__global__ void say(int number) { std::printf("device %d\n", number); }

int main() {
    say<<<1, 1>>>(1);
    std::printf("host 1\n");
    cudaDeviceSynchronize();
    std::printf("host 2\n");
    say<<<1, 1>>>(2);
    int* pointer = nullptr;
    cudaMalloc(&pointer, 4);
    std::printf("host 3\n");
    int value = 0;
    cudaMemcpy(&value, pointer, 4, cudaMemcpyDeviceToHost);
    std::printf("host 4\n");
    say<<<1, 1>>>(3);
    cudaDeviceReset();
    std::printf("host 5\n");
    return 0;
}
