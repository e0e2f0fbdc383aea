// The entry points of `nvcc -default-stream per-thread`: the same functions, in which stream 0 is the
// calling thread's own default stream. (The _ptds functions, which take no stream, are defined beside
// their plain versions.)
#include "cudart/api.h"

using namespace lanescope::cudart;

LANESCOPE_API __cudaLaunchKernel(CUkern_st*, dim3, dim3, void**, size_t, cudaStream_t);

LANESCOPE_API __cudaLaunchKernel_ptsz(CUkern_st* kernel, dim3 grid, dim3 block, void** arguments, size_t bytes,
                                      cudaStream_t stream) {
    return __cudaLaunchKernel(kernel, grid, block, arguments, bytes, per_thread(stream));
}

LANESCOPE_API cudaLaunchKernel_ptsz(const void* function, dim3 grid, dim3 block, void** arguments, size_t bytes,
                                    cudaStream_t stream) {
    return cudaLaunchKernel(function, grid, block, arguments, bytes, per_thread(stream));
}

LANESCOPE_API cudaLaunchCooperativeKernel_ptsz(const void* function, dim3 grid, dim3 block, void** arguments,
                                               size_t bytes, cudaStream_t stream) {
    return cudaLaunchCooperativeKernel(function, grid, block, arguments, bytes, per_thread(stream));
}

LANESCOPE_API cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
    if (!config) return cudaLaunchKernelExC(config, function, arguments);
    cudaLaunchConfig_t own = *config;
    own.stream = per_thread(own.stream);
    return cudaLaunchKernelExC(&own, function, arguments);
}

LANESCOPE_API cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return cudaLaunchHostFunc(per_thread(stream), function, data);
}

LANESCOPE_API cudaMemcpyAsync_ptsz(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, bytes, kind, per_thread(stream));
}

LANESCOPE_API cudaMemcpy2DAsync_ptsz(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, per_thread(stream));
}

LANESCOPE_API cudaMemcpy3DAsync_ptsz(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
    return cudaMemcpy3DAsync(parameters, per_thread(stream));
}

LANESCOPE_API cudaMemcpy3DPeerAsync_ptsz(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
    return cudaMemcpy3DPeerAsync(parameters, per_thread(stream));
}

LANESCOPE_API cudaMemcpyToSymbolAsync_ptsz(const void* symbol, const void* from, size_t bytes, size_t offset,
                                           cudaMemcpyKind kind, cudaStream_t stream) {
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, per_thread(stream));
}

LANESCOPE_API cudaMemcpyFromSymbolAsync_ptsz(void* to, const void* symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind, cudaStream_t stream) {
    return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, per_thread(stream));
}

LANESCOPE_API cudaMemsetAsync_ptsz(void* to, int value, size_t bytes, cudaStream_t stream) {
    return cudaMemsetAsync(to, value, bytes, per_thread(stream));
}

LANESCOPE_API cudaMemset2DAsync_ptsz(void* to, size_t pitch, int value, size_t width, size_t height,
                                     cudaStream_t stream) {
    return cudaMemset2DAsync(to, pitch, value, width, height, per_thread(stream));
}

LANESCOPE_API cudaMemset3DAsync_ptsz(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
    return cudaMemset3DAsync(to, value, extent, per_thread(stream));
}

LANESCOPE_API cudaMallocAsync_ptsz(void** pointer, size_t bytes, cudaStream_t stream) {
    return cudaMallocAsync(pointer, bytes, per_thread(stream));
}

LANESCOPE_API cudaMallocFromPoolAsync_ptsz(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return cudaMallocFromPoolAsync(pointer, bytes, pool, per_thread(stream));
}

LANESCOPE_API cudaFreeAsync_ptsz(void* pointer, cudaStream_t stream) {
    return cudaFreeAsync(pointer, per_thread(stream));
}

LANESCOPE_API cudaStreamSynchronize_ptsz(cudaStream_t stream) { return cudaStreamSynchronize(per_thread(stream)); }

LANESCOPE_API cudaStreamQuery_ptsz(cudaStream_t stream) { return cudaStreamQuery(per_thread(stream)); }

LANESCOPE_API cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return cudaStreamWaitEvent(per_thread(stream), event, flags);
}

LANESCOPE_API cudaStreamAddCallback_ptsz(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                         unsigned flags) {
    return cudaStreamAddCallback(per_thread(stream), callback, data, flags);
}

LANESCOPE_API cudaStreamAttachMemAsync_ptsz(cudaStream_t stream, void* pointer, size_t bytes, unsigned flags) {
    return cudaStreamAttachMemAsync(per_thread(stream), pointer, bytes, flags);
}

LANESCOPE_API cudaStreamGetFlags_ptsz(cudaStream_t stream, unsigned* flags) {
    return cudaStreamGetFlags(per_thread(stream), flags);
}

LANESCOPE_API cudaStreamGetId_ptsz(cudaStream_t stream, unsigned long long* id) {
    return cudaStreamGetId(per_thread(stream), id);
}

LANESCOPE_API cudaStreamGetPriority_ptsz(cudaStream_t stream, int* priority) {
    return cudaStreamGetPriority(per_thread(stream), priority);
}

#if CUDART_VERSION >= 12080
LANESCOPE_API cudaStreamGetDevice_ptsz(cudaStream_t stream, int* device) {
    return cudaStreamGetDevice(per_thread(stream), device);
}
#endif

LANESCOPE_API cudaStreamGetAttribute_ptsz(cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue* value) {
    return cudaStreamGetAttribute(per_thread(stream), attribute, value);
}

LANESCOPE_API cudaStreamSetAttribute_ptsz(cudaStream_t stream, cudaStreamAttrID attribute,
                                          const cudaStreamAttrValue* value) {
    return cudaStreamSetAttribute(per_thread(stream), attribute, value);
}

LANESCOPE_API cudaStreamCopyAttributes_ptsz(cudaStream_t to, cudaStream_t from) {
    return cudaStreamCopyAttributes(per_thread(to), per_thread(from));
}

LANESCOPE_API cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream) {
    return cudaEventRecord(event, per_thread(stream));
}

LANESCOPE_API cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    return cudaEventRecordWithFlags(event, per_thread(stream), flags);
}
