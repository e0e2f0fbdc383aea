// What starter.cu defines and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

// A particle as other programs know it: 32 bytes.
struct Particle {
    float x, y, z;
    float vx, vy, vz;
    float mass;
    int id;
};

// A swarm is n particles in a piece of device memory, in a layout that only these four functions know. Wherever
// `swarm` is a parameter it is swarm_bytes(n) bytes of device memory, as cudaMalloc aligns them; `particles` is an
// array of n particles in device memory, aligned in the same way. There can be several swarms. n is 0 or more. All
// functions work with kernels, read and write nothing else, return the first CUDA error, and need not wait for the
// kernels.

// How much memory a swarm needs: at most 32 * n + 4096 bytes.
std::size_t swarm_bytes(int n);

// Makes a swarm of the particles.
cudaError_t pack(const Particle* particles, int n, void* swarm);

// z += vz * seconds, for every particle of the swarm. All else stays as it is.
cudaError_t fall(void* swarm, int n, float seconds);

// Writes the particles of the swarm, each to its old place in the array.
cudaError_t unpack(const void* swarm, int n, Particle* particles);
