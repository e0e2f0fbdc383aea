// Kernel launches: CUDA's checks, the parameters' bytes, and into the stream.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "cudart/api.h"
#include "cudart/enqueue.h"
#include "cudart/launch.h"
#include "cudart/occupancy.h"
#include "support/demangle.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace {

machine::Dim3 to_machine(dim3 size) { return {size.x, size.y, size.z}; }

// The codes that CUDA documents and programs compare with. (Driver 580 with toolkit 13.0 was seen to answer
// cudaErrorInvalidValue to all of these.)
cudaError_t check_shape(const gpus::Gpu& gpu, const LaunchRequest& request) {
    const machine::Dim3 grid = to_machine(request.grid), block = to_machine(request.block);
    if (grid.count() == 0 || block.count() == 0) return cudaErrorInvalidConfiguration;
    // Grid limits are those of compute capability 3.0 and later.
    if (grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535) return cudaErrorInvalidConfiguration;
    if (block.x > 1024 || block.y > 1024 || block.z > 64) return cudaErrorInvalidConfiguration;
    if (block.count() > static_cast<uint64_t>(gpu.max_threads_per_block)) return cudaErrorInvalidConfiguration;
    return cudaSuccess;
}

cudaError_t check_kernel(const Context& context, const LaunchRequest& request, const KernelOnDevice& kernel) {
    const gpus::Gpu& gpu = context.gpu();
    const machine::KernelAttributes& attributes = kernel.code->attributes();
    const int threads = static_cast<int>(to_machine(request.block).count());
    if (threads > attributes.max_threads_per_block) return cudaErrorInvalidValue;  // __launch_bounds__
    const int* required = attributes.required_threads;
    if (required[0] > 0 && (request.block.x != static_cast<unsigned>(required[0]) ||
                            request.block.y != static_cast<unsigned>(std::max(required[1], 1)) ||
                            request.block.z != static_cast<unsigned>(std::max(required[2], 1)))) {
        return cudaErrorInvalidValue;
    }
    if (request.dynamic_shared_bytes > static_cast<uint64_t>(max_dynamic_shared_bytes(gpu, kernel))) {
        return cudaErrorInvalidValue;
    }
    if (!request.arguments && !attributes.parameters.empty()) return cudaErrorInvalidValue;
    if (request.cooperative) {
        if (!gpu.cooperative_launch) return cudaErrorNotSupported;
        const uint64_t resident = uint64_t{static_cast<unsigned>(gpu.sm_count)} *
                                  blocks_per_sm(context, kernel, threads, request.dynamic_shared_bytes);
        if (to_machine(request.grid).count() > resident) return cudaErrorCooperativeLaunchTooLarge;
    }
    return cudaSuccess;
}

std::vector<std::byte> gather_parameters(const machine::KernelAttributes& attributes, void** arguments) {
    std::vector<std::byte> bytes(attributes.parameter_bytes);
    for (size_t i = 0; i < attributes.parameters.size(); ++i) {
        const auto& [offset, size] = attributes.parameters[i];
        std::memcpy(bytes.data() + offset, arguments[i], size);
    }
    return bytes;
}

cudaError_t launch(Stream& stream, const LaunchRequest& request) {
    Context& context = *stream.context;
    KernelTask task;
    if (const cudaError_t error = make_kernel_task(context, request, task)) return error;
    const OperationPointer operation = enqueue(stream, std::move(task));
    context.flush_printf();  // CUDA prints what earlier kernels said at the start of a launch
    if (context.runtime.launch_blocking && operation) {
        context.runtime.queue.run_until(operation);
        context.flush_printf();
    }
    return context.error;
}

