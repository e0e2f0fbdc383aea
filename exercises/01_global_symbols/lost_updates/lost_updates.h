// What starter.cu defines and the tests call.
#pragma once

#include <cuda_runtime.h>

// Counts the readings above `limit` with a grid of blocks x threads_per_block threads, at least one for each
// reading. `readings` and `is_alarm` are arrays of n elements in device memory: is_alarm[i] becomes 1 where
// readings[i] > limit, and 0 elsewhere. `alarms` points to host memory and receives their number. Returns the
// first CUDA error.
cudaError_t count_alarms(const float* readings, int* is_alarm, int n, float limit, int blocks, int threads_per_block,
                         unsigned int* alarms);
