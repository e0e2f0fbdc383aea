/// \file
/// What the runtime remembers for each host thread: the last error, the current device, and the launch
/// configurations between `<<<...>>>` and the stub that it calls. Nothing here has a destructor: calls
/// from the program's static destructors come when a thread's other variables are gone.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace lanescope::cudart {

/// What `kernel<<<grid, block, shared, stream>>>` says, between __cudaPushCallConfiguration and Pop.
struct CallConfiguration {
    dim3 grid, block;
    size_t dynamic_shared_bytes = 0;
    cudaStream_t stream = nullptr;
};

struct ThreadState {
    cudaError_t last_error = cudaSuccess;
    int device = 0;
    static constexpr size_t max_configurations = 64;  ///< launches whose arguments launch kernels
    CallConfiguration configurations[max_configurations];
    size_t configuration_count = 0;
    bool in_host_function = false;  ///< CUDA forbids API calls there
    uint64_t id = 0;                ///< 1, 2, ...: key of the per-thread default stream
    cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;
};

ThreadState& this_thread();

}  // namespace lanescope::cudart
