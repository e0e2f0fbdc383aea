/// \file
/// The CUDA Toolkit that compiles for the simulated GPU.
///
///     Result<Toolkit> toolkit = find_toolkit();
///     int arch = toolkit->architecture_for(90);   // 90, or the nearest that this nvcc can compile for
///
/// Host side only.
#pragma once

#include <string>
#include <vector>

#include "support/result.h"

namespace lanescope::cli {

struct Toolkit {
    std::string nvcc;                  ///< path
    std::string version;               ///< "13.0.88"
    std::vector<int> architectures;    ///< 75 for compute_75, ascending

    /// The highest architecture not above `sm`, else the lowest: PTX of a lower capability runs on a higher one.
    int architecture_for(int sm) const;
};

/// The toolkit this command was built with, else the nvcc in PATH. Errors: none, or of another major.
Result<Toolkit> find_toolkit();

/// From the output of `nvcc --version`: "13.0.88"; empty if it is not there.
std::string parse_nvcc_version(const std::string& output);
/// From the output of `nvcc --list-gpu-arch`: ascending numbers.
std::vector<int> parse_architectures(const std::string& output);

}  // namespace lanescope::cli