// A launch attribute that changes results or order is honoured or refused; hints are ignored.
cudaError_t apply(const cudaLaunchAttribute& attribute, LaunchRequest& request) {
    const auto refuse = [](const char* name) {
        say(std::string("launch attribute ") + name + " is not supported by the simulated GPU");
        return cudaErrorNotSupported;
    };
    switch (attribute.id) {
        case cudaLaunchAttributeCooperative:
            request.cooperative = attribute.val.cooperative != 0;
            return cudaSuccess;
        case cudaLaunchAttributeClusterDimension: {
            const auto& cluster = attribute.val.clusterDim;
            return uint64_t{cluster.x} * cluster.y * cluster.z > 1 ? refuse("ClusterDimension") : cudaSuccess;
        }
        case cudaLaunchAttributeProgrammaticEvent:
            return refuse("ProgrammaticEvent");
#if CUDART_VERSION >= 12030
        case cudaLaunchAttributeLaunchCompletionEvent:
            return refuse("LaunchCompletionEvent");
#endif
#if CUDART_VERSION >= 12040
        case cudaLaunchAttributeDeviceUpdatableKernelNode:
            return refuse("DeviceUpdatableKernelNode");
#endif
        default:
            return cudaSuccess;
    }
}

// For the report at exit, should the program never ask for the error.
void note_refused_launch(const LaunchRequest& request, cudaError_t error) {
    Runtime& runtime = Runtime::instance();
    std::lock_guard lock(runtime.mutex);
    const RegisteredKernel* kernel = runtime.registry.handle_of(request.function);
    if (!kernel) return;
    runtime.refused_launch = fmt::format(
        "kernel {} did not run: its launch with {} x {} x {} blocks of {} x {} x {} threads and {} bytes of dynamic "
        "shared memory failed ({})",
        demangled(kernel->name), request.grid.x, request.grid.y, request.grid.z, request.block.x, request.block.y,
        request.block.z, request.dynamic_shared_bytes, cudaGetErrorString(error));
    runtime.refusal_unread = true;
}

}  // namespace

namespace lanescope::cudart {

cudaError_t make_kernel_task(Context& context, const LaunchRequest& request, KernelTask& task) {
    KernelOnDevice kernel;
    if (const cudaError_t error = context.runtime.registry.kernel(context, request.function, kernel)) {
        if (error == cudaErrorNotSupported) context.fail(error);
        return error;
    }
    if (const cudaError_t error = check_shape(context.gpu(), request)) return error;
    if (const cudaError_t error = check_kernel(context, request, kernel)) return error;
    task.kernel = kernel.kernel;
    task.launch = {.kernel = kernel.code,
                   .grid = to_machine(request.grid),
                   .block = to_machine(request.block),
                   .dynamic_shared_bytes = request.dynamic_shared_bytes,
                   .parameters = gather_parameters(kernel.code->attributes(), request.arguments),
                   .cooperative = request.cooperative,
                   .carve_out_percent = kernel.settings->carve_out_percent,
                   .counters = nullptr};
    return cudaSuccess;
}

}  // namespace lanescope::cudart

LANESCOPE_API cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                               size_t dynamic_shared_bytes, cudaStream_t stream) {
    return stream_call(stream, [&](Stream& stream) {
        return launch(stream, {function, grid, block, arguments, dynamic_shared_bytes, false});
    });
}

LANESCOPE_API cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                          size_t dynamic_shared_bytes, cudaStream_t stream) {
    return stream_call(stream, [&](Stream& stream) {
        return launch(stream, {function, grid, block, arguments, dynamic_shared_bytes, true});
    });
}

LANESCOPE_API cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
    return stream_call(config ? config->stream : nullptr, [&](Stream& stream) -> cudaError_t {
        if (!config || (config->numAttrs > 0 && !config->attrs)) return cudaErrorInvalidValue;
        LaunchRequest request{function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, false};
        for (unsigned i = 0; i < config->numAttrs; ++i) {
            if (const cudaError_t error = apply(config->attrs[i], request)) return error;
        }
        return launch(stream, request);
    });
}

// What stubs that nvcc 12 and later generates call. They drop the result: `<<<...>>>` has none.
LANESCOPE_API __cudaLaunchKernel(CUkern_st* kernel, dim3 grid, dim3 block, void** arguments,
                                 size_t dynamic_shared_bytes, cudaStream_t stream) {
    const cudaError_t error = cudaLaunchKernel(kernel, grid, block, arguments, dynamic_shared_bytes, stream);
    if (error == cudaErrorInvalidConfiguration || error == cudaErrorInvalidValue) {
        note_refused_launch({kernel, grid, block, arguments, dynamic_shared_bytes, false}, error);
    }
    return error;
}
