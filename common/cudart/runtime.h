/// \file
/// The state of the simulated runtime: one per process, behind one lock.
///
///     Runtime& runtime = Runtime::instance();
///     std::lock_guard lock(runtime.mutex);
///     Context* context;
///     if (cudaError_t error = runtime.current(context)) return error;
///
/// Its parts: devices (a Context each), the address space that they and the host share, the queue of
/// work, and the registry of the kernels and variables that the program's object files brought along.
/// Created at the first registration or call and never destroyed: handlers that run at exit may call.
///
/// Environment: LANESCOPE_GPU (profile; a list "k80,h200" makes several devices), LANESCOPE_SCHEDULE
/// (seed of the warp schedule), LANESCOPE_CLOCK (off: no modelled clock), LANESCOPE_INSTRUCTION_LIMIT (warp instructions until a kernel is called endless), LANESCOPE_COUNTERS (a file:
/// see append_launch), CUDA_VISIBLE_DEVICES, CUDA_LAUNCH_BLOCKING.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <cuda_runtime_api.h>

#include "cudart/context.h"
#include "cudart/counting.h"
#include "cudart/idle_watch.h"
#include "cudart/registry.h"
#include "cudart/work.h"
#include "machine/address_space.h"

namespace lanescope::cudart {

class Runtime {
public:
    static Runtime& instance();

    /// Creates the devices that the environment asks for. cudaErrorNoDevice: none (said on stderr).
    cudaError_t initialize();
    /// The calling thread's device. Its sticky error, if it failed.
    cudaError_t current(Context*& context);
    /// Any device by number; cudaErrorInvalidDevice.
    cudaError_t context_of(int device, Context*& context);

    /// nullptr: not a live handle.
    Stream* stream(cudaStream_t handle, Context& current);
    Event* event(cudaEvent_t handle);
    MemoryPool* pool(cudaMemPool_t handle);

    uint64_t next_stream_id() { return ++stream_id_; }

    std::mutex mutex;
    std::vector<std::unique_ptr<Context>> contexts;
    std::unique_ptr<machine::AddressSpace> space;
    WorkQueue queue{*this};
    Registry registry;
    IdleWatch idle_watch;
    Counting counting;
    bool asks_for_time = false;    ///< the program has made an event that takes it: kernels run with the modelled clock
    bool launch_blocking = false;  ///< CUDA_LAUNCH_BLOCKING=1
    std::string refused_launch;    ///< the last <<<...>>> with a bad configuration, in words
    std::atomic<bool> refusal_unread = false;  ///< and the program has not asked for the error since

    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

private:
    Runtime();

    bool initialized_ = false;
    uint64_t stream_id_ = 2;  ///< 1 and 2 are the default streams
};

/// One line on stderr, "lanescope: ...".
void say(std::string_view text);

}  // namespace lanescope::cudart
