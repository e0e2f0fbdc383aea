/// \file
/// The container in which nvcc embeds device code: bytes to the PTX texts inside.
///
///     auto contents = lanescope::fatbin::read(bytes);
///     for (const auto& entry : contents->entries) if (entry.kind == Kind::ptx) use(entry.payload);
///
/// Layout (little endian), read off nvcc 13.0: wrapper {u32 magic 0x466243B1, u32 version, pointer,
/// pointer}; container {u32 magic 0xBA55ED50, u16 version 1, u16 header size 16, u64 entry bytes};
/// entries with a header each. Payloads are plain, an LZ4 raw block, or a zstd frame. Host side only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "support/result.h"

namespace lanescope::fatbin {

enum class Kind : uint16_t { ptx = 1, elf = 2, lto_ir = 8 };

struct Entry {
    Kind kind = Kind::ptx;
    int sm = 0;                 ///< 75 for sm_75 / compute_75
    int version_major = 0;
    int version_minor = 0;
    std::string name;           ///< source identifier, may be empty
    std::string payload;        ///< uncompressed; PTX without its trailing NULs. Empty for other kinds.
};

struct Contents {
    std::vector<Entry> entries;
};

/// Reads one container from a span that may be longer than the container. Any bytes are safe:
/// nothing outside the span is read, sizes are checked, uncompressed sizes are capped (256 MiB an entry).
Result<Contents> read(std::span<const std::byte> bytes);

/// Size in bytes of the container that starts at `container` (header and entries), from its header.
/// For memory handed over by __cudaRegisterFatBinary, whose length nobody passes. 0: not a container.
size_t container_bytes(const void* container);

/// The containers that a wrapper (24 bytes, as passed to __cudaRegisterFatBinary) points to: the main
/// one, and for version 2 (-rdc=true) those of the null-terminated list. Trusts the pointers, as the
/// real runtime does; refuses a wrong magic or version.
Result<std::vector<std::span<const std::byte>>> containers_of(const void* wrapper);

/// The PTX of one container that suits a GPU of compute capability `sm` best: the highest version not
/// above `sm`, else the lowest above it (a simulated Kepler runs compute_75 code). Diagnostic when the
/// container holds no PTX; `next` is the nvcc flag that embeds it.
Result<std::string> select_ptx(const Contents& contents, int sm);

}  // namespace lanescope::fatbin
