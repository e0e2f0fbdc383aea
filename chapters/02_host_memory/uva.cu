// The claim: under unified virtual addressing (UVA) host and all devices share one range of addresses. An address says
// which memory it means, so one pointer serves everywhere; it does not say that everybody may follow it.
//
// The ladder: the same pointer against cudaHostGetDevicePointer; what cudaPointerGetAttributes knows of each kind of
// memory; copies that name no direction; one device in the memory of another.
//
// Build and run (here on two simulated GPUs; on a machine with GPUs start the program itself):
//   nvcc -std=c++17 -I common -cudart shared chapters/02_host_memory/uva.cu -o uva
//   LANESCOPE_GPU=h200,h200 build/bin/lanescope run ./uva
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tutorial/check.cuh"
#include "tutorial/options.h"
#include "tutorial/simulated.h"

using namespace lanescope::tutorial;

__device__ int variable;

// to[i] = from[i] + 1. Both may be any memory that this device can reach; they may be the same.
__global__ void add_one(int* to, const int* from, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i] + 1;
}

void launch_add_one(int* to, const int* from, int n) {
    add_one<<<(n + 255) / 256, 256>>>(to, from, n);
    CUDA_CHECK(cudaGetLastError());
}

int attribute(cudaDeviceAttr which) {
    int device = 0, value = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

void set(std::vector<int>& values, int first) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + int(i);
}

// Ends the program unless values[i] == first + i.
void check_values(const int* values, int n, int first, const char* what) {
    for (int i = 0; i < n; ++i) {
        if (values[i] == first + i) continue;
        std::fprintf(stderr, "uva: wrong result, %s: element %d is %d instead of %d\n", what, i, values[i], first + i);
        std::exit(1);
    }
}

// One of each kind of memory.
struct Memories {
    std::vector<int> pageable;
    int *pinned = nullptr, *mapped = nullptr, *registered = nullptr;
    int *device = nullptr, *managed = nullptr, *symbol = nullptr;
    int n;

    explicit Memories(int n) : pageable(n), n(n) {
        const std::size_t bytes = n * sizeof(int);
        // Pages of its own: cudaHostRegister pins whole pages, with all that lies on them.
        constexpr std::size_t page = 4096;
        registered = static_cast<int*>(std::aligned_alloc(page, (bytes + page - 1) / page * page));
        CUDA_CHECK(cudaMallocHost(&pinned, bytes));
        CUDA_CHECK(cudaHostAlloc(&mapped, bytes, cudaHostAllocMapped));
        CUDA_CHECK(cudaHostRegister(registered, bytes, cudaHostRegisterMapped));
        CUDA_CHECK(cudaMalloc(&device, bytes));
        if (attribute(cudaDevAttrManagedMemory)) CUDA_CHECK(cudaMallocManaged(&managed, bytes));
        CUDA_CHECK(cudaGetSymbolAddress(reinterpret_cast<void**>(&symbol), variable));
    }
    ~Memories() {
        cudaFree(managed);
        cudaFree(device);
        cudaHostUnregister(registered);
        std::free(registered);
        cudaFreeHost(mapped);
        cudaFreeHost(pinned);
    }
    Memories(const Memories&) = delete;
};

int* device_pointer(int* host) {
    // [device pointer]
    int* device = nullptr;
    CUDA_CHECK(cudaHostGetDevicePointer(&device, host, 0));
    // [device pointer]
    return device;
}

void show_device_pointers(Memories& it) {
    std::printf("1. Unified addressing: %s. The device's pointer to host memory is\n",
                attribute(cudaDevAttrUnifiedAddressing) ? "yes" : "no");
    const auto show = [&](const char* name, int* host) {
        int* const device = device_pointer(host);
        std::printf("   %-40s %s", name, device == host ? "the host's pointer\n" : "another one\n");
        for (int i = 0; i < it.n; ++i) host[i] = i;
        launch_add_one(device, device, it.n);
        CUDA_CHECK(cudaDeviceSynchronize());
        check_values(host, it.n, 1, name);
    };
    show("pinned (cudaMallocHost)", it.pinned);
    show("mapped (cudaHostAlloc)", it.mapped);
    show("registered (cudaHostRegister)", it.registered);
    std::printf("   A kernel added 1 to each element through it, and the host found the sums.\n\n");
}

const char* type_name(cudaMemoryType type) {
    switch (type) {
        case cudaMemoryTypeUnregistered:
            return "unregistered";
        case cudaMemoryTypeHost:
            return "host";
        case cudaMemoryTypeDevice:
            return "device";
        case cudaMemoryTypeManaged:
            return "managed";
        default:
            return "unknown";
    }
}

void show_attributes(const char* name, const void* pointer) {
    // [attributes]
    cudaPointerAttributes attributes;
    CUDA_CHECK(cudaPointerGetAttributes(&attributes, pointer));
    // [attributes]
    const auto compared = [&](const void* other) {
        return !other ? "null" : other == pointer ? "the same" : "another";
    };
    char device[16];
    std::snprintf(device, sizeof device, attributes.device >= 0 ? "%d" : "none", attributes.device);
    std::printf("   %-30s %-13s %6s  %-13s  %s\n", name, type_name(attributes.type), device,
                compared(attributes.devicePointer), compared(attributes.hostPointer));
}

