// expect: global atomic requests: expected at most 128
#include "lost_updates.h"

__device__ unsigned int alarm_count;   // in the GPU's memory, shared by all threads
__device__ int lock;

// Every thread looks at one reading. It marks the reading, and if it is an alarm, counts it.
__global__ void find_alarms(const float* readings, int* is_alarm, int n, float limit) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    // A lock costs at least two atomics where one would do.
    const bool alarm = readings[i] > limit;
    is_alarm[i] = alarm;
    if (!alarm) return;
    for (bool done = false; !done;) {
        if (atomicCAS(&lock, 0, 1) != 0) continue;
        alarm_count += 1;
        __threadfence();
        atomicExch(&lock, 0);
        done = true;
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
