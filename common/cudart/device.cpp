// Which devices there are, which one a thread uses, and how they are set up.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "cudart/api.h"
#include "cudart/device_attributes.h"
#include "cudart/device_limits.h"
#include "cudart/device_properties.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace {

template <class Body>
cudaError_t any_device_call(int device, Body&& body) {
    return call([&](Runtime& runtime) {
        Context* context = nullptr;
        if (const cudaError_t error = runtime.context_of(device, context)) return error;
        return body(*context);
    });
}

bool are_flags_valid(unsigned flags) {
    const unsigned schedule = flags & cudaDeviceScheduleMask;
    return !(flags & ~cudaDeviceMask) && (schedule & (schedule - 1)) == 0;
}

constexpr size_t bus_id_characters = sizeof "0000:01:00.0";

}  // namespace

LANESCOPE_API cudaGetDeviceCount(int* count) {
    return call([&](Runtime& runtime) -> cudaError_t {
        if (!count) return cudaErrorInvalidValue;
        const cudaError_t error = runtime.initialize();
        *count = static_cast<int>(runtime.contexts.size());
        return error;
    });
}

LANESCOPE_API cudaGetDevice(int* device) {
    return call([&](Runtime& runtime) -> cudaError_t {
        if (!device) return cudaErrorInvalidValue;
        if (const cudaError_t error = runtime.initialize()) return error;
        *device = this_thread().device;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaSetDevice(int device) {
    return any_device_call(device, [&](Context&) {
        this_thread().device = device;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaInitDevice(int device, unsigned flags, unsigned are_flags_given) {
    return any_device_call(device, [&](Context& context) -> cudaError_t {
        if (are_flags_given & ~static_cast<unsigned>(cudaInitDeviceFlagsAreValid)) return cudaErrorInvalidValue;
        if (are_flags_given) {
            if (!are_flags_valid(flags)) return cudaErrorInvalidValue;
            context.flags = flags;
        }
        return cudaSuccess;
    });
}

// The first device of the list becomes the thread's.
LANESCOPE_API cudaSetValidDevices(int* devices, int count) {
    return call([&](Runtime& runtime) -> cudaError_t {
        if (const cudaError_t error = runtime.initialize()) return error;
        if (count < 0 || static_cast<size_t>(count) > runtime.contexts.size()) return cudaErrorInvalidValue;
        if (count == 0) return cudaSuccess;
        if (!devices) return cudaErrorInvalidValue;
        Context* context = nullptr;
        for (int i = 0; i < count; ++i) {
            if (const cudaError_t error = runtime.context_of(devices[i], context)) return error;
        }
        this_thread().device = devices[0];
        return cudaSuccess;
    });
}

LANESCOPE_API cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (!properties) return remember(cudaErrorInvalidValue);
    return any_device_call(device, [&](Context& context) {
        *properties = properties_of(context.gpu(), device);
        return cudaSuccess;
    });
}

LANESCOPE_API cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    if (!value) return remember(cudaErrorInvalidValue);
    return any_device_call(device, [&](Context& context) -> cudaError_t {
        const std::optional<int> found = attribute_of(context.gpu(), device, attribute);
        if (!found) return cudaErrorInvalidValue;
        *value = *found;
        return cudaSuccess;
    });
}

// The device that meets most of the wishes: compute capability first, then memory and SM count.
LANESCOPE_API cudaChooseDevice(int* device, const cudaDeviceProp* wished) {
    return call([&](Runtime& runtime) -> cudaError_t {
        if (!device || !wished) return cudaErrorInvalidValue;
        if (const cudaError_t error = runtime.initialize()) return error;
        const auto score = [&](const std::unique_ptr<Context>& context) {
            const gpus::Gpu& gpu = context->gpu();
            return 4 * (gpu.sm() >= wished->major * 10 + wished->minor) +
                   2 * (static_cast<size_t>(gpu.memory_bytes) >= wished->totalGlobalMem) +
                   (gpu.sm_count >= wished->multiProcessorCount);
        };
        const auto best = std::max_element(runtime.contexts.begin(), runtime.contexts.end(),
                                           [&](const auto& a, const auto& b) { return score(a) < score(b); });
        *device = (*best)->index();
        return cudaSuccess;
    });
}

LANESCOPE_API cudaDeviceSynchronize() {
    return device_call([](Context& context) -> cudaError_t {
        if (const cudaError_t error = invalidate_captures(context)) return error;
        context.synchronize();
        return context.error;
    });
}

// CUDA: a process whose kernel failed must start again. Its error therefore stays.
LANESCOPE_API cudaDeviceReset() {
    return call([](Runtime& runtime) -> cudaError_t {
        Context* context = nullptr;
        const cudaError_t error = runtime.current(context);
        if (!context) return error;
        context->reset();
        return cudaSuccess;
    });
}

// cudaDeviceMapHost is always on under unified addressing.
LANESCOPE_API cudaGetDeviceFlags(unsigned* flags) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!flags) return cudaErrorInvalidValue;
        *flags = context.flags | cudaDeviceMapHost;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaSetDeviceFlags(unsigned flags) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!are_flags_valid(flags)) return cudaErrorInvalidValue;
        context.flags = flags;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaDeviceGetPCIBusId(char* text, int size, int device) {
    return any_device_call(device, [&](Context& context) -> cudaError_t {
        if (!text || size < static_cast<int>(bus_id_characters)) return cudaErrorInvalidValue;
        const int bus = attribute_of(context.gpu(), device, cudaDevAttrPciBusId).value_or(0);
        std::snprintf(text, static_cast<size_t>(size), "0000:%02X:00.0", static_cast<unsigned>(bus));
        return cudaSuccess;
    });
}

LANESCOPE_API cudaDeviceGetByPCIBusId(int* device, const char* text) {
    return call([&](Runtime& runtime) -> cudaError_t {
        if (!device || !text) return cudaErrorInvalidValue;
        if (const cudaError_t error = runtime.initialize()) return error;
        unsigned domain = 0, bus = 0, slot = 0, function = 0;
        if (std::sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3) {
            domain = 0;
            if (std::sscanf(text, "%x:%x.%x", &bus, &slot, &function) < 2) return cudaErrorInvalidValue;
        }
        for (const auto& context : runtime.contexts) {
            const int own = attribute_of(context->gpu(), context->index(), cudaDevAttrPciBusId).value_or(0);
            if (domain == 0 && slot == 0 && bus == static_cast<unsigned>(own)) {
                *device = context->index();
                return cudaSuccess;
            }
        }
        return cudaErrorInvalidDevice;
    });
}

LANESCOPE_API cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return device_call([&](Context&) {
        if (least) *least = least_stream_priority;
        if (greatest) *greatest = greatest_stream_priority;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!config) return cudaErrorInvalidValue;
        *config = context.cache_config;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaDeviceSetCacheConfig(cudaFuncCache config) {
    return device_call([&](Context& context) -> cudaError_t {
        if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
        context.cache_config = config;
        return cudaSuccess;
    });
}

// Bank width can be chosen on compute capability 3.x alone, where 4 bytes is the default; elsewhere
// the call is accepted and changes nothing.
LANESCOPE_API cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    return device_call([&](Context&) -> cudaError_t {
        if (!config) return cudaErrorInvalidValue;
        *config = cudaSharedMemBankSizeFourByte;
        return cudaSuccess;
    });
}

LANESCOPE_API cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
    return device_call([&](Context& context) -> cudaError_t {
        if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte)
            return cudaErrorInvalidValue;
        if (context.gpu().cc_major == 3 && config == cudaSharedMemBankSizeEightByte) {
            say("shared memory with banks of 8 bytes is not supported by the simulated GPU");
            return cudaErrorNotSupported;
        }
        return cudaSuccess;
    });
}
