#include "cudart/occupancy.h"

#include <algorithm>

#include "cudart/api.h"

namespace lanescope::cudart {

namespace {

constexpr int warp_threads = 32;
constexpr int register_unit = 256;  // registers of a warp are allocated in multiples of this

int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// Granularity of shared memory: 256 bytes up to compute capability 7.x, then 128 (cuda_occupancy.h).
int64_t shared_unit_bytes(const gpus::Gpu& gpu) { return gpu.cc_major >= 8 ? 128 : 256; }

// Partitions of an SM, each with its share of the registers (cuda_occupancy.h).
int partitions_of_sm(const gpus::Gpu& gpu) { return gpu.sm() == 60 ? 2 : 4; }

}  // namespace

int64_t max_dynamic_shared_bytes(const gpus::Gpu& gpu, const KernelOnDevice& kernel) {
    if (kernel.settings->max_dynamic_shared_bytes >= 0) return kernel.settings->max_dynamic_shared_bytes;
    return std::max<int64_t>(
        0, gpu.shared_bytes_per_block - static_cast<int64_t>(kernel.code->attributes().static_shared_bytes));
}

int64_t shared_bytes_of_block(const gpus::Gpu& gpu, const KernelOnDevice& kernel, uint64_t dynamic_bytes) {
    const int64_t asked =
        static_cast<int64_t>(kernel.code->attributes().static_shared_bytes) + static_cast<int64_t>(dynamic_bytes);
    return round_up(asked + gpu.reserved_shared_bytes_per_block, shared_unit_bytes(gpu));
}

int64_t shared_bytes_of_sm(const Context& context, const KernelOnDevice& kernel, int64_t block_bytes) {
    const gpus::Gpu& gpu = context.gpu();
    int percent = kernel.settings->carve_out_percent;
    if (percent < 0) {
        const cudaFuncCache preference = kernel.settings->cache_config != cudaFuncCachePreferNone
                                             ? kernel.settings->cache_config
                                             : context.cache_config;
        if (preference == cudaFuncCachePreferL1) percent = 0;
        if (preference == cudaFuncCachePreferEqual) percent = 50;
    }
    if (percent < 0 || gpu.carve_out_bytes.empty()) return gpu.shared_bytes_per_sm;
    // The preference is a hint: the smallest size that satisfies it and holds one block.
    const int64_t wanted = std::max(gpu.shared_bytes_per_sm * percent / 100, block_bytes);
    int64_t chosen = gpu.shared_bytes_per_sm;
    for (const int64_t size : gpu.carve_out_bytes) {
        if (size >= wanted) chosen = std::min(chosen, size);
    }
    return chosen;
}

int blocks_per_sm(const Context& context, const KernelOnDevice& kernel, int block_threads, uint64_t dynamic_bytes) {
    const gpus::Gpu& gpu = context.gpu();
    if (block_threads > gpu.max_threads_per_block) return 0;
    const int64_t block_bytes = shared_bytes_of_block(gpu, kernel, dynamic_bytes);
    if (block_bytes > gpu.shared_bytes_per_block_optin + gpu.reserved_shared_bytes_per_block) return 0;

    const int warps = (block_threads + warp_threads - 1) / warp_threads;
    int64_t blocks = std::min(gpu.max_threads_per_sm / warp_threads / warps, gpu.max_blocks_per_sm);
    if (block_bytes > 0) blocks = std::min(blocks, shared_bytes_of_sm(context, kernel, block_bytes) / block_bytes);
    if (const int registers = kernel.code->attributes().registers; registers > 0) {
        const int64_t warp_registers = round_up(int64_t{registers} * warp_threads, register_unit);
        const int partitions = partitions_of_sm(gpu);
        blocks = std::min(blocks, gpu.registers_per_sm / partitions / warp_registers * partitions / warps);
    }
    return static_cast<int>(blocks);
}

}  // namespace lanescope::cudart

using namespace lanescope;
using namespace lanescope::cudart;

LANESCOPE_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                     int block_threads, size_t dynamic_bytes,
                                                                     unsigned flags) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!blocks || block_threads <= 0 || (flags & ~cudaOccupancyDisableCachingOverride))
            return cudaErrorInvalidValue;
        KernelOnDevice kernel;
        if (const cudaError_t error = context.runtime.registry.kernel(context, function, kernel)) return error;
        *blocks = blocks_per_sm(context, kernel, block_threads, dynamic_bytes);
        return cudaSuccess;
    });
}

LANESCOPE_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_threads,
                                                            size_t dynamic_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_threads, dynamic_bytes,
                                                                  cudaOccupancyDefault);
}

LANESCOPE_API cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks,
                                                        int block_threads) {
    return device_call([&](Context& context) -> cudaError_t {
        if (!bytes || blocks <= 0 || block_threads <= 0) return cudaErrorInvalidValue;
        KernelOnDevice kernel;
        if (const cudaError_t error = context.runtime.registry.kernel(context, function, kernel)) return error;
        if (blocks_per_sm(context, kernel, block_threads, 0) < blocks) return cudaErrorInvalidValue;
        const gpus::Gpu& gpu = context.gpu();
        const int64_t unit = shared_unit_bytes(gpu);
        const int64_t fixed =
            static_cast<int64_t>(kernel.code->attributes().static_shared_bytes) + gpu.reserved_shared_bytes_per_block;
        const int64_t share = shared_bytes_of_sm(context, kernel, shared_bytes_of_block(gpu, kernel, 0)) / blocks;
        const int64_t available = share / unit * unit - fixed;
        *bytes = static_cast<size_t>(std::clamp<int64_t>(
            available, 0,
            gpu.shared_bytes_per_block_optin - static_cast<int64_t>(kernel.code->attributes().static_shared_bytes)));
        return cudaSuccess;
    });
}
