// What starter.cu defines and the tests call.
#pragma once

#include <cuda_runtime.h>

// An element of a chain begins with the address of the next element.
struct Element {
    const Element* next;
};

struct Chase {
    double cycles_per_load;  // of the timed loads, on average, in cycles of the SM clock
    const Element* end;      // the element that the last timed load led to
};

// Measures how long L2 takes to answer a load. The chain is in device memory: from `first`, `elements` loads lead to
// each of the elements once and back to `first`, in no order that can be foreseen. One thread of one kernel follows it.
// Before the clock starts it loads every element, up to four times, so that L2 has them. Then it makes `loads` loads,
// which are timed, from `first` on: each takes its address from the one before, and L1 answers none. `elements` is 3 or
// more, `loads` a multiple of 16 and not 0. Returns the first CUDA error; waits for the kernel.
cudaError_t chase_l2(const Element* first, unsigned elements, unsigned loads, Chase* chase);
