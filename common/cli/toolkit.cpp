#include "cli/toolkit.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "cli/build_info.h"
#include "support/process.h"

namespace lanescope::cli {

std::string parse_nvcc_version(const std::string& output) {
    std::smatch match;
    return std::regex_search(output, match, std::regex(R"(\bV(\d+\.\d+\.\d+))")) ? match[1].str() : "";
}

std::vector<int> parse_architectures(const std::string& output) {
    std::vector<int> architectures;
    const std::regex pattern(R"(compute_(\d{2,3})\b)");   // without the a and f variants: their PTX is not portable
    for (std::sregex_iterator i(output.begin(), output.end(), pattern), end; i != end; ++i) {
        architectures.push_back(std::stoi((*i)[1]));
    }
    std::ranges::sort(architectures);
    return architectures;
}

int Toolkit::architecture_for(int sm) const {
    int best = architectures.front();
    for (const int architecture : architectures) {
        if (architecture <= sm) best = architecture;
    }
    return best;
}

Result<Toolkit> find_toolkit() {
    const std::string next = fmt::format("install CUDA Toolkit {} (https://developer.nvidia.com/cuda-downloads); no GPU is needed",
                                         build_info::toolkit_major);
    Toolkit toolkit;
    toolkit.nvcc = access(build_info::nvcc, X_OK) == 0 ? build_info::nvcc : find_in_path("nvcc").string();
    if (toolkit.nvcc.empty()) return Diagnostic{"nvcc, the CUDA compiler, was not found", "", next};
    toolkit.version = parse_nvcc_version(run_and_capture({toolkit.nvcc, "--version"}).output);
    if (!toolkit.version.starts_with(fmt::format("{}.", build_info::toolkit_major))) {
        return Diagnostic{fmt::format("it is of CUDA {}, this lanescope was built for CUDA {}",
                                      toolkit.version.empty() ? "an unknown version" : toolkit.version,
                                      build_info::toolkit_major),
                          toolkit.nvcc, next};
    }
    toolkit.architectures = parse_architectures(run_and_capture({toolkit.nvcc, "--list-gpu-arch"}).output);
    if (toolkit.architectures.empty()) return Diagnostic{"it does not list its architectures", toolkit.nvcc, next};
    return toolkit;
}

}  // namespace lanescope::cli
