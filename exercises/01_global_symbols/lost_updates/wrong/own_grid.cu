// expect: kernel: expected a launch of 2 block(s) of 3 thread(s), got 2 of 256
#include "lost_updates.h"

__device__ unsigned int alarm_count;   // in the GPU's memory, shared by all threads

// Every thread looks at one reading. It marks the reading, and if it is an alarm, counts it.
__global__ void find_alarms(const float* readings, int* is_alarm, int n, float limit) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const bool alarm = readings[i] > limit;
    is_alarm[i] = alarm;
    if (alarm) atomicAdd(&alarm_count, 1u);
}

cudaError_t count_alarms(const float* readings, int* is_alarm, int n, float limit, int blocks, int threads_per_block,
                         unsigned int* alarms) {
    const unsigned int zero = 0;
    if (const cudaError_t error = cudaMemcpyToSymbol(alarm_count, &zero, sizeof zero)) return error;
    find_alarms<<<(n + 255) / 256 + 1, 256>>>(readings, is_alarm, n, limit);
    if (const cudaError_t error = cudaGetLastError()) return error;
    return cudaMemcpyFromSymbol(alarms, alarm_count, sizeof *alarms);   // waits for the kernel
}
