// Built with --default-stream=per-thread: <<<>>> and cudaMemcpy use the calling thread's own stream.
#include <thread>

#include "show.h"

__device__ int counter;
__global__ void add(int amount) { counter += amount; }

int main() {
    add<<<1, 1>>>(1);
    SHOW(cudaStreamQuery(cudaStreamPerThread));   // the launch is there
    SHOW(cudaStreamQuery(cudaStreamPerThread));
    SHOW(cudaStreamQuery(cudaStreamLegacy));
    std::thread([] {
        add<<<1, 1>>>(10);
        SHOW(cudaStreamSynchronize(0));
    }).join();
    int value = 0;
    SHOW(cudaMemcpyFromSymbol(&value, counter, sizeof value));
    std::printf("counter %d\n", value);
    return 0;
}
