// What do Nsight Compute's counters say of bulk copies (cp.async.bulk)? What they said on an H200 is in h200_bulk_copies.txt.
//
//   nvcc -std=c++17 -arch=sm_90 bulk_copies.cu -o bulk_copies
//   ncu --clock-control none --metrics ... ./bulk_copies      (the metrics are in the text file)
//
// 64 blocks bring or send 4096 bytes each: 128 sectors. `plain_in` does what `bulk_in` does with loads and stores.
#include <cstdint>
#include <cstdio>

__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__global__ void bulk_in(int* out, const int* in) {
    __shared__ alignas(128) int piece[1024];
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&barrier)));
        asm volatile("fence.proxy.async.shared::cta;");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(shared_address(&barrier)));
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(shared_address(piece)),
                     "l"(__cvta_generic_to_global(in + blockIdx.x * 1024)), "r"(shared_address(&barrier))
                     : "memory");
    }
    __syncthreads();
    asm volatile("{.reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra WAIT;}" ::"r"(shared_address(&barrier)) : "memory");
    if (piece[threadIdx.x] == -1) out[threadIdx.x] = 1;
}

__global__ void bulk_out(int* out) {
    __shared__ alignas(128) int piece[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) piece[i] = i;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 4096;" ::"l"(__cvta_generic_to_global(out + blockIdx.x * 1024)),
                     "r"(shared_address(piece))
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}

__global__ void plain_in(int* out, const int* in) {
    __shared__ int piece[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) piece[i] = in[blockIdx.x * 1024 + i];
    __syncthreads();
    if (piece[threadIdx.x] == -1) out[threadIdx.x] = 1;
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 1 << 20);
    cudaMalloc(&out, 1 << 20);
    cudaMemset(in, 0, 1 << 20);
    bulk_in<<<64, 256>>>(out, in);
    bulk_out<<<64, 256>>>(out);
    plain_in<<<64, 256>>>(out, in);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
