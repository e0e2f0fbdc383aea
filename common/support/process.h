/// \file
/// Starting other programs: nvcc, nvidia-smi, cmake.
///
///     const Captured version = run_and_capture({"nvcc", "--version"});
///     if (version.exit_status == 0) use(version.output);
///
/// No shell is involved: arguments need no quoting. Host side only.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::cli {

struct Captured {
    int exit_status = 127;   ///< 127: could not be started; 128 + signal number if a signal ended it
    std::string output;      ///< stdout and stderr, as they came
};

/// argv[0] is looked up in PATH if it has no slash.
Captured run_and_capture(const std::vector<std::string>& argv);

/// As above, with this process's stdout and stderr. Returns the exit status.
int run_in_view(const std::vector<std::string>& argv);

/// The first folder of PATH with an executable file of that name; empty if none.
std::filesystem::path find_in_path(const std::string& name);

}  // namespace lanescope::cli
