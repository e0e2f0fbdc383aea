// expect: for n = 6, 2 block(s) of 3 thread(s), all of them alarms
#include "lost_updates.h"

__device__ unsigned int alarm_count;   // in the GPU's memory, shared by all threads

// Every thread looks at one reading. It marks the reading, and if it is an alarm, counts it.
__global__ void find_alarms(const float* readings, int* is_alarm, int n, float limit) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    // The threads of a block agree, but the blocks still race.
    const bool alarm = i < n && readings[i] > limit;
    if (i < n) is_alarm[i] = alarm;
    const int total = __syncthreads_count(alarm);
    if (threadIdx.x == 0) alarm_count += total;
}

cudaError_t count_alarms(const float* readings, int* is_alarm, int n, float limit, int blocks, int threads_per_block,
                         unsigned int* alarms) {
    const unsigned int zero = 0;
    if (const cudaError_t error = cudaMemcpyToSymbol(alarm_count, &zero, sizeof zero)) return error;
    find_alarms<<<blocks, threads_per_block>>>(readings, is_alarm, n, limit);
    if (const cudaError_t error = cudaGetLastError()) return error;
    return cudaMemcpyFromSymbol(alarms, alarm_count, sizeof *alarms);   // waits for the kernel
}
