// A kernel and a copy run when something waits for them, and not before.
#include <cstdio>

__managed__ int managed = 1;
__global__ void add(int* value, int amount) { *value += amount; }

int main() {
    int* mapped = nullptr;
    cudaMallocHost(&mapped, sizeof *mapped);
    *mapped = 10;
    add<<<1, 1>>>(&managed, 1);
    add<<<1, 1>>>(mapped, 5);
    std::printf("after the launches: %d %d\n", managed, *mapped);
    cudaDeviceSynchronize();
    std::printf("after the wait: %d %d\n", managed, *mapped);
    int amount = 100;   // parameters are taken at the launch
    add<<<1, 1>>>(mapped, amount);
    amount = 0;
    cudaStreamSynchronize(nullptr);
    std::printf("parameters: %d\n", *mapped);
    return 0;
}
