// What events say of kernels on managed memory: 1 MiB, in microseconds.
#include <cstdio>

#include "show.h"

__global__ void add_one(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += 1;
}

constexpr int n = 1 << 18;
constexpr std::size_t bytes = n * sizeof(int);
cudaEvent_t begin, end;

template <class F>
void time(const char* what, F f) {
    cudaEventRecord(begin);
    f();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    std::printf("%s %.1f\n", what, ms * 1e3);
}

void launch(int* values) { add_one<<<n / 256, 256>>>(values, n); }

void prefetch(int* values, bool to_device) {
#if CUDART_VERSION >= 13000
    cudaMemPrefetchAsync(values, bytes, {to_device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost, 0}, 0, nullptr);
#else
    cudaMemPrefetchAsync(values, bytes, to_device ? 0 : cudaCpuDeviceId, nullptr);
#endif
}

void prefer_host(int* values) {
#if CUDART_VERSION >= 13000
    cudaMemAdvise(values, bytes, cudaMemAdviseSetPreferredLocation, {cudaMemLocationTypeHost, 0});
#else
    cudaMemAdvise(values, bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
#endif
}

int main() {
    int *values, *before, *remote;
    cudaMallocManaged(&values, bytes);
    cudaMallocManaged(&before, bytes);
    cudaMallocManaged(&remote, bytes);
    prefer_host(remote);
    launch(before);   // nobody asks for times yet
    cudaDeviceSynchronize();
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    time("cold", [&] { launch(values); });
    time("warm", [&] { launch(values); });
    time("prefetch_nothing", [&] { prefetch(values, true); });
    time("prefetch_to_host", [&] { prefetch(values, false); });
    time("prefetch_to_device", [&] { prefetch(values, true); });
    time("after_prefetch", [&] { launch(values); });
    time("touched_before_the_events", [&] { launch(before); });
    time("stays_at_host", [&] { launch(remote); });
    time("stays_at_host_again", [&] { launch(remote); });
    return 0;
}
