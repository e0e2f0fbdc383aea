#include "relocatable.h"

__device__ int shared_counter = 1;
__device__ int twice(int value) { return 2 * value; }
__global__ void add_twice(int value) { shared_counter += twice(value); }
