// The claim: in host code a __device__ variable is a name. Its address in GPU memory must be asked for,
// and then cudaMemcpy reaches the same bytes as cudaMemcpyToSymbol and cudaMemcpyFromSymbol do.
//
// The ladder: the address and size of a symbol; a round trip through the address; five mistakes and the
// error that each one gives.
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/01_global_symbols/symbol_address.cu -o symbol_address
//   build/bin/lanescope run ./symbol_address
#include <cstdio>
#include <cstring>

#include "tutorial/check.cuh"

__device__ float value;

__global__ void triple() { value *= 3; }

// Shows what a wrong call returns, and clears the error so that the next one starts afresh.
void show(const char* mistake, cudaError_t error) {
    std::printf("   %-58s %s\n", mistake, cudaGetErrorName(error));
    cudaGetLastError();
}

int main(int argc, char** argv) {
    if (argc > 1) {
        const bool help = std::strcmp(argv[1], "--help") == 0;
        std::fprintf(help ? stdout : stderr,
                     "Usage: symbol_address\n"
                     "Reaches a __device__ float through its address, and shows the errors for wrong symbols.\n");
        return help ? 0 : 2;
    }

    // [address]
    void* address = nullptr;
    size_t bytes = 0;
    CUDA_CHECK(cudaGetSymbolAddress(&address, value));
    CUDA_CHECK(cudaGetSymbolSize(&bytes, value));
    // [address]
    std::printf("1. The symbol in GPU memory: %zu bytes at an address that only the GPU can use.\n", bytes);
    std::printf("   &value in host code is %s.\n\n", static_cast<void*>(&value) == address ? "the same" : "another address");

    // [round trip]
    const float sent = 1.5f;
    CUDA_CHECK(cudaMemcpy(address, &sent, sizeof sent, cudaMemcpyHostToDevice));
    triple<<<1, 1>>>();
    CUDA_CHECK(cudaGetLastError());
    float by_address = 0;
    float by_symbol = 0;
    CUDA_CHECK(cudaMemcpy(&by_address, address, sizeof(float), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpyFromSymbol(&by_symbol, value, sizeof(float)));
    // [round trip]
    std::printf("2. Sent %.1f through the address; a kernel tripled it; read back %.1f by address, %.1f by symbol.\n\n", sent,
                by_address, by_symbol);

    std::printf("3. Mistakes, and what they return:\n");
    float host_variable = 0;
    show("the name in quotes: cudaMemcpyToSymbol(\"value\", ...)", cudaMemcpyToSymbol("value", &sent, sizeof sent));
    show("its address: cudaMemcpyToSymbol(&value, ...)", cudaMemcpyToSymbol(&value, &sent, sizeof sent));
    show("a host variable: cudaMemcpyToSymbol(host_variable, ...)",
         cudaMemcpyToSymbol(host_variable, &sent, sizeof sent));
    show("more bytes than it has: cudaMemcpyToSymbol(value, ..., 8)", cudaMemcpyToSymbol(value, &sent, 8));
    show("the wrong direction: cudaMemcpyDeviceToHost", cudaMemcpyToSymbol(value, &sent, sizeof sent, 0,
                                                                           cudaMemcpyDeviceToHost));

    if (by_address != 3 * sent || by_symbol != 3 * sent) {
        std::fprintf(stderr, "symbol_address: wrong result: expected %.1f twice\n", 3 * sent);
        return 1;
    }
    return 0;
}
