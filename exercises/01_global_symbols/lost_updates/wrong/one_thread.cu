// expect: 32768 of them at one_thread.cu:13
#include "lost_updates.h"

__device__ unsigned int alarm_count;   // in the GPU's memory, shared by all threads

// Every thread looks at one reading. It marks the reading, and if it is an alarm, counts it.
__global__ void find_alarms(const float* readings, int* is_alarm, int n, float limit) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i != 0) return;

    // No race is left when one thread does everything, and no reason to use a GPU.
    for (int k = 0; k < n; ++k) {
        const bool alarm = readings[k] > limit;
        is_alarm[k] = alarm;
        if (alarm) alarm_count += 1;
    }
}

cudaError_t count_alarms(const float* readings, int* is_alarm, int n, float limit, int blocks, int threads_per_block,
                         unsigned int* alarms) {
    const unsigned int zero = 0;
    if (const cudaError_t error = cudaMemcpyToSymbol(alarm_count, &zero, sizeof zero)) return error;
    find_alarms<<<blocks, threads_per_block>>>(readings, is_alarm, n, limit);
    if (const cudaError_t error = cudaGetLastError()) return error;
    return cudaMemcpyFromSymbol(alarms, alarm_count, sizeof *alarms);   // waits for the kernel
}
