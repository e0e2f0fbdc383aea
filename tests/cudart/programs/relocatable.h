// What the two files of the relocatable program share.
#pragma once

extern __device__ int shared_counter;
__device__ int twice(int value);
__global__ void add_twice(int value);
