// Threads that wait for other threads. Compiled by regenerate.sh.
__device__ int lock;

extern "C" __global__ void lock_lane_by_lane(volatile int* counter) {
    while (atomicCAS(&lock, 0, 1) != 0) {}
    *counter = *counter + 1;
    __threadfence();
    atomicExch(&lock, 0);
}

__device__ __noinline__ bool try_lock(int* l) { return atomicCAS(l, 0, 1) == 0; }
extern "C" __global__ void lock_in_a_function(volatile int* counter) {
    while (!try_lock(&lock)) {}
    *counter = *counter + 1;
    __threadfence();
    atomicExch(&lock, 0);
}

// Lane 0 waits for what lane 1 does behind the point where they meet.
extern "C" __global__ void wait_for_sibling(volatile int* flag, int* out) {
    if (threadIdx.x == 0)
        while (*flag == 0) {}
    if (threadIdx.x == 1) *flag = 7;
    out[threadIdx.x] = *flag;
}
extern "C" __global__ void wait_for_sibling_in_shared_memory(int* out) {
    __shared__ volatile int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncwarp();
    if (threadIdx.x == 0)
        while (flag == 0) {}
    if (threadIdx.x == 1) flag = 7;
    out[threadIdx.x] = flag;
}

// Block 0 waits for the last block of the grid.
extern "C" __global__ void wait_for_last_block(volatile int* flag, int* out) {
    if (blockIdx.x == gridDim.x - 1) *flag = 5;
    if (blockIdx.x == 0) {
        while (*flag == 0) {}
        *out = *flag;
    }
}
// The same with several loads in the loop, and with the loop in a function.
extern "C" __global__ void wait_for_two_flags(volatile int* flags, int* out) {
    if (blockIdx.x == gridDim.x - 1) flags[0] = 1;
    if (blockIdx.x == gridDim.x - 2) flags[1] = 2;
    if (blockIdx.x == 0) {
        while (flags[0] == 0 || flags[1] == 0 || flags[2] != 0) {}
        *out = flags[0] + flags[1];
    }
}
__device__ __noinline__ int peek(volatile int* flag) { return *flag; }
extern "C" __global__ void wait_in_a_function(int* flag, int* out) {
    if (blockIdx.x == gridDim.x - 1) atomicExch(flag, 5);
    if (blockIdx.x == 0) {
        while (peek(flag) == 0) {}
        *out = peek(flag);
    }
}
// A whole block polls, with a barrier in each round.
extern "C" __global__ void wait_with_barriers(int* flag, int* out) {
    __shared__ int seen;
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) atomicExch(flag, 5);
    if (blockIdx.x == 0) {
        int now;
        do {
            if (threadIdx.x == 0) seen = atomicAdd(flag, 0);
            __syncthreads();
            now = seen;
            __syncthreads();
        } while (now == 0);
        if (threadIdx.x == 0) *out = now;
    }
}

extern "C" __global__ void ring(volatile int* token, int rounds) {
    // Warp w of the block may add 1 when the token is w modulo the number of warps.
    const int warps = blockDim.x / 32;
    if (threadIdx.x % 32 != 0) return;
    for (int r = 0; r < rounds; ++r) {
        while (*token % warps != threadIdx.x / 32) {}
        *token = *token + 1;
    }
}

extern "C" __global__ void wait_for_ever(volatile int* flag) {
    while (*flag == 0) {}
}
extern "C" __global__ void wait_for_ever_in_shared_memory() {
    __shared__ volatile int flag;
    flag = 0;
    while (flag == 0) {}
}
extern "C" __global__ void half_at_barrier(volatile int* flag) {
    if (threadIdx.x < blockDim.x / 2) {
        __syncthreads();
        *flag = 1;
    } else {
        while (*flag == 0) {}
        __syncthreads();
    }
}
extern "C" __global__ void two_barriers() {
    if (threadIdx.x < blockDim.x / 2)
        asm volatile("bar.sync 1;");
    else
        asm volatile("bar.sync 2;");
}
extern "C" __global__ void missing_lane(int* out) {
    // Lane 0 waits for all lanes in a shuffle, the others wait for it in a vote.
    if (threadIdx.x == 0)
        out[0] = __shfl_sync(0xFFFFFFFF, 1, 0);
    else
        out[threadIdx.x] = __any_sync(0xFFFFFFFF, 1);
}

extern "C" __global__ void racy_counter(volatile int* counter) { *counter = *counter + 1; }
extern "C" __global__ void order_of_arrival(int* ticket, int* out) {
    if (threadIdx.x % 32 == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = atomicAdd(ticket, 1);
}
