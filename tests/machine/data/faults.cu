// Kernels that stray. Compiled by regenerate.sh; line numbers appear in reports.
__constant__ int table[4] = {1, 2, 3, 4};
__device__ int sink;
extern "C" __global__ void read_at(const int* p, long index) { sink = p[index]; }
extern "C" __global__ void write_at(int* p, long index) { p[index] = 1; }
extern "C" __global__ void each_thread_writes(int* p, int n) {
    p[blockIdx.x * blockDim.x + threadIdx.x] = n;
}
extern "C" __global__ void write_wide(int* p) { *reinterpret_cast<int4*>(p) = make_int4(1, 2, 3, 4); }
extern "C" __global__ void atomic_at(int* p, long index) { atomicAdd(p + index, 1); }
extern "C" __global__ void read_constant(int* out, int index) { *out = table[index]; }
extern "C" __global__ void write_shared(int index) {
    extern __shared__ int buffer[];
    buffer[index] = threadIdx.x;
    __syncthreads();
    sink = buffer[0];
}
extern "C" __global__ void atomic_shared(int index) {
    extern __shared__ int buffer[];
    atomicAdd(&buffer[index], 1);
}
extern "C" __global__ void write_local(int index, int n) {
    volatile int a[8];
    for (int k = 0; k < 8; ++k) a[k] = k;
    a[index] = n;
    sink = a[n & 7];
}
extern "C" __global__ void addresses(long* out) {
    // Generic addresses of shared and local memory, used through pointers.
    __shared__ int s[32];
    int l[2] = {static_cast<int>(threadIdx.x), 5};
    int* volatile p = threadIdx.x % 2 ? &s[threadIdx.x] : &l[0];
    s[threadIdx.x] = 100 + threadIdx.x;
    *p += 1000;
    out[threadIdx.x] = *p;
}
