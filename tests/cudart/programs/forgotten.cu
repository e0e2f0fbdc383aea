// Nothing waits for this kernel.
#include <cstdio>

__global__ void hello() { std::printf("hello from the device\n"); }

int main() {
    hello<<<1, 1>>>();
    std::printf("the program ends\n");
    return 0;
}
