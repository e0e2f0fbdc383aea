// expect: bytes copied to the host: expected at most 4 (one number for each block: the GPU counts, not the host), counted 128
#include "lost_updates.h"

#include <vector>

__global__ void mark_alarms(const float* readings, int* is_alarm, int n, float limit) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) is_alarm[i] = readings[i] > limit;
}

// There is no race in a loop of the host, but every mark must travel there.
cudaError_t count_alarms(const float* readings, int* is_alarm, int n, float limit, int blocks, int threads_per_block,
                         unsigned int* alarms) {
    mark_alarms<<<blocks, threads_per_block>>>(readings, is_alarm, n, limit);
    std::vector<int> marks(n);
    if (n > 0) cudaMemcpy(marks.data(), is_alarm, n * sizeof(int), cudaMemcpyDeviceToHost);
    *alarms = 0;
    for (int mark : marks) *alarms += mark;
    return cudaGetLastError();
}
