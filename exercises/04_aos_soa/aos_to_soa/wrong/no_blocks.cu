// expect: pack: expected cudaSuccess, got cudaErrorInvalidConfiguration
// Without particles the grid has 0 blocks.
#include "aos_to_soa.h"

constexpr int threads_per_block = 256;
constexpr int fields = sizeof(Particle) / sizeof(int);
constexpr int z_field = 2, vz_field = 5;

int blocks_for(int n) { return (n + threads_per_block - 1) / threads_per_block; }

__host__ __device__ std::size_t pitch(int n) { return (static_cast<std::size_t>(n) + 7) / 8 * 8; }

std::size_t swarm_bytes(int n) { return fields * pitch(n) * sizeof(int); }

__global__ void to_arrays(const int* particles, int n, int* arrays) {
    __shared__ int tile[threads_per_block][fields + 1];
    const int first = blockIdx.x * threads_per_block;
    const int count = min(n - first, threads_per_block);
    particles += fields * static_cast<std::size_t>(first);
    for (int k = threadIdx.x; k < fields * count; k += threads_per_block) tile[k / fields][k % fields] = particles[k];
    __syncthreads();
    if (threadIdx.x >= count) return;
    for (int field = 0; field < fields; ++field)
        arrays[field * pitch(n) + first + threadIdx.x] = tile[threadIdx.x][field];
}

__global__ void to_particles(const int* arrays, int n, int* particles) {
    __shared__ int tile[threads_per_block][fields + 1];
    const int first = blockIdx.x * threads_per_block;
    const int count = min(n - first, threads_per_block);
    particles += fields * static_cast<std::size_t>(first);
    if (threadIdx.x < count) {
        for (int field = 0; field < fields; ++field)
            tile[threadIdx.x][field] = arrays[field * pitch(n) + first + threadIdx.x];
    }
    __syncthreads();
    for (int k = threadIdx.x; k < fields * count; k += threads_per_block) particles[k] = tile[k / fields][k % fields];
}

cudaError_t pack(const Particle* particles, int n, void* swarm) {
    to_arrays<<<blocks_for(n), threads_per_block>>>(reinterpret_cast<const int*>(particles), n,
                                                    static_cast<int*>(swarm));
    return cudaGetLastError();
}

__global__ void fall_all(float* z, const float* vz, int n, float seconds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] += vz[i] * seconds;
}

cudaError_t fall(void* swarm, int n, float seconds) {
    float* const arrays = static_cast<float*>(swarm);
    fall_all<<<blocks_for(n), threads_per_block>>>(arrays + z_field * pitch(n), arrays + vz_field * pitch(n), n,
                                                   seconds);
    return cudaGetLastError();
}

cudaError_t unpack(const void* swarm, int n, Particle* particles) {
    to_particles<<<blocks_for(n), threads_per_block>>>(static_cast<const int*>(swarm), n,
                                                       reinterpret_cast<int*>(particles));
    return cudaGetLastError();
}
