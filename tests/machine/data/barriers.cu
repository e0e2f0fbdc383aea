// Barriers of a block. Compiled by regenerate.sh.
extern "C" __global__ void reverse(const int* in, int* out) {
    extern __shared__ int tile[];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t] = in[i];
    __syncthreads();
    out[i] = tile[blockDim.x - 1 - t];
}
extern "C" __global__ void many_rounds(int* out, int rounds) {
    __shared__ int value[1024];
    value[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        const int next = value[(threadIdx.x + 1) % blockDim.x];
        __syncthreads();
        value[threadIdx.x] = next;
        __syncthreads();
    }
    out[threadIdx.x] = value[threadIdx.x];
}
// Warps that leave early are not waited for.
extern "C" __global__ void some_leave(int* out) {
    __shared__ int value;
    if (threadIdx.x >= 64) return;
    if (threadIdx.x == 40) value = 9;
    __syncthreads();
    out[threadIdx.x] = value;
}
// The barrier of two warps of four; the others pass without it.
extern "C" __global__ void two_of_four_warps(int* out) {
    __shared__ int value;
    if (threadIdx.x < 64) {
        if (threadIdx.x == 63) value = 3;
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[threadIdx.x] = value;
    } else {
        out[threadIdx.x] = -1;
    }
}
// Warp 0 produces and does not wait; warp 1 waits for it.
extern "C" __global__ void producer_arrives(int* out) {
    __shared__ int value[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        value[lane] = lane * lane;
        asm volatile("bar.arrive 3, 64;" ::: "memory");
        out[lane] = -1;
    } else {
        asm volatile("bar.sync 3, 64;" ::: "memory");
        out[threadIdx.x] = value[31 - lane];
    }
}
extern "C" __global__ void reductions(int* count, int* all, int* any) {
    const int t = threadIdx.x;
    count[t] = __syncthreads_count(t % 3 == 0);
    all[t] = __syncthreads_and(t < 1000) * 2 + (__syncthreads_and(t != 5) != 0);
    any[t] = (__syncthreads_or(t == 17) != 0) * 2 + (__syncthreads_or(t > 5000) != 0);
}
// Lanes of one warp reach the barrier at two places.
extern "C" __global__ void from_two_places(int* out) {
    __shared__ int value[128];
    const int t = threadIdx.x;
    if (t % 2 == 0) {
        value[t] = t;
        __syncthreads();
        out[t] = value[blockDim.x - 1 - t];
    } else {
        value[t] = 100 + t;
        __syncthreads();
        out[t] = value[blockDim.x - 1 - t] + 1000;
    }
}
extern "C" __global__ void barrier_number(int number) { asm volatile("bar.sync %0, 32;" ::"r"(number)); }
// A barrier that guards off half of each warp counts those that arrive.
extern "C" __global__ void named_by_register(int* out) {
    __shared__ int value[4];
    const int group = threadIdx.x / 64, t = threadIdx.x % 64;
    if (t == 63) value[group] = group + 5;
    asm volatile("bar.sync %0, 64;" ::"r"(group + 1) : "memory");
    out[threadIdx.x] = value[group];
}
