// __device__, __constant__ and __managed__ variables, by the address of their host shadow.
#include "cudart/api.h"
#include "cudart/symbol.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

cudaError_t resolve(Context& context, const SymbolCopy& request, Copy& copy) {
    const machine::Allocation* variable = nullptr;
    if (const cudaError_t error = context.runtime.registry.variable(context, request.symbol, variable)) return error;
    if (request.bytes == 0) return cudaSuccess;
    const bool to = request.direction == Direction::to_symbol;
    if (request.kind != (to ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost) &&
        request.kind != cudaMemcpyDeviceToDevice && request.kind != cudaMemcpyDefault) {
        return cudaErrorInvalidMemcpyDirection;
    }
    if (request.offset > variable->bytes || request.bytes > variable->bytes - request.offset)
        return cudaErrorInvalidValue;
    const Region inside{reinterpret_cast<void*>(variable->address + request.offset), 0, 0};
    const Region outside{request.memory, 0, 0};
    copy = {.to = to ? inside : outside,
            .from = to ? outside : inside,
            .width_bytes = request.bytes,
            .kind = request.kind,
            .call = request.call};
    return cudaSuccess;
}

}  // namespace lanescope::cudart

namespace {

cudaError_t copy_symbol(cudaStream_t handle, const SymbolCopy& request, cudaError_t (*submit)(Stream&, const Copy&)) {
    return stream_call(handle, [&](Stream& stream) {
        Copy copy;
        if (const cudaError_t error = resolve(*stream.context, request, copy)) return error;
        return submit(stream, copy);
    });
}

template <class Use>
cudaError_t symbol_call(const void* symbol, Use&& use) {
    return device_call([&](Context& context) {
        const machine::Allocation* variable = nullptr;
        if (const cudaError_t error = context.runtime.registry.variable(context, symbol, variable)) return error;
        use(*variable);
        return cudaSuccess;
    });
}

}  // namespace

LANESCOPE_API cudaGetSymbolAddress(void** pointer, const void* symbol) {
    if (!pointer) return remember(cudaErrorInvalidValue);
    return symbol_call(
        symbol, [&](const machine::Allocation& variable) { *pointer = reinterpret_cast<void*>(variable.address); });
}

LANESCOPE_API cudaGetSymbolSize(size_t* bytes, const void* symbol) {
    if (!bytes) return remember(cudaErrorInvalidValue);
    return symbol_call(symbol, [&](const machine::Allocation& variable) { *bytes = variable.bytes; });
}

LANESCOPE_API cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
    return copy_symbol(cudaStreamLegacy, to_symbol(symbol, from, bytes, offset, kind, "cudaMemcpyToSymbol"),
                       copy_blocking);
}

LANESCOPE_API cudaMemcpyToSymbol_ptds(const void* symbol, const void* from, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind) {
    return copy_symbol(cudaStreamPerThread, to_symbol(symbol, from, bytes, offset, kind, "cudaMemcpyToSymbol"),
                       copy_blocking);
}

LANESCOPE_API cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_symbol(stream, to_symbol(symbol, from, bytes, offset, kind, "cudaMemcpyToSymbolAsync"), copy_async);
}

LANESCOPE_API cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
    return copy_symbol(cudaStreamLegacy, from_symbol(to, symbol, bytes, offset, kind, "cudaMemcpyFromSymbol"),
                       copy_blocking);
}

LANESCOPE_API cudaMemcpyFromSymbol_ptds(void* to, const void* symbol, size_t bytes, size_t offset,
                                        cudaMemcpyKind kind) {
    return copy_symbol(cudaStreamPerThread, from_symbol(to, symbol, bytes, offset, kind, "cudaMemcpyFromSymbol"),
                       copy_blocking);
}

LANESCOPE_API cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                        cudaStream_t stream) {
    return copy_symbol(stream, from_symbol(to, symbol, bytes, offset, kind, "cudaMemcpyFromSymbolAsync"), copy_async);
}
