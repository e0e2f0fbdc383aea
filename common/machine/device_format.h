/// \file
/// printf as kernels call it: a format string and a buffer of arguments in device memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace lanescope::machine {

/// Reads single bytes of device memory; nullopt where there is none.
struct DeviceMemoryReader {
    std::function<std::optional<char>(uint64_t address)> byte;

    std::string text(uint64_t address) const;              ///< up to the NUL, "(unreadable)" behind illegal memory
    std::optional<uint64_t> word(uint64_t address, int bytes) const;   ///< little endian
};

struct Formatted {
    std::string text;
    uint64_t arguments = 0;
    std::string error;       ///< an address that cannot be read
};

/// Formats as C's printf. The arguments lie one behind the other, each aligned to its size (int 4 bytes,
/// long long, double and pointers 8), as nvcc stores them for vprintf. `%n` writes nothing.
Formatted format_like_printf(const DeviceMemoryReader& memory, uint64_t format, uint64_t arguments);

}  // namespace lanescope::machine
