// What starter.cu defines and the tests call.
#pragma once

#include <cuda_runtime.h>

// Calibrates n samples at a time on the GPU, again and again: the caller writes samples to `input`, calls process(),
// and reads `output`. There can be several stations.
struct Station {
    int n = 0;
    int* input = nullptr;      // n samples in host memory; the caller writes them
    int* output = nullptr;     // n results in host memory; the caller reads them
    int* on_device = nullptr;  // n ints in device memory
};

// Makes a station. n is 0 or more. `input` and `output` become pinned memory, and no more is pinned than they need:
// their bytes, rounded up to pages of 4096. If that fails, returns the error, leaves nothing behind, and the station
// need not be closed.
cudaError_t open_station(Station* station, int n);

// output[i] = 3 * input[i] - 100, for all i. Copies the samples from `input` to the device, lets a kernel work on them
// there, and copies the results from there to `output`, each byte once and with cudaMemcpy or cudaMemcpyAsync. When it
// returns, the results are there. Allocates nothing, and pins nothing.
cudaError_t process(Station* station);

// Gives back all that open_station took.
cudaError_t close_station(Station* station);

// All three return the first CUDA error.
