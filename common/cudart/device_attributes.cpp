#include "cudart/device_attributes.h"

#include <algorithm>
#include <climits>

#include "cudart/device_limits.h"

namespace lanescope::cudart {

namespace {

int clamp_to_int(int64_t value) { return static_cast<int>(std::min<int64_t>(value, INT_MAX)); }

std::optional<int> texture_attribute(const TextureLimits& limits, cudaDeviceAttr attribute) {
    switch (attribute) {
        case cudaDevAttrMaxTexture1DWidth:
            return limits.width_1d;
        case cudaDevAttrMaxTexture1DLinearWidth:
            return limits.width_1d_linear;
        case cudaDevAttrMaxTexture1DMipmappedWidth:
            return limits.width_1d_mipmap;
        case cudaDevAttrMaxTexture2DWidth:
            return limits.width_2d;
        case cudaDevAttrMaxTexture2DHeight:
            return limits.height_2d;
        case cudaDevAttrMaxTexture2DLinearWidth:
            return limits.width_2d_linear;
        case cudaDevAttrMaxTexture2DLinearHeight:
            return limits.height_2d_linear;
        case cudaDevAttrMaxTexture2DLinearPitch:
            return limits.pitch_2d_linear;
        case cudaDevAttrMaxTexture2DMipmappedWidth:
        case cudaDevAttrMaxTexture2DMipmappedHeight:
            return limits.size_2d_mipmap;
        case cudaDevAttrMaxTexture2DGatherWidth:
        case cudaDevAttrMaxTexture2DGatherHeight:
            return limits.size_2d_gather;
        case cudaDevAttrMaxTexture3DWidth:
        case cudaDevAttrMaxTexture3DHeight:
        case cudaDevAttrMaxTexture3DDepth:
            return limits.size_3d;
        case cudaDevAttrMaxTexture3DWidthAlt:
        case cudaDevAttrMaxTexture3DHeightAlt:
            return limits.width_3d_alternate;
        case cudaDevAttrMaxTexture3DDepthAlt:
            return limits.depth_3d_alternate;
        case cudaDevAttrMaxTextureCubemapWidth:
        case cudaDevAttrMaxTextureCubemapLayeredWidth:
        case cudaDevAttrMaxSurfaceCubemapWidth:
        case cudaDevAttrMaxSurfaceCubemapLayeredWidth:
            return limits.size_cubemap;
        case cudaDevAttrMaxTextureCubemapLayeredLayers:
        case cudaDevAttrMaxSurfaceCubemapLayeredLayers:
            return limits.layers_cubemap;
        case cudaDevAttrMaxTexture1DLayeredWidth:
        case cudaDevAttrMaxTexture2DLayeredWidth:
        case cudaDevAttrMaxTexture2DLayeredHeight:
        case cudaDevAttrMaxSurface1DLayeredWidth:
        case cudaDevAttrMaxSurface2DLayeredWidth:
        case cudaDevAttrMaxSurface2DLayeredHeight:
            return limits.size_layered;
        case cudaDevAttrMaxTexture1DLayeredLayers:
        case cudaDevAttrMaxTexture2DLayeredLayers:
        case cudaDevAttrMaxSurface1DLayeredLayers:
        case cudaDevAttrMaxSurface2DLayeredLayers:
            return limits.layers;
        case cudaDevAttrMaxSurface1DWidth:
            return limits.surface_width_1d;
        case cudaDevAttrMaxSurface2DWidth:
            return limits.surface_width_2d;
        case cudaDevAttrMaxSurface2DHeight:
            return limits.surface_height_2d;
        case cudaDevAttrMaxSurface3DWidth:
            return limits.surface_width_3d;
        case cudaDevAttrMaxSurface3DHeight:
            return limits.surface_height_3d;
        case cudaDevAttrMaxSurface3DDepth:
            return limits.surface_depth_3d;
        default:
            return std::nullopt;
    }
}

// What the simulated runtime can do on any GPU.
std::optional<int> capability_attribute(cudaDeviceAttr attribute) {
    switch (attribute) {
        case cudaDevAttrGpuOverlap:
        case cudaDevAttrCanMapHostMemory:
        case cudaDevAttrConcurrentKernels:
        case cudaDevAttrUnifiedAddressing:
        case cudaDevAttrStreamPrioritiesSupported:
        case cudaDevAttrGlobalL1CacheSupported:
        case cudaDevAttrLocalL1CacheSupported:
        case cudaDevAttrManagedMemory:
        case cudaDevAttrCanUseHostPointerForRegisteredMem:
        case cudaDevAttrHostRegisterSupported:
        case cudaDevAttrMemoryPoolsSupported:
            return 1;
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<int> attribute_of(const gpus::Gpu& gpu, int device, cudaDeviceAttr attribute) {
    if (const auto value = texture_attribute(texture_limits(gpu), attribute)) return value;
    if (const auto value = capability_attribute(attribute)) return value;
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock:
            return gpu.max_threads_per_block;
        case cudaDevAttrMaxBlockDimX:
        case cudaDevAttrMaxBlockDimY:
            return max_block_threads_xy;
        case cudaDevAttrMaxBlockDimZ:
            return max_block_threads_z;
        case cudaDevAttrMaxGridDimX:
            return max_grid_blocks_x;
        case cudaDevAttrMaxGridDimY:
        case cudaDevAttrMaxGridDimZ:
            return max_grid_blocks_yz;
        case cudaDevAttrMaxSharedMemoryPerBlock:
            return clamp_to_int(gpu.shared_bytes_per_block);
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            return clamp_to_int(gpu.shared_bytes_per_block_optin);
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            return clamp_to_int(gpu.shared_bytes_per_sm);
        case cudaDevAttrReservedSharedMemoryPerBlock:
            return clamp_to_int(gpu.reserved_shared_bytes_per_block);
        case cudaDevAttrTotalConstantMemory:
            return constant_memory_bytes;
        case cudaDevAttrWarpSize:
            return warp_size;
        case cudaDevAttrMaxPitch:
            return max_pitch_bytes;
        case cudaDevAttrMaxRegistersPerBlock:
            return gpu.registers_per_block;
        case cudaDevAttrMaxRegistersPerMultiprocessor:
            return gpu.registers_per_sm;
        case cudaDevAttrClockRate:
            return gpu.sm_clock_khz;
        case cudaDevAttrMemoryClockRate:
            return gpu.memory_clock_khz;
        case cudaDevAttrGlobalMemoryBusWidth:
            return gpu.memory_bus_bits;
        case cudaDevAttrTextureAlignment:
            return texture_alignment_bytes;
        case cudaDevAttrTexturePitchAlignment:
            return texture_pitch_alignment_bytes;
        case cudaDevAttrSurfaceAlignment:
            return surface_alignment_bytes;
        case cudaDevAttrMultiProcessorCount:
            return gpu.sm_count;
        case cudaDevAttrPciBusId:
            return device + 1;
        case cudaDevAttrL2CacheSize:
            return clamp_to_int(gpu.l2_bytes);
        case cudaDevAttrMaxPersistingL2CacheSize:
            return clamp_to_int(gpu.persisting_l2_max_bytes);
        case cudaDevAttrMaxAccessPolicyWindowSize:
            return gpu.cc_major >= 8 ? 134217728 : 0;
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            return gpu.max_threads_per_sm;
        case cudaDevAttrMaxBlocksPerMultiprocessor:
            return gpu.max_blocks_per_sm;
        case cudaDevAttrAsyncEngineCount:
            return gpu.async_engine_count;
        case cudaDevAttrComputeCapabilityMajor:
            return gpu.cc_major;
        case cudaDevAttrComputeCapabilityMinor:
            return gpu.cc_minor;
        case cudaDevAttrHostNativeAtomicSupported:
            return gpu.host_native_atomics;
        case cudaDevAttrEccEnabled:
            return gpu.ecc_enabled;
        case cudaDevAttrSingleToDoublePrecisionPerfRatio:
            return gpu.single_to_double_ratio;
        case cudaDevAttrPageableMemoryAccess:
            return gpu.pageable_memory_access;
        case cudaDevAttrConcurrentManagedAccess:
            return gpu.concurrent_managed_access;
        case cudaDevAttrComputePreemptionSupported:
            return gpu.cc_major >= 6;
        case cudaDevAttrCooperativeLaunch:
            return gpu.cooperative_launch;
        default:
            break;
    }
    // The rest, some of which only some toolkits name, are features that are not simulated.
    constexpr int numa_id = 131;
    if (attribute == numa_id) return -1;
    return attribute > 0 && attribute < cudaDevAttrMax ? std::optional<int>(0) : std::nullopt;
}

}  // namespace lanescope::cudart
