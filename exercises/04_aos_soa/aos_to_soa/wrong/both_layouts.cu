// expect: swarm_bytes: expected at most 36896 (32 for each particle, and 4096), counted 41280
#include "aos_to_soa.h"

constexpr int threads_per_block = 256;

int blocks_for(int n) { return (n + threads_per_block - 1) / threads_per_block; }

// The particles as they are, and behind them arrays of z and vz: all that is easy, for a quarter more memory.
std::size_t swarm_bytes(int n) { return 40 * (static_cast<std::size_t>(n) + 7) / 8 * 8; }
float* array_of_z(void* swarm, int n) { return reinterpret_cast<float*>(static_cast<Particle*>(swarm) + n); }
float* array_of_vz(void* swarm, int n) { return array_of_z(swarm, n) + (n + 7) / 8 * 8; }

__global__ void take_out(const Particle* particles, int n, float* z, float* vz) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    z[i] = particles[i].z;
    vz[i] = particles[i].vz;
}

__global__ void put_in(Particle* particles, int n, const float* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) particles[i].z = z[i];
}

__global__ void fall_all(float* z, const float* vz, int n, float seconds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] += vz[i] * seconds;
}

cudaError_t pack(const Particle* particles, int n, void* swarm) {
    if (n == 0) return cudaSuccess;
    if (const cudaError_t error = cudaMemcpyAsync(swarm, particles, n * sizeof(Particle), cudaMemcpyDeviceToDevice))
        return error;
    take_out<<<blocks_for(n), threads_per_block>>>(particles, n, array_of_z(swarm, n), array_of_vz(swarm, n));
    return cudaGetLastError();
}

cudaError_t fall(void* swarm, int n, float seconds) {
    if (n == 0) return cudaSuccess;
    fall_all<<<blocks_for(n), threads_per_block>>>(array_of_z(swarm, n), array_of_vz(swarm, n), n, seconds);
    return cudaGetLastError();
}

cudaError_t unpack(const void* swarm, int n, Particle* particles) {
    if (n == 0) return cudaSuccess;
    if (const cudaError_t error = cudaMemcpyAsync(particles, swarm, n * sizeof(Particle), cudaMemcpyDeviceToDevice))
        return error;
    put_in<<<blocks_for(n), threads_per_block>>>(particles, n, array_of_z(const_cast<void*>(swarm), n));
    return cudaGetLastError();
}
