// expect: global load sectors: expected at most 16547 (one for 8 of z or of vz, and 1 % for edges), counted 20480
#include "aos_to_soa.h"

constexpr int threads_per_block = 256;
constexpr int fields = sizeof(Particle) / sizeof(int);
constexpr int z_field = 2, vz_field = 5;

// Where the arrays are is written down at the beginning of the swarm, and every kernel reads it there: two sectors for
// each warp.
struct Arrays {
    int* of[fields];
};
constexpr int arrays_begin = 256;   // bytes

int blocks_for(int n) { return (n + threads_per_block - 1) / threads_per_block; }

__host__ __device__ std::size_t pitch(int n) { return (static_cast<std::size_t>(n) + 7) / 8 * 8; }

std::size_t swarm_bytes(int n) { return arrays_begin + fields * pitch(n) * sizeof(int); }

__global__ void to_arrays(const int* particles, int n, const Arrays* arrays) {
    __shared__ int tile[threads_per_block][fields + 1];
    const int first = blockIdx.x * threads_per_block;
    const int count = min(n - first, threads_per_block);
    particles += fields * static_cast<std::size_t>(first);
    for (int k = threadIdx.x; k < fields * count; k += threads_per_block) tile[k / fields][k % fields] = particles[k];
    __syncthreads();
    if (threadIdx.x >= count) return;
    for (int field = 0; field < fields; ++field) arrays->of[field][first + threadIdx.x] = tile[threadIdx.x][field];
}

__global__ void to_particles(const Arrays* arrays, int n, int* particles) {
    __shared__ int tile[threads_per_block][fields + 1];
    const int first = blockIdx.x * threads_per_block;
    const int count = min(n - first, threads_per_block);
    particles += fields * static_cast<std::size_t>(first);
    if (threadIdx.x < count) {
        for (int field = 0; field < fields; ++field) tile[threadIdx.x][field] = arrays->of[field][first + threadIdx.x];
    }
    __syncthreads();
    for (int k = threadIdx.x; k < fields * count; k += threads_per_block) particles[k] = tile[k / fields][k % fields];
}

cudaError_t pack(const Particle* particles, int n, void* swarm) {
    if (n == 0) return cudaSuccess;
    Arrays arrays;
    for (int field = 0; field < fields; ++field) {
        arrays.of[field] = reinterpret_cast<int*>(static_cast<char*>(swarm) + arrays_begin) + field * pitch(n);
    }
    if (const cudaError_t error = cudaMemcpy(swarm, &arrays, sizeof arrays, cudaMemcpyHostToDevice)) return error;
    to_arrays<<<blocks_for(n), threads_per_block>>>(reinterpret_cast<const int*>(particles), n,
                                                    static_cast<Arrays*>(swarm));
    return cudaGetLastError();
}

__global__ void fall_all(const Arrays* arrays, int n, float seconds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float* const z = reinterpret_cast<float*>(arrays->of[z_field]);
    const float* const vz = reinterpret_cast<const float*>(arrays->of[vz_field]);
    z[i] += vz[i] * seconds;
}

cudaError_t fall(void* swarm, int n, float seconds) {
    if (n == 0) return cudaSuccess;
    fall_all<<<blocks_for(n), threads_per_block>>>(static_cast<Arrays*>(swarm), n, seconds);
    return cudaGetLastError();
}

cudaError_t unpack(const void* swarm, int n, Particle* particles) {
    if (n == 0) return cudaSuccess;
    to_particles<<<blocks_for(n), threads_per_block>>>(static_cast<const Arrays*>(swarm), n,
                                                       reinterpret_cast<int*>(particles));
    return cudaGetLastError();
}
