// Two devices: a managed variable is one, a device variable is two, and memory of a peer needs access.
#include "show.h"

__managed__ int shared_by_all = 1;
__device__ int own = 1;
__global__ void add(int amount) {
    shared_by_all += amount;
    own += amount;
}
__global__ void store(int* where) { *where = 7; }

int main() {
    int value = 0;
    for (int device : {0, 1}) {
        cudaSetDevice(device);
        add<<<1, 1>>>(10 * (device + 1));
        cudaDeviceSynchronize();
        cudaMemcpyFromSymbol(&value, own, sizeof value);
        std::printf("device %d: managed %d, own %d\n", device, shared_by_all, value);
    }
    int* of_device_1 = nullptr;
    cudaMalloc(&of_device_1, sizeof(int));
    cudaSetDevice(0);
    SHOW(cudaDeviceEnablePeerAccess(1, 0));
    store<<<1, 1>>>(of_device_1);
    SHOW(cudaDeviceSynchronize());
    cudaMemcpy(&value, of_device_1, sizeof value, cudaMemcpyDefault);
    std::printf("stored by a peer: %d\n", value);
    SHOW(cudaDeviceDisablePeerAccess(1));
    store<<<1, 1>>>(of_device_1);
    SHOW(cudaDeviceSynchronize());
    return 0;
}
