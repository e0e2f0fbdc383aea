#include "cudart/device_properties.h"

#include <cstring>

#include "cudart/device_attributes.h"
#include "cudart/device_limits.h"

namespace lanescope::cudart {

namespace {

// Fields that CUDA 13 removed and 12 has.
template <class Properties>
void fill_removed_fields(Properties& properties, const gpus::Gpu& gpu) {
    if constexpr (requires { properties.clockRate; }) properties.clockRate = gpu.sm_clock_khz;
    if constexpr (requires { properties.memoryClockRate; }) properties.memoryClockRate = gpu.memory_clock_khz;
    if constexpr (requires { properties.deviceOverlap; }) properties.deviceOverlap = 1;
    if constexpr (requires { properties.kernelExecTimeoutEnabled; }) properties.kernelExecTimeoutEnabled = 0;
    if constexpr (requires { properties.computeMode; }) properties.computeMode = cudaComputeModeDefault;
    if constexpr (requires { properties.singleToDoublePrecisionPerfRatio; }) {
        properties.singleToDoublePrecisionPerfRatio = gpu.single_to_double_ratio;
    }
    if constexpr (requires { properties.maxTexture1DLinear; }) {
        properties.maxTexture1DLinear = texture_limits(gpu).width_1d_linear;
    }
    if constexpr (requires { properties.cooperativeMultiDeviceLaunch; }) properties.cooperativeMultiDeviceLaunch = 0;
}

void fill_texture_fields(cudaDeviceProp& properties, const TextureLimits& limits) {
    properties.maxTexture1D = limits.width_1d;
    properties.maxTexture1DMipmap = limits.width_1d_mipmap;
    properties.maxTexture2D[0] = limits.width_2d;
    properties.maxTexture2D[1] = limits.height_2d;
    properties.maxTexture2DMipmap[0] = properties.maxTexture2DMipmap[1] = limits.size_2d_mipmap;
    properties.maxTexture2DLinear[0] = limits.width_2d_linear;
    properties.maxTexture2DLinear[1] = limits.height_2d_linear;
    properties.maxTexture2DLinear[2] = limits.pitch_2d_linear;
    properties.maxTexture2DGather[0] = properties.maxTexture2DGather[1] = limits.size_2d_gather;
    for (int& size : properties.maxTexture3D) size = limits.size_3d;
    properties.maxTexture3DAlt[0] = properties.maxTexture3DAlt[1] = limits.width_3d_alternate;
    properties.maxTexture3DAlt[2] = limits.depth_3d_alternate;
    properties.maxTextureCubemap = limits.size_cubemap;
    properties.maxTexture1DLayered[0] = limits.size_layered;
    properties.maxTexture1DLayered[1] = limits.layers;
    properties.maxTexture2DLayered[0] = properties.maxTexture2DLayered[1] = limits.size_layered;
    properties.maxTexture2DLayered[2] = limits.layers;
    properties.maxTextureCubemapLayered[0] = limits.size_cubemap;
    properties.maxTextureCubemapLayered[1] = limits.layers_cubemap;
    properties.maxSurface1D = limits.surface_width_1d;
    properties.maxSurface2D[0] = limits.surface_width_2d;
    properties.maxSurface2D[1] = limits.surface_height_2d;
    properties.maxSurface3D[0] = limits.surface_width_3d;
    properties.maxSurface3D[1] = limits.surface_height_3d;
    properties.maxSurface3D[2] = limits.surface_depth_3d;
    properties.maxSurface1DLayered[0] = limits.size_layered;
    properties.maxSurface1DLayered[1] = limits.layers;
    properties.maxSurface2DLayered[0] = properties.maxSurface2DLayered[1] = limits.size_layered;
    properties.maxSurface2DLayered[2] = limits.layers;
    properties.maxSurfaceCubemap = limits.size_cubemap;
    properties.maxSurfaceCubemapLayered[0] = limits.size_cubemap;
    properties.maxSurfaceCubemapLayered[1] = limits.layers_cubemap;
}

}  // namespace

cudaDeviceProp properties_of(const gpus::Gpu& gpu, int device) {
    cudaDeviceProp properties{};
    const auto attribute = [&](cudaDeviceAttr name) { return attribute_of(gpu, device, name).value_or(0); };
    std::strncpy(properties.name, gpu.product_name.c_str(), sizeof properties.name - 1);
    // A UUID that no real GPU has: "lanescope", then the device's number.
    std::memcpy(properties.uuid.bytes, "lanescope", 9);
    properties.uuid.bytes[15] = static_cast<char>(device);

    properties.totalGlobalMem = static_cast<size_t>(gpu.memory_bytes);
    properties.sharedMemPerBlock = static_cast<size_t>(gpu.shared_bytes_per_block);
    properties.sharedMemPerBlockOptin = static_cast<size_t>(gpu.shared_bytes_per_block_optin);
    properties.sharedMemPerMultiprocessor = static_cast<size_t>(gpu.shared_bytes_per_sm);
    properties.reservedSharedMemPerBlock = static_cast<size_t>(gpu.reserved_shared_bytes_per_block);
    properties.regsPerBlock = gpu.registers_per_block;
    properties.regsPerMultiprocessor = gpu.registers_per_sm;
    properties.warpSize = warp_size;
    properties.memPitch = max_pitch_bytes;
    properties.maxThreadsPerBlock = gpu.max_threads_per_block;
    properties.maxThreadsDim[0] = properties.maxThreadsDim[1] = max_block_threads_xy;
    properties.maxThreadsDim[2] = max_block_threads_z;
    properties.maxGridSize[0] = max_grid_blocks_x;
    properties.maxGridSize[1] = properties.maxGridSize[2] = max_grid_blocks_yz;
    properties.totalConstMem = constant_memory_bytes;
    properties.major = gpu.cc_major;
    properties.minor = gpu.cc_minor;
    properties.multiProcessorCount = gpu.sm_count;
    properties.maxThreadsPerMultiProcessor = gpu.max_threads_per_sm;
    properties.maxBlocksPerMultiProcessor = gpu.max_blocks_per_sm;
    properties.memoryBusWidth = gpu.memory_bus_bits;
    properties.l2CacheSize = attribute(cudaDevAttrL2CacheSize);
    properties.persistingL2CacheMaxSize = attribute(cudaDevAttrMaxPersistingL2CacheSize);
    properties.accessPolicyMaxWindowSize = attribute(cudaDevAttrMaxAccessPolicyWindowSize);
    properties.textureAlignment = texture_alignment_bytes;
    properties.texturePitchAlignment = texture_pitch_alignment_bytes;
    properties.surfaceAlignment = surface_alignment_bytes;
    properties.asyncEngineCount = gpu.async_engine_count;
    properties.pciBusID = attribute(cudaDevAttrPciBusId);
    properties.concurrentManagedAccess = gpu.concurrent_managed_access;
    properties.pageableMemoryAccess = gpu.pageable_memory_access;
    properties.hostNativeAtomicSupported = gpu.host_native_atomics;
    properties.ECCEnabled = gpu.ecc_enabled;
    properties.cooperativeLaunch = gpu.cooperative_launch;
    properties.computePreemptionSupported = attribute(cudaDevAttrComputePreemptionSupported);
    properties.canMapHostMemory = 1;
    properties.concurrentKernels = 1;
    properties.unifiedAddressing = 1;
    properties.streamPrioritiesSupported = 1;
    properties.globalL1CacheSupported = 1;
    properties.localL1CacheSupported = 1;
    properties.managedMemory = 1;
    properties.canUseHostPointerForRegisteredMem = 1;
    properties.hostRegisterSupported = 1;
    properties.memoryPoolsSupported = 1;
#if CUDART_VERSION >= 13000
    properties.deviceNumaId = -1;   // no memory node of the host
#endif
    fill_texture_fields(properties, texture_limits(gpu));
    fill_removed_fields(properties, gpu);
    return properties;
}

}  // namespace lanescope::cudart
