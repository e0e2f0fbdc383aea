// Kernels in streams: each appends its digit to a number, which tells the order.
#include "show.h"

__device__ unsigned long long number;
__global__ void append(int digit) { number = number * 10 + digit; }

unsigned long long take() {
    cudaDeviceSynchronize();
    unsigned long long value = 0;
    cudaMemcpyFromSymbol(&value, number, sizeof value);
    const unsigned long long zero = 0;
    cudaMemcpyToSymbol(number, &zero, sizeof zero);
    return value;
}

int main() {
    cudaStream_t a, b, free_running;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaStreamCreateWithFlags(&free_running, cudaStreamNonBlocking);
    append<<<1, 1, 0, a>>>(1);
    append<<<1, 1>>>(2);
    append<<<1, 1, 0, b>>>(3);
    cudaStreamSynchronize(b);
    std::printf("legacy stream: %llu\n", take());
    append<<<1, 1, 0, a>>>(1);
    append<<<1, 1, 0, free_running>>>(2);
    cudaStreamSynchronize(free_running);
    std::printf("only what is waited for: %llu\n", take());
    cudaEvent_t event;
    cudaEventCreate(&event);
    append<<<1, 1, 0, a>>>(1);
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(free_running, event, 0);
    append<<<1, 1, 0, free_running>>>(2);
    cudaStreamSynchronize(free_running);
    std::printf("event: %llu\n", take());
    return 0;
}
