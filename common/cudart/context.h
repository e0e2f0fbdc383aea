/// \file
/// A device as the program sees it: its machine, its streams, its limits, and its failure.
///
/// CUDA calls this the device's primary context. Created with the runtime, emptied by cudaDeviceReset.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <cuda_runtime_api.h>

#include "cudart/work.h"
#include "machine/device.h"

struct CUmemPoolHandle_st {
    lanescope::cudart::Context* context = nullptr;
    bool is_default = false;
    uint64_t release_threshold_bytes = 0;
    uint64_t used_bytes = 0, used_high_bytes = 0;
    uint64_t max_bytes = 0;                    ///< 0: as much as the device has
    int reuse[3] = {1, 1, 1};                  ///< the three cudaMemPoolReuse... attributes
    std::map<int, cudaMemAccessFlags> access;  ///< of other devices
};

namespace lanescope::cudart {

class Runtime;
using MemoryPool = CUmemPoolHandle_st;

class Context {
public:
    Context(Runtime& runtime, const gpus::Gpu& gpu, int index, const machine::DeviceOptions& options);

    const gpus::Gpu& gpu() const { return device.gpu(); }
    int index() const { return device.index(); }

    /// Device memory or managed memory; nullptr when the device has no more.
    const machine::Allocation* allocate(machine::MemoryKind kind, uint64_t bytes, std::string_view call,
                                        unsigned flags = 0);
    uint64_t free_bytes() const;

    Stream& per_thread_stream();
    Stream* create_stream(unsigned flags, int priority);
    void destroy_stream(Stream* stream);
    bool owns(const Stream* stream) const { return streams_.contains(const_cast<Stream*>(stream)); }
    /// The youngest unfinished operation of each stream that the legacy default stream waits for.
    void for_each_blocking(const std::function<void(const OperationPointer&)>& visit);

    /// A kernel, or a copy that it spoiled, failed: every later call on this device returns the error.
    void fail(cudaError_t reason);
    /// Prints what kernels printed. At the waits that CUDA documents.
    void flush_printf();
    void synchronize();  ///< runs all its work, then flush_printf()
    void reset();        ///< cudaDeviceReset

    Runtime& runtime;
    machine::Device device;
    Performed performed;              ///< by the operation that runs
    cudaError_t error = cudaSuccess;  ///< sticky
    Stream legacy_stream;
    std::map<Event*, std::unique_ptr<Event>> events;
    MemoryPool default_pool;
    MemoryPool* current_pool = &default_pool;
    std::vector<std::unique_ptr<MemoryPool>> pools;
    std::map<uint64_t, MemoryPool*> pool_of;  ///< of stream-ordered allocations, by address
    uint32_t peers = 0;                       ///< bit d: this device may access the memory of device d
    unsigned flags = cudaDeviceScheduleAuto;
    cudaFuncCache cache_config = cudaFuncCachePreferNone;
    uint64_t persisting_l2_bytes = 0;          ///< cudaLimitPersistingL2CacheSize
    uint64_t l2_fetch_granularity_bytes = 64;  ///< cudaLimitMaxL2FetchGranularity

private:
    std::map<Stream*, std::unique_ptr<Stream>> streams_;
    std::map<uint64_t, Stream*> per_thread_streams_;  ///< by ThreadState::id
    std::vector<OperationPointer> orphans_;           ///< last operations of destroyed streams
};

}  // namespace lanescope::cudart
