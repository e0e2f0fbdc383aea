// expect: global load sectors: expected at most 16547 (one for 8 of z or of vz, and 1 % for edges), counted 65536
#include "aos_to_soa.h"

constexpr int threads_per_block = 256;

int blocks_for(int n) { return (n + threads_per_block - 1) / threads_per_block; }

std::size_t swarm_bytes(int n) { return n * sizeof(Particle); }

// Two arrays of four fields each: x, y, z, vx and vy, vz, mass, id. Loads of 16 bytes and no gaps, but half of a
// structure is a structure still.
__global__ void to_arrays(const int4* particles, int n, int4* arrays) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    arrays[i] = particles[2 * i];
    arrays[n + i] = particles[2 * i + 1];
}

__global__ void to_particles(const int4* arrays, int n, int4* particles) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    particles[2 * i] = arrays[i];
    particles[2 * i + 1] = arrays[n + i];
}

__global__ void fall_all(float4* arrays, int n, float seconds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) arrays[i].z += arrays[n + i].y * seconds;
}

cudaError_t pack(const Particle* particles, int n, void* swarm) {
    if (n == 0) return cudaSuccess;
    to_arrays<<<blocks_for(n), threads_per_block>>>(reinterpret_cast<const int4*>(particles), n,
                                                    static_cast<int4*>(swarm));
    return cudaGetLastError();
}

cudaError_t fall(void* swarm, int n, float seconds) {
    if (n == 0) return cudaSuccess;
    fall_all<<<blocks_for(n), threads_per_block>>>(static_cast<float4*>(swarm), n, seconds);
    return cudaGetLastError();
}

cudaError_t unpack(const void* swarm, int n, Particle* particles) {
    if (n == 0) return cudaSuccess;
    to_particles<<<blocks_for(n), threads_per_block>>>(static_cast<const int4*>(swarm), n,
                                                       reinterpret_cast<int4*>(particles));
    return cudaGetLastError();
}
