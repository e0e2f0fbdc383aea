/// \file
/// The kernels and variables that the program's object files registered, and their code on each device.
///
///     KernelOnDevice kernel;
///     if (cudaError_t error = registry.kernel(context, host_function, kernel)) return error;
///     kernel.code->attributes();
///
/// nvcc gives a kernel the address of its host stub and a variable the address of its host shadow:
/// those are the names by which the program speaks of them. Code is loaded on a device when something
/// of it is first used there. A program without PTX, or with PTX that does not parse, is reported on
/// stderr once and every use of it returns an error.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <cuda_runtime_api.h>

#include "machine/device.h"
#include "support/result.h"

namespace lanescope::cudart {

class Context;
class FatBinary;

/// What cudaFuncSetAttribute and cudaFuncSetCacheConfig changed; for each device.
struct KernelSettings {
    int max_dynamic_shared_bytes = -1;  ///< -1: what fits without opting in
    int carve_out_percent = cudaSharedmemCarveoutDefault;
    cudaFuncCache cache_config = cudaFuncCachePreferNone;
};

}  // namespace lanescope::cudart

/// cudaKernel_t and cudaFunction_t point to this.
struct CUkern_st {
    lanescope::cudart::FatBinary* binary = nullptr;
    const void* host = nullptr;  ///< its stub in the program
    std::string name;            ///< mangled
    struct OnDevice {
        const lanescope::machine::Kernel* code = nullptr;
        cudaError_t error = cudaSuccess;  ///< why there is no code
        lanescope::cudart::KernelSettings settings;
    };
    std::map<const lanescope::cudart::Context*, OnDevice> devices = {};
};

namespace lanescope::cudart {

using RegisteredKernel = CUkern_st;

struct RegisteredVariable {
    FatBinary* binary = nullptr;
    std::string name;
    size_t bytes = 0;
    void** managed_pointer = nullptr;  ///< `__managed__`: where the program keeps its address
};

struct KernelOnDevice {
    RegisteredKernel* kernel = nullptr;
    const machine::Kernel* code = nullptr;
    KernelSettings* settings = nullptr;
};

/// The device code of one program or shared library, as registered with one call.
class FatBinary {
public:
    explicit FatBinary(const void* wrapper) : wrapper_(wrapper) {}

    /// The module on that device, loaded if it is not yet.
    cudaError_t module(Context& context, machine::Module*& module);
    void unload(Context& context);

    std::list<RegisteredKernel> kernels;
    std::list<RegisteredVariable> variables;

private:
    struct Loaded {
        machine::Module* module = {};
        cudaError_t error = cudaSuccess;
    };
    Loaded load(Context& context);

    const void* wrapper_;
    std::map<const Context*, Loaded> loaded_;
    /// The first module with managed variables: every device uses its storage, also after a reset.
    const machine::Module* managed_storage_ = nullptr;
    bool reported_ = false;
};

class Registry {
public:
    FatBinary* add(const void* wrapper);
    void remove(FatBinary* binary);
    void add_kernel(FatBinary& binary, const void* host, std::string name);
    void add_variable(FatBinary& binary, const void* host, std::string name, size_t bytes);
    void add_managed(FatBinary& binary, void** pointer, std::string name, size_t bytes);

    /// `function` is the address of a kernel in host code, or a handle from handle_of().
    /// cudaErrorInvalidDeviceFunction: neither.
    cudaError_t kernel(Context& context, const void* function, KernelOnDevice& found);
    RegisteredKernel* handle_of(const void* function) const;  ///< nullptr: not a kernel
    /// `symbol` is the address of a variable in host code. cudaErrorInvalidSymbol: it is not.
    cudaError_t variable(Context& context, const void* symbol, const machine::Allocation*& found);
    /// Forgets the modules of a device that is reset; they are loaded again on the next use.
    void unload(Context& context);

private:
    std::list<FatBinary> binaries_;
    std::unordered_map<const void*, RegisteredKernel*> kernels_;      ///< by host address, and by handle
    std::unordered_map<const void*, RegisteredVariable*> variables_;  ///< by host address
};

}  // namespace lanescope::cudart
