// expect: vz -511.5, mass 5, id 1999999993}, got {x 2, y -2.5, z 0.25, vx 2.25, vy -1.25, vz -511.5, mass 5, id 2000000000}
#include "aos_to_soa.h"

constexpr int threads_per_block = 256;
constexpr int fields = sizeof(Particle) / sizeof(int);
constexpr int z_field = 2, vz_field = 5;

int blocks_for(int n) { return (n + threads_per_block - 1) / threads_per_block; }

__host__ __device__ std::size_t pitch(int n) { return (static_cast<std::size_t>(n) + 7) / 8 * 8; }

std::size_t swarm_bytes(int n) { return fields * pitch(n) * sizeof(int); }

// An id becomes the nearest float.
__global__ void to_arrays(const Particle* particles, int n, float* arrays) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Particle& p = particles[i];
    arrays[0 * pitch(n) + i] = p.x;
    arrays[1 * pitch(n) + i] = p.y;
    arrays[2 * pitch(n) + i] = p.z;
    arrays[3 * pitch(n) + i] = p.vx;
    arrays[4 * pitch(n) + i] = p.vy;
    arrays[5 * pitch(n) + i] = p.vz;
    arrays[6 * pitch(n) + i] = p.mass;
    arrays[7 * pitch(n) + i] = p.id;
}

__global__ void to_particles(const float* arrays, int n, Particle* particles) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Particle& p = particles[i];
    p.x = arrays[0 * pitch(n) + i];
    p.y = arrays[1 * pitch(n) + i];
    p.z = arrays[2 * pitch(n) + i];
    p.vx = arrays[3 * pitch(n) + i];
    p.vy = arrays[4 * pitch(n) + i];
    p.vz = arrays[5 * pitch(n) + i];
    p.mass = arrays[6 * pitch(n) + i];
    p.id = arrays[7 * pitch(n) + i];
}

cudaError_t pack(const Particle* particles, int n, void* swarm) {
    if (n == 0) return cudaSuccess;
    to_arrays<<<blocks_for(n), threads_per_block>>>(particles, n, static_cast<float*>(swarm));
    return cudaGetLastError();
}

__global__ void fall_all(float* z, const float* vz, int n, float seconds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] += vz[i] * seconds;
}

cudaError_t fall(void* swarm, int n, float seconds) {
    if (n == 0) return cudaSuccess;
    float* const arrays = static_cast<float*>(swarm);
    fall_all<<<blocks_for(n), threads_per_block>>>(arrays + z_field * pitch(n), arrays + vz_field * pitch(n), n,
                                                   seconds);
    return cudaGetLastError();
}

cudaError_t unpack(const void* swarm, int n, Particle* particles) {
    if (n == 0) return cudaSuccess;
    to_particles<<<blocks_for(n), threads_per_block>>>(static_cast<const float*>(swarm), n, particles);
    return cudaGetLastError();
}
