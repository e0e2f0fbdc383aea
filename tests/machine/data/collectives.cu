// Operations between the lanes of a warp. Compiled by regenerate.sh.
extern "C" __global__ void shuffles(int* idx, int* up, int* down, int* bfly) {
    const int t = threadIdx.x;
    idx[t] = __shfl_sync(0xFFFFFFFF, t * 10, t + 5);
    up[t] = __shfl_up_sync(0xFFFFFFFF, t * 10, 3);
    down[t] = __shfl_down_sync(0xFFFFFFFF, t * 10, 3, 8);
    bfly[t] = __shfl_xor_sync(0xFFFFFFFF, t * 10, 5);
}
// Each half of the warp on its own, in different branches.
extern "C" __global__ void halves(int* out, unsigned* ballot) {
    const int t = threadIdx.x;
    if (t < 16) {
        out[t] = __shfl_sync(0x0000FFFF, t * 10, 15 - t);
        ballot[t] = __ballot_sync(0x0000FFFF, t % 2);
    } else {
        out[t] = __shfl_sync(0xFFFF0000, t * 100, 31 - (t - 16));
        ballot[t] = __ballot_sync(0xFFFF0000, t % 3 == 0);
    }
}
// All lanes, but from two places in the code.
extern "C" __global__ void from_two_branches(int* out) {
    const int t = threadIdx.x;
    if (t % 2 == 0)
        out[t] = __shfl_sync(0xFFFFFFFF, t, t + 1);
    else
        out[t] = __shfl_sync(0xFFFFFFFF, t + 1000, t - 1);
}
// Lanes that have left take no part, though the mask names them.
extern "C" __global__ void after_exit(unsigned* out) {
    if (threadIdx.x >= 20) return;
    out[threadIdx.x] = __ballot_sync(0xFFFFFFFF, 1);
}
// Groups of equal keys: each lane names the mask of its own group, in one instruction.
extern "C" __global__ void groups(const int* key, unsigned* peers, int* sum, int* any, unsigned* ballot, int* leader) {
    const int t = threadIdx.x;
    const unsigned mask = __match_any_sync(0xFFFFFFFF, key[t]);
    peers[t] = mask;
    sum[t] = __reduce_add_sync(mask, t);
    any[t] = __any_sync(mask, t == 5);
    ballot[t] = __ballot_sync(mask, t % 2);
    leader[t] = __shfl_sync(mask, t * 10, __ffs(mask) - 1);
}
extern "C" __global__ void reductions(const int* in, int* out) {
    const int t = threadIdx.x;
    out[t] = __reduce_min_sync(0xFFFFFFFF, in[t]);
    out[32 + t] = static_cast<int>(__reduce_max_sync(0xFFFFFFFF, static_cast<unsigned>(in[t])));
    out[64 + t] = static_cast<int>(__reduce_xor_sync(0xFFFFFFFF, static_cast<unsigned>(in[t])));
    if (t < 8) out[96 + t] = __reduce_add_sync(0xFF, in[t]);
}
extern "C" __global__ void votes(int* all, int* any, int* uniform) {
    const int t = threadIdx.x;
    all[t] = __all_sync(0xFFFFFFFF, t < 32) * 2 + __all_sync(0xFFFFFFFF, t < 31);
    any[t] = __any_sync(0xFFFFFFFF, t == 31) * 2 + __any_sync(0xFFFFFFFF, t == 32);
    uniform[t] = __uni_sync(0xFFFFFFFF, t > 100) * 2 + __uni_sync(0xFFFFFFFF, t > 10);
}
extern "C" __global__ void match_all(unsigned* mask, int* same, int value_of_lane_7) {
    int pred;
    const int t = threadIdx.x;
    mask[t] = __match_all_sync(0xFFFFFFFF, t == 7 ? value_of_lane_7 : 4, &pred);
    same[t] = pred;
}
// Lane 0 works before it comes to __syncwarp; what it wrote is there behind it.
extern "C" __global__ void sync_warp(int* out) {
    __shared__ volatile int value;
    if (threadIdx.x == 0) {
        int sum = 0;
#pragma unroll 1
        for (int k = 0; k < 100; ++k) sum += k;
        value = sum;
    }
    __syncwarp();
    out[threadIdx.x] = value;
}
extern "C" __global__ void leader_elects(int* counter, int* out) {
    // One atomic for the whole warp (as compilers and libraries aggregate them).
    const unsigned active = __activemask();
    const int leader = __ffs(active) - 1, lane = threadIdx.x % 32;
    int base = 0;
    if (lane == leader) base = atomicAdd(counter, __popc(active));
    base = __shfl_sync(active, base, leader);
    out[blockIdx.x * blockDim.x + threadIdx.x] = base + __popc(active & ((1u << lane) - 1));
}
