/// \file
/// median_ms: how long work on the GPU takes, in milliseconds.
///
///     const float ms = median_ms(9, [] { reset(); }, [] { kernel<<<grid, block>>>(); });
///
/// Two events around the work give its time on the GPU: the host's clock would add the way there and back.
/// One run before the measured ones is not counted: it loads the kernel, fills the caches and wakes the clocks.
/// The median ignores the run that something else disturbed. On the simulated GPU times are
/// modelled, the same in every run: say so where you print them (on_simulated_gpu()). Host side.
#pragma once

#include <algorithm>
#include <vector>

#include "tutorial/check.cuh"

namespace lanescope::tutorial {

/// `prepare` runs before each of the `repeats` runs of `work` and is not measured. Both use the default stream.
template <class Prepare, class Work>
float median_ms(int repeats, Prepare&& prepare, Work&& work) {
    cudaEvent_t before, after;
    CUDA_CHECK(cudaEventCreate(&before));
    CUDA_CHECK(cudaEventCreate(&after));
    std::vector<float> times;
    for (int run = 0; run <= repeats; ++run) {
        prepare();
        CUDA_CHECK(cudaEventRecord(before));
        work();
        CUDA_CHECK(cudaEventRecord(after));
        CUDA_CHECK(cudaEventSynchronize(after));
        float ms = 0;
        CUDA_CHECK(cudaEventElapsedTime(&ms, before, after));
        if (run > 0) times.push_back(ms);
    }
    CUDA_CHECK(cudaEventDestroy(before));
    CUDA_CHECK(cudaEventDestroy(after));
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return times[times.size() / 2];
}

}  // namespace lanescope::tutorial
