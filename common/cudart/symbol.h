/// \file
/// Copies to and from `__device__` variables, as copies between two addresses.
#pragma once

#include <cuda_runtime_api.h>

#include "cudart/copy_engine.h"

namespace lanescope::cudart {

enum class Direction : uint8_t { to_symbol, from_symbol };

struct SymbolCopy {
    Direction direction;
    const void* symbol;  ///< the variable's host shadow
    void* memory;        ///< the other side
    size_t bytes, offset;
    cudaMemcpyKind kind;
    const char* call;
};

inline SymbolCopy to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind,
                            const char* call) {
    return {Direction::to_symbol, symbol, const_cast<void*>(from), bytes, offset, kind, call};
}

inline SymbolCopy from_symbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                              const char* call) {
    return {Direction::from_symbol, symbol, to, bytes, offset, kind, call};
}

/// Finds the variable and checks kind and range. An empty copy leaves `copy` empty.
cudaError_t resolve(Context& context, const SymbolCopy& request, Copy& copy);

}  // namespace lanescope::cudart
