// Uses the GPU only with an argument, so that it also starts where there is none.
#include <cstdio>

__global__ void say_hello() { printf("hello from thread %d\n", threadIdx.x); }

int main(int argc, char**) {
    if (argc > 1) {
        say_hello<<<1, 2>>>();
        if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    }
    std::printf("hello from the host\n");
    return 0;
}
