// Variables of the device in host code: copies, addresses, sizes, and names that are none.
#include "show.h"

__device__ int values[16] = {1, 2, 3};
__constant__ int constants[4] = {7};
__managed__ int managed[4];
int host_array[16];
__global__ void use(int* out) { *out = values[1] + constants[0] + managed[0]; }

int main() {
    int buffer[16] = {};
    void* address = nullptr;
    size_t bytes = 0;
    int* device = nullptr;
    cudaMalloc(&device, sizeof(int));
    use<<<1, 1>>>(device);
    cudaMemcpy(buffer, device, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("2 + 7 + 0 = %d\n", buffer[0]);
    SHOW(cudaMemcpyFromSymbol(buffer, values, sizeof values));
    std::printf("%d %d %d\n", buffer[0], buffer[1], buffer[2]);
    SHOW(cudaMemcpyToSymbol(values, buffer, 8, 60));
    SHOW(cudaMemcpyToSymbol(values, buffer, 65));
    SHOW(cudaMemcpyToSymbol(values, buffer, 8, 0, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpyToSymbol(values, buffer, 8, 0, cudaMemcpyDeviceToDevice));
    SHOW(cudaMemcpyToSymbol(values, buffer, 0));
    SHOW(cudaMemcpyToSymbol("values", buffer, 8));
    SHOW(cudaMemcpyToSymbol(host_array, buffer, 8));
    SHOW(cudaMemcpyFromSymbol(buffer, values, 8, 0, cudaMemcpyHostToDevice));
    SHOW(cudaMemset(values, 0, 4));
    SHOW(cudaGetSymbolSize(&bytes, values));
    std::printf("%zu bytes\n", bytes);
    SHOW(cudaGetSymbolAddress(&address, values));
    SHOW(cudaMemset(address, 0, sizeof values));
    SHOW(cudaFree(address));
    SHOW(cudaGetSymbolAddress(&address, managed));
    std::printf("managed: %s\n", address == managed ? "its own address" : "another address");
    SHOW(cudaGetSymbolAddress(&address, constants));
    const int nine = 9;
    SHOW(cudaMemcpyToSymbol(constants, &nine, sizeof nine));
    use<<<1, 1>>>(device);
    cudaMemcpy(buffer, device, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("0 + 9 + 0 = %d\n", buffer[0]);
    return 0;
}
