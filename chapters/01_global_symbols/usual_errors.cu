// The claim: every usual mistake with a __device__ variable looks the same each time, so it can be recognised.
//
// The ladder: one mistake for each name below. Some end the program with an error, some give a wrong number in
// silence; `usual_errors` alone lists them.
//
// Build and run (here on the simulated GPU; on a machine with a GPU start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/01_global_symbols/usual_errors.cu -o usual_errors
//   build/bin/lanescope run ./usual_errors quotes
#include <cstdio>
#include <cstring>

#include "tutorial/check.cuh"

__device__ float value;

__global__ void add_two() { value += 2; }
__global__ void add_two_at(float* address) { *address += 2; }
__global__ void greet() { printf("hello from the GPU\n"); }

constexpr float initial = 3.14f;

void set_value() { CUDA_CHECK(cudaMemcpyToSymbol(value, &initial, sizeof initial)); }

float get_value() {
    float result = 0;
    CUDA_CHECK(cudaMemcpyFromSymbol(&result, value, sizeof result));
    return result;
}

void quotes() {
    // [quotes]
    CUDA_CHECK(cudaMemcpyToSymbol("value", &initial, sizeof initial));
    // [quotes]
}

void address_of_name() {
    // [address of name]
    CUDA_CHECK(cudaMemcpyToSymbol(&value, &initial, sizeof initial));
    // [address of name]
}

void hidden() {
    // [hidden]
    float value = 0;   // another variable: from here on it hides the symbol
    CUDA_CHECK(cudaMemcpyToSymbol(value, &initial, sizeof initial));
    // [hidden]
}

void unchecked() {
    // [unchecked]
    cudaMemcpyToSymbol("value", &initial, sizeof initial);   // fails; nobody looks
    add_two<<<1, 1>>>();
    std::printf("3.14 + 2 = %.2f\n", get_value());
    // [unchecked]
}

void read_on_host() {
    set_value();
#pragma nv_diagnostic push
#ifndef SHOW_WARNING
#pragma nv_diag_suppress 20091   // nvcc warns of the next line, and rightly
#endif
    // [read on host]
    std::printf("value is %.2f\n", value);
    // [read on host]
#pragma nv_diagnostic pop
}

void stand_in_to_kernel() {
    set_value();
    // [stand-in to kernel]
    add_two_at<<<1, 1>>>(&value);   // in host code &value is the address of the stand-in
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    // [stand-in to kernel]
}

void follow_on_host() {
    set_value();
    // [follow on host]
    float* address = nullptr;
    CUDA_CHECK(cudaGetSymbolAddress(reinterpret_cast<void**>(&address), value));
    std::printf("value is %.2f\n", *address);
    // [follow on host]
}

void no_wait() {
    // [no wait]
    greet<<<1, 1>>>();
    CUDA_CHECK(cudaGetLastError());
    std::printf("done\n");
    // [no wait]
}

struct Mistake {
    const char* name;
    void (*make)();
    const char* meaning;
};

constexpr Mistake mistakes[] = {
    {"quotes", quotes, "the symbol's name in quotes"},
    {"address_of_name", address_of_name, "&value where the symbol is expected"},
    {"hidden", hidden, "a local variable of the same name"},
    {"unchecked", unchecked, "an error that nobody looks at"},
    {"read_on_host", read_on_host, "host code reads the variable by its name"},
    {"stand_in_to_kernel", stand_in_to_kernel, "&value as a kernel's argument"},
    {"follow_on_host", follow_on_host, "host code follows the address in GPU memory"},
    {"no_wait", no_wait, "the program ends before the kernel has run"},
};

void usage(std::FILE* to) {
    std::fprintf(to, "Usage: usual_errors MISTAKE\nMakes one mistake, so that you can see what it looks like:\n");
    for (const Mistake& mistake : mistakes) std::fprintf(to, "  %-20s %s\n", mistake.name, mistake.meaning);
}

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);   // what was printed before a crash is not lost
    if (argc == 1 || std::strcmp(argv[1], "--help") == 0) {
        usage(stdout);
        return 0;
    }
    for (const Mistake& mistake : mistakes) {
        if (argc == 2 && std::strcmp(argv[1], mistake.name) == 0) {
            mistake.make();
            return 0;
        }
    }
    std::fprintf(stderr, "usual_errors: there is no mistake \"%s\"\n  next: usual_errors --help\n", argv[argc - 1]);
    return 2;
}
