// What the object files that nvcc makes call before main() and around a launch.
//
// Order: RegisterFatBinary, RegisterFunction..., RegisterVar..., RegisterManagedVar...,
// RegisterFatBinaryEnd; at a launch Push, GetKernel (once for each stub), Pop, LaunchKernel. None of
// these is in a public header of the toolkit other than crt/host_runtime.h, whose signatures they have.
#include "cudart/api.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace {

FatBinary& binary_of(void** handle) { return *reinterpret_cast<FatBinary*>(handle); }

}  // namespace

extern "C" {

void** CUDARTAPI __cudaRegisterFatBinary(void* wrapper) {
    Runtime& runtime = Runtime::instance();
    std::lock_guard lock(runtime.mutex);
    return reinterpret_cast<void**>(runtime.registry.add(wrapper));
}

void CUDARTAPI __cudaRegisterFatBinaryEnd(void**) {}

void CUDARTAPI __cudaUnregisterFatBinary(void** handle) {
    Runtime& runtime = Runtime::instance();
    std::lock_guard lock(runtime.mutex);
    if (handle) runtime.registry.remove(&binary_of(handle));
}

void CUDARTAPI __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* device_name, int,
                                      uint3*, uint3*, dim3*, dim3*, int*) {
    Runtime& runtime = Runtime::instance();
    std::lock_guard lock(runtime.mutex);
    runtime.registry.add_kernel(binary_of(handle), host_function, device_name);
}

void CUDARTAPI __cudaRegisterVar(void** handle, char* host_variable, char*, const char* device_name, int, size_t bytes,
                                 int, int) {
    Runtime& runtime = Runtime::instance();
    std::lock_guard lock(runtime.mutex);
    runtime.registry.add_variable(binary_of(handle), host_variable, device_name, bytes);
}

void CUDARTAPI __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* device_name, int,
                                        size_t bytes, int, int) {
    Runtime& runtime = Runtime::instance();
    std::lock_guard lock(runtime.mutex);
    runtime.registry.add_managed(binary_of(handle), pointer, device_name, bytes);
}

// Host variables that device code reads (-rdc on systems with coherent memory): nothing to set up,
// because a kernel that reads ordinary host memory is refused when it runs.
void CUDARTAPI __cudaRegisterHostVar(void**, const char*, char*, size_t) {}

void CUDARTAPI __cudaRegisterTexture(void**, const void*, const void**, const char* device_name, int, int, int) {
    say(std::string("texture reference ") + device_name + " is not supported by the simulated GPU");
}

void CUDARTAPI __cudaRegisterSurface(void**, const void*, const void**, const char* device_name, int, int) {
    say(std::string("surface reference ") + device_name + " is not supported by the simulated GPU");
}

// Called before host code first touches a __managed__ variable: gives it its address.
char CUDARTAPI __cudaInitModule(void** handle) {
    return device_call([&](Context& context) {
               machine::Module* module = nullptr;
               return binary_of(handle).module(context, module);
           }) == cudaSuccess;
}

unsigned CUDARTAPI __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t dynamic_shared_bytes,
                                               CUstream_st* stream) {
    ThreadState& thread = this_thread();
    if (thread.configuration_count == ThreadState::max_configurations) return remember(cudaErrorInvalidConfiguration);
    thread.configurations[thread.configuration_count++] = {grid, block, dynamic_shared_bytes, stream};
    return cudaSuccess;
}

cudaError_t CUDARTAPI __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* dynamic_shared_bytes, void* stream) {
    ThreadState& thread = this_thread();
    if (thread.configuration_count == 0) return remember(cudaErrorMissingConfiguration);
    const CallConfiguration& top = thread.configurations[--thread.configuration_count];
    *grid = top.grid;
    *block = top.block;
    *dynamic_shared_bytes = top.dynamic_shared_bytes;
    *static_cast<cudaStream_t*>(stream) = top.stream;
    return cudaSuccess;
}

cudaError_t CUDARTAPI __cudaGetKernel(CUkern_st** handle, const void* host_function) {
    return call([&](Runtime& runtime) -> cudaError_t {
        if (!handle) return cudaErrorInvalidValue;
        *handle = runtime.registry.handle_of(host_function);
        return *handle ? cudaSuccess : cudaErrorInvalidDeviceFunction;
    });
}

}  // extern "C"
