// What do kernels pay for the pages of managed memory? What it printed on an H200 is in h200_managed_pages.txt.
//
//   nvcc -std=c++17 -O2 -arch=sm_90 managed_pages.cu -o managed_pages && ./managed_pages
//
// Times in ms; kernels and prefetches by events, the host's by its clock, each once. Every size twice.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                              \
    do {                                                                                         \
        if (const cudaError_t error = call) {                                                    \
            std::printf("%d %s: %s\n", __LINE__, #call, cudaGetErrorString(error));              \
            std::exit(1);                                                                        \
        }                                                                                        \
    } while (0)

__global__ void add_one(int* p, size_t n) {
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) p[i] += 1;
}
__global__ void set_one(int* p, size_t n) {
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) p[i] = 1;
}
__global__ void read_all(const int* p, int* out, size_t n) {
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n && p[i] == -12345) *out = 1;
}
__global__ void strided(int* p, size_t n, size_t step) {
    const size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * step;
    if (i < n) p[i] += 1;
}

cudaEvent_t begin, end;
template <class F>
float device_ms(F f) {
    CHECK(cudaEventRecord(begin));
    f();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    CHECK(cudaGetLastError());
    return ms;
}
template <class F>
double host_ms(F f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}
volatile long long sink;
void host_writes(int* p, size_t n) {
    for (size_t i = 0; i < n; ++i) p[i] = (int)i;
}
void host_reads(const int* p, size_t n) {
    long long sum = 0;
    for (size_t i = 0; i < n; ++i) sum += p[i];
    sink = sum;
}

int main() {
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (auto a : {cudaDevAttrConcurrentManagedAccess, cudaDevAttrPageableMemoryAccess, cudaDevAttrPageableMemoryAccessUsesHostPageTables,
                   cudaDevAttrDirectManagedMemAccessFromHost, cudaDevAttrHostRegisterSupported, cudaDevAttrCanUseHostPointerForRegisteredMem}) {
        int value;
        cudaDeviceGetAttribute(&value, a, 0);
        std::printf("attr %d = %d\n", (int)a, value);
    }
    const cudaMemLocation host{cudaMemLocationTypeHost, 0}, device{cudaMemLocationTypeDevice, 0};
    int* d;
    CHECK(cudaMalloc(&d, 1 << 20));
    add_one<<<1, 32>>>(d, 32);
    CHECK(cudaDeviceSynchronize());
    for (int rep = 0; rep < 2; ++rep) {
        for (size_t kb : {4, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576}) {
            const size_t n = kb * 256;
            const unsigned blocks = (unsigned)((n + 255) / 256);
            int* p;
            CHECK(cudaMallocManaged(&p, n * 4));
            const auto add = [&] { add_one<<<blocks, 256>>>(p, n); };
            const auto read = [&] { read_all<<<blocks, 256>>>(p, d, n); };
            const auto set = [&] { set_one<<<blocks, 256>>>(p, n); };
            const double w1 = host_ms([&] { host_writes(p, n); }), w2 = host_ms([&] { host_writes(p, n); });
            const float k1 = device_ms(add), k2 = device_ms(add);
            const double r1 = host_ms([&] { host_reads(p, n); });
            const float k3 = device_ms(read);
            const double r2 = host_ms([&] { host_reads(p, n); });
            const float k4 = device_ms(read);
            const float to_host = device_ms([&] { CHECK(cudaMemPrefetchAsync(p, n * 4, host, 0)); });
            const float to_device = device_ms([&] { CHECK(cudaMemPrefetchAsync(p, n * 4, device, 0)); });
            const float k5 = device_ms(add);
            const double w3 = host_ms([&] { host_writes(p, n); });
            CHECK(cudaFree(p));
            CHECK(cudaMallocManaged(&p, n * 4));
            const float f1 = device_ms(set), f2 = device_ms(set);
            const double r3 = host_ms([&] { host_reads(p, n); });
            CHECK(cudaFree(p));
            CHECK(cudaMallocManaged(&p, n * 4));
            host_writes(p, n);
            const float c1 = device_ms([&] { CHECK(cudaMemcpyAsync(p, p + n / 2, n * 2, cudaMemcpyDefault, 0)); });
            std::printf(
                "%8zu KB hostwrite %.4f again %.4f | k_cold %.4f k_warm %.4f hostread %.4f k_read_after_hostread %.4f hostread2 %.4f k_read "
                "%.4f | prefetch host %.4f dev %.4f k %.4f hostwrite %.4f | first touch gpu %.4f warm %.4f hostread %.4f | memcpy within "
                "%.4f\n",
                kb, w1, w2, k1, k2, r1, k3, r2, k4, to_host, to_device, k5, w3, f1, f2, r3, c1);
            CHECK(cudaFree(p));
        }
    }
    for (size_t step_bytes : {4096, 65536, 1 << 20, 2 << 20}) {
        const size_t n = (size_t)64 << 20, step = step_bytes / 4, touched = n / step;
        int* p;
        CHECK(cudaMallocManaged(&p, n * 4));
        host_writes(p, n);
        const unsigned blocks = (unsigned)((touched + 255) / 256);
        const auto some = [&] { strided<<<blocks, 256>>>(p, n, step); };
        const auto all = [&] { add_one<<<(unsigned)(n / 256), 256>>>(p, n); };
        const float a = device_ms(some), b = device_ms(some), c = device_ms(all), e = device_ms(all);
        const double h = host_ms([&] {
            for (size_t i = 0; i < n; i += step) p[i] += 1;
        });
        const float f = device_ms(all);
        std::printf("stride %zu: cold %.4f again %.4f all after %.4f again %.4f | host touches strided %.4f, all %.4f\n", step_bytes, a, b, c, e,
                    h, f);
        CHECK(cudaFree(p));
    }
    const size_t n = (size_t)16 << 20;
    const unsigned blocks = (unsigned)(n / 256);
    int* p;
    CHECK(cudaMallocManaged(&p, n * 4));
    host_writes(p, n);
    CHECK(cudaMemAdvise(p, n * 4, cudaMemAdviseSetPreferredLocation, host));
    CHECK(cudaMemAdvise(p, n * 4, cudaMemAdviseSetAccessedBy, device));
    float a = device_ms([&] { read_all<<<blocks, 256>>>(p, d, n); }), b = device_ms([&] { add_one<<<blocks, 256>>>(p, n); });
    float c = device_ms([&] { add_one<<<blocks, 256>>>(p, n); });
    std::printf("64 MB preferred host, accessed by device: read %.4f inc %.4f again %.4f\n", a, b, c);
    CHECK(cudaFree(p));
    CHECK(cudaMallocManaged(&p, n * 4));
    host_writes(p, n);
    CHECK(cudaMemAdvise(p, n * 4, cudaMemAdviseSetReadMostly, device));
    a = device_ms([&] { read_all<<<blocks, 256>>>(p, d, n); }), b = device_ms([&] { read_all<<<blocks, 256>>>(p, d, n); });
    const double h = host_ms([&] { host_reads(p, n); });
    c = device_ms([&] { read_all<<<blocks, 256>>>(p, d, n); });
    std::printf("64 MB read mostly: read %.4f again %.4f hostread %.4f then read %.4f\n", a, b, h, c);
    CHECK(cudaFree(p));
}
