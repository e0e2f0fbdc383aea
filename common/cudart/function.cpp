// What kernels are and how they may be launched.
#include "cudart/api.h"
#include "cudart/occupancy.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace {

template <class Body>
cudaError_t kernel_call(const void* function, Body&& body) {
    return device_call([&](Context& context) {
        KernelOnDevice kernel;
        if (const cudaError_t error = context.runtime.registry.kernel(context, function, kernel)) return error;
        return body(context, kernel);
    });
}

cudaError_t set_attribute(const Context& context, const KernelOnDevice& kernel, cudaFuncAttribute attribute,
                          int value) {
    const gpus::Gpu& gpu = context.gpu();
    switch (attribute) {
        case cudaFuncAttributeMaxDynamicSharedMemorySize: {
            const int64_t fixed = static_cast<int64_t>(kernel.code->attributes().static_shared_bytes);
            if (value < 0 || value + fixed > gpu.shared_bytes_per_block_optin) return cudaErrorInvalidValue;
            kernel.settings->max_dynamic_shared_bytes = value;
            return cudaSuccess;
        }
        case cudaFuncAttributePreferredSharedMemoryCarveout:
            if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)
                return cudaErrorInvalidValue;
            kernel.settings->carve_out_percent = value;
            return cudaSuccess;
        case cudaFuncAttributeClusterDimMustBeSet:
        case cudaFuncAttributeRequiredClusterWidth:
        case cudaFuncAttributeRequiredClusterHeight:
        case cudaFuncAttributeRequiredClusterDepth:
        case cudaFuncAttributeNonPortableClusterSizeAllowed:
        case cudaFuncAttributeClusterSchedulingPolicyPreference:
            say("thread block clusters are not supported by the simulated GPU");
            return cudaErrorNotSupported;
        default:
            return cudaErrorInvalidValue;
    }
}

}  // namespace

LANESCOPE_API cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
    if (!attributes) return remember(cudaErrorInvalidValue);
    return kernel_call(function, [&](const Context& context, const KernelOnDevice& kernel) {
        const machine::KernelAttributes& code = kernel.code->attributes();
        *attributes = {};
        attributes->sharedSizeBytes = code.static_shared_bytes;
        attributes->constSizeBytes = code.constant_bytes;
        attributes->localSizeBytes = code.local_bytes;
        attributes->maxThreadsPerBlock = code.max_threads_per_block;
        attributes->numRegs = code.registers;
        attributes->ptxVersion = code.ptx_version;
        attributes->cacheModeCA = context.device.options().l1 == access::L1::on;   // as if compiled with -dlcm=ca
        attributes->binaryVersion = context.gpu().sm();
        attributes->maxDynamicSharedSizeBytes = static_cast<int>(max_dynamic_shared_bytes(context.gpu(), kernel));
        attributes->preferredShmemCarveout = kernel.settings->carve_out_percent;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
    return kernel_call(function, [&](const Context& context, const KernelOnDevice& kernel) {
        return set_attribute(context, kernel, attribute, value);
    });
}

LANESCOPE_API cudaFuncSetCacheConfig(const void* function, cudaFuncCache config) {
    return kernel_call(function, [&](const Context&, const KernelOnDevice& kernel) -> cudaError_t {
        if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
        kernel.settings->cache_config = config;
        return cudaSuccess;
    });
}

// Bank size can be chosen on compute capability 3.x alone; elsewhere CUDA accepts and ignores it.
LANESCOPE_API cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config) {
    return kernel_call(function, [&](const Context&, const KernelOnDevice&) -> cudaError_t {
        return config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue
                                                                                                : cudaSuccess;
    });
}

#if CUDART_VERSION >= 12030
LANESCOPE_API cudaFuncGetName(const char** name, const void* function) {
    return kernel_call(function, [&](const Context&, const KernelOnDevice& kernel) -> cudaError_t {
        if (!name) return cudaErrorInvalidValue;
        *name = kernel.kernel->name.c_str();
        return cudaSuccess;
    });
}
#endif

#if CUDART_VERSION >= 12040
LANESCOPE_API cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* bytes) {
    return kernel_call(function, [&](const Context&, const KernelOnDevice& kernel) -> cudaError_t {
        const auto& parameters = kernel.code->attributes().parameters;
        if (!offset || index >= parameters.size()) return cudaErrorInvalidValue;
        *offset = parameters[index].offset;
        if (bytes) *bytes = parameters[index].bytes;
        return cudaSuccess;
    });
}
#endif

LANESCOPE_API cudaGetFuncBySymbol(cudaFunction_t* handle, const void* function) {
    return kernel_call(function, [&](const Context&, const KernelOnDevice& kernel) -> cudaError_t {
        if (!handle) return cudaErrorInvalidValue;
        *handle = reinterpret_cast<cudaFunction_t>(kernel.kernel);
        return cudaSuccess;
    });
}

#if CUDART_VERSION >= 12010
LANESCOPE_API cudaGetKernel(cudaKernel_t* handle, const void* function) {
    return kernel_call(function, [&](const Context&, const KernelOnDevice& kernel) -> cudaError_t {
        if (!handle) return cudaErrorInvalidValue;
        *handle = kernel.kernel;
        return cudaSuccess;
    });
}
#endif

#if CUDART_VERSION >= 13000
LANESCOPE_API cudaKernelSetAttributeForDevice(cudaKernel_t handle, cudaFuncAttribute attribute, int value, int device) {
    return call([&](Runtime& runtime) {
        Context* context = nullptr;
        if (const cudaError_t error = runtime.context_of(device, context)) return error;
        KernelOnDevice kernel;
        if (const cudaError_t error = runtime.registry.kernel(*context, handle, kernel)) return error;
        return set_attribute(*context, kernel, attribute, value);
    });
}
#endif
