/// \file
/// Numbers of a device that its profile does not hold, because they are the same for every GPU, or for
/// every GPU of a compute capability.
#pragma once

#include <cstdint>

#include "gpus/gpu.h"

namespace lanescope::cudart {

constexpr int warp_size = 32;
constexpr int max_block_threads_xy = 1024, max_block_threads_z = 64;
constexpr int max_grid_blocks_x = 0x7fffffff, max_grid_blocks_yz = 65535;
constexpr int constant_memory_bytes = 65536;
constexpr int max_pitch_bytes = 0x7fffffff;
constexpr int texture_alignment_bytes = 512, texture_pitch_alignment_bytes = 32, surface_alignment_bytes = 512;
constexpr int least_stream_priority = 0, greatest_stream_priority = -5;  ///< as measured on an H200

/// Texture and surface sizes by compute capability (CUDA C++ Programming Guide, technical
/// specifications). Programs print them; textures themselves are not simulated.
struct TextureLimits {
    int width_1d, width_1d_mipmap, width_1d_linear;
    int width_2d, height_2d, width_2d_linear, height_2d_linear, pitch_2d_linear, size_2d_mipmap, size_2d_gather;
    int size_3d, width_3d_alternate, depth_3d_alternate;
    int size_cubemap, size_layered, layers, layers_cubemap;
    int surface_width_1d, surface_width_2d, surface_height_2d, surface_width_3d, surface_height_3d, surface_depth_3d;
};

inline TextureLimits texture_limits(const gpus::Gpu& gpu) {
    if (gpu.cc_major >= 6) {
        return {.width_1d = 131072,
                .width_1d_mipmap = 32768,
                .width_1d_linear = 268435456,
                .width_2d = 131072,
                .height_2d = 65536,
                .width_2d_linear = 131072,
                .height_2d_linear = 65000,
                .pitch_2d_linear = 2097120,
                .size_2d_mipmap = 32768,
                .size_2d_gather = 32768,
                .size_3d = 16384,
                .width_3d_alternate = 8192,
                .depth_3d_alternate = 32768,
                .size_cubemap = 32768,
                .size_layered = 32768,
                .layers = 2048,
                .layers_cubemap = 2046,
                .surface_width_1d = 32768,
                .surface_width_2d = 131072,
                .surface_height_2d = 65536,
                .surface_width_3d = 16384,
                .surface_height_3d = 16384,
                .surface_depth_3d = 16384};
    }
    return {.width_1d = 65536,
            .width_1d_mipmap = 16384,
            .width_1d_linear = 134217728,
            .width_2d = 65536,
            .height_2d = 65536,
            .width_2d_linear = 65000,
            .height_2d_linear = 65000,
            .pitch_2d_linear = 1048544,
            .size_2d_mipmap = 16384,
            .size_2d_gather = 16384,
            .size_3d = 4096,
            .width_3d_alternate = 2048,
            .depth_3d_alternate = 16384,
            .size_cubemap = 16384,
            .size_layered = 16384,
            .layers = 2048,
            .layers_cubemap = 2046,
            .surface_width_1d = 65536,
            .surface_width_2d = 65536,
            .surface_height_2d = 32768,
            .surface_width_3d = 65536,
            .surface_height_3d = 32768,
            .surface_depth_3d = 2048};
}

}  // namespace lanescope::cudart