void show_all_attributes(Memories& it) {
    std::printf("2. What CUDA knows of a pointer:\n");
    std::printf("   %-30s %-13s %6s  %-13s  %s\n", "memory", "type", "device", "devicePointer", "hostPointer");
    show_attributes("pageable (new, malloc)", it.pageable.data());
    show_attributes("pinned (cudaMallocHost)", it.pinned);
    show_attributes("mapped (cudaHostAlloc)", it.mapped);
    show_attributes("registered (cudaHostRegister)", it.registered);
    show_attributes("device (cudaMalloc)", it.device);
    show_attributes("a __device__ variable", it.symbol);
    if (it.managed) show_attributes("managed (cudaMallocManaged)", it.managed);
    std::printf("\n");
}

// The addresses say where each side lies.
void show_default_copies(Memories& it) {
    std::printf("3. Copies with cudaMemcpyDefault, which names no direction:\n");
    const std::size_t bytes = it.n * sizeof(int);
    int* other = nullptr;
    CUDA_CHECK(cudaMalloc(&other, bytes));
    std::vector<int> back(it.n);
    set(it.pageable, 100);
    const int* const pageable = it.pageable.data();
    int *const device = it.device, *const pinned = it.pinned;
    // [default]
    // host to device, device to device, device to host, host to host
    CUDA_CHECK(cudaMemcpy(device, pageable, bytes, cudaMemcpyDefault));
    CUDA_CHECK(cudaMemcpy(other, device, bytes, cudaMemcpyDefault));
    CUDA_CHECK(cudaMemcpy(pinned, other, bytes, cudaMemcpyDefault));
    CUDA_CHECK(cudaMemcpy(back.data(), pinned, bytes, cudaMemcpyDefault));
    // [default]
    check_values(back.data(), it.n, 100, "cudaMemcpyDefault");
    std::printf("   host, device, another array there, pinned, host: %d ints came back unchanged.\n\n", it.n);
    CUDA_CHECK(cudaFree(other));
}

void show_two_devices(int n) {
    const std::size_t bytes = n * sizeof(int);
    std::vector<int> values(n), back(n);
    set(values, 1000);
    int *on_0 = nullptr, *on_1 = nullptr;
    CUDA_CHECK(cudaSetDevice(1));
    CUDA_CHECK(cudaMalloc(&on_1, bytes));
    CUDA_CHECK(cudaMemcpy(on_1, values.data(), bytes, cudaMemcpyDefault));
    CUDA_CHECK(cudaSetDevice(0));
    CUDA_CHECK(cudaMalloc(&on_0, bytes));
    cudaPointerAttributes attributes_0, attributes_1;
    CUDA_CHECK(cudaPointerGetAttributes(&attributes_0, on_0));
    CUDA_CHECK(cudaPointerGetAttributes(&attributes_1, on_1));
    std::printf("4. Two devices: the attributes of two arrays say device %d and device %d.\n", attributes_0.device,
                attributes_1.device);

    // [peer copy]
    CUDA_CHECK(cudaMemcpyPeer(on_0, 0, on_1, 1, bytes));   // to device 0, from device 1
    // [peer copy]
    CUDA_CHECK(cudaMemcpy(back.data(), on_0, bytes, cudaMemcpyDefault));
    check_values(back.data(), n, 1000, "cudaMemcpyPeer");
    std::printf("   cudaMemcpyPeer brought %d ints from device 1 to device 0.\n", n);

    // [peer access]
    int can_access = 0;
    CUDA_CHECK(cudaDeviceCanAccessPeer(&can_access, 0, 1));
    if (can_access) {
        CUDA_CHECK(cudaDeviceEnablePeerAccess(1, 0));   // device 0, the current one, may use 1's
        launch_add_one(on_0, on_1, n);                  // runs on 0, reads the memory of 1
    }
    // [peer access]
    if (can_access) {
        CUDA_CHECK(cudaDeviceSynchronize());
        CUDA_CHECK(cudaMemcpy(back.data(), on_0, bytes, cudaMemcpyDefault));
        check_values(back.data(), n, 1001, "a kernel that reads the other device's memory");
        std::printf("   With peer access a kernel on device 0 read them where they lie, on device 1.\n");
        CUDA_CHECK(cudaDeviceDisablePeerAccess(1));
    } else {
        std::printf("   These two cannot reach each other's memory directly; the copy went through the host.\n");
    }
    CUDA_CHECK(cudaFree(on_0));
    CUDA_CHECK(cudaFree(on_1));
}

int main(int argc, char** argv) {
    long long n = 1000;
    read_options(argc, argv, "Shows what unified virtual addressing means for pointers to host and device memory.",
                 {{"--n", "ints in each array", &n, 1, 1 << 24}});
    int devices = 0;
    CUDA_CHECK(cudaGetDeviceCount(&devices));
    {
        Memories memories(static_cast<int>(n));
        show_device_pointers(memories);
        show_all_attributes(memories);
        show_default_copies(memories);
    }
    if (devices > 1) {
        show_two_devices(static_cast<int>(n));
    } else if (on_simulated_gpu()) {
        std::printf("4. Two devices: there is one. To see this part, run with LANESCOPE_GPU=h200,h200 set.\n");
    } else {
        std::printf(
            "4. Two devices: this machine shows one. To see this part, run on two simulated GPUs:\n"
            "   LANESCOPE_GPU=h200,h200 lanescope run PROGRAM\n");
    }
    return 0;
}
