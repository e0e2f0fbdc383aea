/// \file
/// The bytes of the container as structures, read off nvcc 13.0 (little endian; padding included).
/// Not documented by NVIDIA; fields whose meaning is unknown are named unknown_*.
#pragma once

#include <cstdint>

namespace lanescope::fatbin {

constexpr uint32_t wrapper_magic = 0x466243B1;
constexpr uint32_t container_magic = 0xBA55ED50;

/// What __cudaRegisterFatBinary receives.
struct Wrapper {
    uint32_t magic;
    uint32_t version;  ///< 1; 2 when linked with -rdc=true
    const void* container;
    const void* const* linked;  ///< version 2: containers of the linked objects, nullptr at the end
};
static_assert(sizeof(Wrapper) == 24);

struct ContainerHeader {
    uint32_t magic;
    uint16_t version;       ///< 1
    uint16_t header_bytes;  ///< 16
    uint64_t entry_bytes;   ///< all entries together
};
static_assert(sizeof(ContainerHeader) == 16);

struct EntryHeader {
    uint16_t kind;
    uint16_t unknown_02;
    uint32_t header_bytes;  ///< this structure, the name and the compiler's options
    uint64_t padded_payload_bytes;
    uint32_t compressed_bytes;  ///< without padding; 0: not compressed
    uint32_t unknown_14;
    uint16_t version_minor;
    uint16_t version_major;
    uint32_t sm;
    uint32_t name_offset;  ///< from the start of the entry; 0: no name
    uint32_t name_bytes;
    uint64_t flags;
    uint64_t unknown_30;
    uint64_t uncompressed_bytes;
};
static_assert(sizeof(EntryHeader) == 64);

constexpr uint64_t flag_lz4 = 0x2000;
constexpr uint64_t flag_zstd = 0x8000;

}  // namespace lanescope::fatbin
