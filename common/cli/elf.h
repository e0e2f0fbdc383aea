/// \file
/// What an ELF file says about how it is loaded: enough to know whether a program can run on the drop-in.
///
///     Result<Elf> elf = read_elf(bytes);
///     if (elf && elf->is_x86_64_program) for (const std::string& library : elf->needed) ...
///
/// Reads 64-bit little-endian files. Any bytes are safe: every offset and size is checked. Host side only.
/// Reference: System V ABI, chapters 4 and 5.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "support/result.h"

namespace lanescope::cli {

struct Elf {
    bool is_x86_64_program = false;     ///< for x86-64, and started by a loader (not a library or object file)
    std::vector<std::string> needed;    ///< DT_NEEDED: "libcudart.so.13"
    std::string rpath;                  ///< DT_RPATH: searched before LD_LIBRARY_PATH, unless there is a DT_RUNPATH
    std::string runpath;                ///< DT_RUNPATH: searched after LD_LIBRARY_PATH

    struct Section {
        std::string name;
        std::span<const std::byte> bytes;   ///< into the bytes given to read_elf
    };
    std::vector<Section> sections;      ///< empty if the file was stripped of its section table
};

/// Errors: not an ELF file of this kind, or a table that lies outside the file.
Result<Elf> read_elf(std::span<const std::byte> bytes);

}  // namespace lanescope::cli
