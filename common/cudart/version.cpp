// Versions, and the profiler's switches. The simulated driver is as new as the toolkit.
#include "cudart/api.h"

using namespace lanescope::cudart;

LANESCOPE_API cudaRuntimeGetVersion(int* version) {
    if (!version) return remember(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

LANESCOPE_API cudaDriverGetVersion(int* version) {
    if (!version) return remember(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

// A region to profile. Profilers of the simulated GPU see every launch.
LANESCOPE_API cudaProfilerStart() { return cudaSuccess; }
LANESCOPE_API cudaProfilerStop() { return cudaSuccess; }
