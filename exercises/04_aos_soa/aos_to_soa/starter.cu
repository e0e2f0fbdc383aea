#include "aos_to_soa.h"

constexpr int threads_per_block = 256;

int blocks_for(int n) { return (n + threads_per_block - 1) / threads_per_block; }

// YOUR TASK: fall() is right, but of every sector that it touches it needs 4 bytes. Find a layout in which all of a
// sector is needed, and let the four functions use it.
std::size_t swarm_bytes(int n) { return n * sizeof(Particle); }

__global__ void copy_particles(const Particle* from, int n, Particle* to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}

cudaError_t pack(const Particle* particles, int n, void* swarm) {
    if (n == 0) return cudaSuccess;   // a grid of 0 blocks is an error
    copy_particles<<<blocks_for(n), threads_per_block>>>(particles, n, static_cast<Particle*>(swarm));
    return cudaGetLastError();
}

__global__ void fall_all(Particle* particles, int n, float seconds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) particles[i].z += particles[i].vz * seconds;
}

cudaError_t fall(void* swarm, int n, float seconds) {
    if (n == 0) return cudaSuccess;
    fall_all<<<blocks_for(n), threads_per_block>>>(static_cast<Particle*>(swarm), n, seconds);
    return cudaGetLastError();
}

cudaError_t unpack(const void* swarm, int n, Particle* particles) {
    if (n == 0) return cudaSuccess;
    copy_particles<<<blocks_for(n), threads_per_block>>>(static_cast<const Particle*>(swarm), n, particles);
    return cudaGetLastError();
}
