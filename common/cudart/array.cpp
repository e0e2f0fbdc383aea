// The one function about CUDA arrays that needs no array. The others are refused by name.
#include <cuda_runtime_api.h>

extern "C" cudaChannelFormatDesc CUDARTAPI cudaCreateChannelDesc(int x, int y, int z, int w,
                                                                 cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}
