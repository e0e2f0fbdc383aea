/// \file
/// Can this program run on the drop-in CUDA runtime? If not: why, and the command that mends it.
///
///     if (const Result<void> ok = check_program("./a.out"); !ok) std::cerr << ok.error().text();
///
/// Host side only.
#pragma once

#include <filesystem>

#include "support/result.h"

namespace lanescope::cli {

/// Refuses: a file that is missing, not executable or not an x86-64 program; a program with its own static
/// copy of the CUDA runtime; one that needs the driver's libraries where there are none; one built by another
/// toolkit major; one whose RPATH leads to another libcudart; one without PTX. Programs that do not use CUDA pass.
Result<void> check_program(const std::filesystem::path& program);

}  // namespace lanescope::cli
