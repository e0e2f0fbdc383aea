/// \file
/// One compressed payload to text. Host side only.
///
///     Result<std::string> text = decompress(Compression::zstd, payload, 855);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "support/result.h"

namespace lanescope::fatbin {

enum class Compression : uint8_t { none, lz4, zstd };

/// Exactly `bytes` bytes of output. Diagnostic: the payload is damaged or of another size. Allocates
/// no more than the payload can hold.
Result<std::string> decompress(Compression compression, std::span<const std::byte> payload, uint64_t bytes);

}  // namespace lanescope::fatbin
