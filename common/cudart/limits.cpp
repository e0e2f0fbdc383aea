// cudaDeviceSetLimit and cudaDeviceGetLimit.
#include <algorithm>

#include "cudart/api.h"

using namespace lanescope::cudart;

namespace {

constexpr uint64_t max_stack_bytes = 512 << 10;  // local memory of a thread, cc 3.x and later
constexpr uint64_t pending_launches = 2048;      // cudaLimitDevRuntimePendingLaunchCount
constexpr uint64_t max_l2_fetch_bytes = 128;

}  // namespace

LANESCOPE_API cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!value) return cudaErrorInvalidValue;
        switch (limit) {
            case cudaLimitStackSize:
                *value = context.device.stack_bytes();
                return cudaSuccess;
            case cudaLimitPrintfFifoSize:
                *value = context.device.printf_buffer_bytes();
                return cudaSuccess;
            case cudaLimitMallocHeapSize:
                *value = context.device.heap_bytes();
                return cudaSuccess;
            case cudaLimitDevRuntimeSyncDepth:
                return cudaErrorUnsupportedLimit;
            case cudaLimitDevRuntimePendingLaunchCount:
                *value = pending_launches;
                return cudaSuccess;
            case cudaLimitMaxL2FetchGranularity:
                *value = context.l2_fetch_granularity_bytes;
                return cudaSuccess;
            case cudaLimitPersistingL2CacheSize:
                *value = context.persisting_l2_bytes;
                return cudaSuccess;
        }
        return cudaErrorUnsupportedLimit;
    });
}

// A new limit applies to what is launched from now on, so work that is queued runs first.
LANESCOPE_API cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    return device_call([&](Context& context) -> cudaError_t {
        switch (limit) {
            case cudaLimitStackSize:
                if (value > max_stack_bytes) return cudaErrorInvalidValue;
                context.synchronize();
                context.device.set_stack_bytes(value);
                return context.error;
            case cudaLimitPrintfFifoSize:
                context.synchronize();
                context.device.set_printf_buffer_bytes(value);
                return context.error;
            case cudaLimitMallocHeapSize:
                context.synchronize();
                context.device.set_heap_bytes(value);
                return context.error;
            case cudaLimitDevRuntimeSyncDepth:
            case cudaLimitDevRuntimePendingLaunchCount:
                return cudaErrorUnsupportedLimit;
            case cudaLimitMaxL2FetchGranularity:
                context.l2_fetch_granularity_bytes = std::min<uint64_t>(value, max_l2_fetch_bytes);
                return cudaSuccess;
            case cudaLimitPersistingL2CacheSize:
                if (context.gpu().persisting_l2_max_bytes == 0) return cudaErrorUnsupportedLimit;
                context.persisting_l2_bytes =
                    std::min<uint64_t>(value, static_cast<uint64_t>(context.gpu().persisting_l2_max_bytes));
                return cudaSuccess;
        }
        return cudaErrorInvalidValue;
    });
}
