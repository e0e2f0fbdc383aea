#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <regex>

#include "cli/build_info.h"
#include "cli/commands.h"
#include "support/process.h"
#include "cli/toolkit.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

enum class State { ok, missing, optional };   // optional: absent, and chapters run without it

struct Finding {
    State state = State::ok;
    std::string name;
    std::string detail;
    std::string next;   // empty if there is nothing to do
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Finding check_toolkit(const Result<Toolkit>& toolkit) {
    if (!toolkit) {
        const Diagnostic& error = toolkit.error();
        return {State::missing, "CUDA Toolkit", error.where.empty() ? error.what : error.where + ": " + error.what, error.next};
    }
    return {State::ok, "CUDA Toolkit", fmt::format("{} ({})", toolkit->version, toolkit->nvcc), ""};
}

// Whether nvcc accepts the host compiler is decided by its own headers: let it read one.
Finding check_host_compiler(const Result<Toolkit>& toolkit) {
    const std::string version = first_line(run_and_capture({"g++", "--version"}).output);
    if (version.empty()) return {State::missing, "host compiler", "g++ was not found", "sudo apt-get install g++"};
    if (!toolkit) return {State::optional, "host compiler", version + " (not tried: no nvcc)", ""};
    const Captured tried = run_and_capture({toolkit->nvcc, "-E", "-x", "cu", "-o", "/dev/null", "/dev/null"});
    if (tried.exit_status != 0) {
        std::smatch error;
        std::regex_search(tried.output, error, std::regex(R"(error:[^\n]*)"));
        return {State::missing, "host compiler", version + ": nvcc refuses it: " + (error.empty() ? first_line(tried.output) : error[0].str()),
                "install an older g++ (say g++-12) and build with CXX=g++-12 CUDAHOSTCXX=g++-12 ./lab build"};
    }
    return {State::ok, "host compiler", version, ""};
}

Finding check_cmake() {
    const std::string line = first_line(run_and_capture({"cmake", "--version"}).output);
    std::smatch match;
    if (!std::regex_search(line, match, std::regex(R"((\d+)\.(\d+))"))) {
        return {State::missing, "CMake", "not found", "sudo apt-get install cmake"};
    }
    const int major = std::stoi(match[1]);
    const int minor = std::stoi(match[2]);
    if (major < 3 || (major == 3 && minor < 25)) {
        return {State::missing, "CMake", line + ", but 3.25 is needed", "pip install cmake, or https://cmake.org/download"};
    }
    return {State::ok, "CMake", line, ""};
}

Finding check_drop_in() {
    const fs::path library = drop_in_folder() / fmt::format("libcudart.so.{}", build_info::toolkit_major);
    std::error_code ignored;
    if (!fs::exists(library, ignored)) return {State::missing, "simulated GPU", library.string() + " is missing", "./lab build"};
    return {State::ok, "simulated GPU", library.string(), ""};
}

Finding check_gpu(bool& has_gpu) {
    const Captured gpus = run_and_capture({"nvidia-smi", "--query-gpu=name,compute_cap,driver_version", "--format=csv,noheader"});
    has_gpu = gpus.exit_status == 0 && !gpus.output.empty();
    if (has_gpu) return {State::ok, "GPU", first_line(gpus.output), ""};
    if (gpus.exit_status == 127) {
        return {State::optional, "GPU", "none, or no driver (nvidia-smi was not found)", "none needed: the simulated GPU runs all chapters"};
    }
    return {State::optional, "GPU", "the driver does not answer: " + first_line(gpus.output),
            "none needed for the simulated GPU; for the real one, install its driver and restart"};
}

Finding check_counters(bool has_gpu) {
    fs::path ncu = find_in_path("ncu");
    if (ncu.empty()) {
        const fs::path beside_nvcc = fs::path(build_info::nvcc).parent_path() / "ncu";
        if (access(beside_nvcc.c_str(), X_OK) == 0) ncu = beside_nvcc;
    }
    if (!has_gpu) return {State::optional, "hardware counters", "no GPU", "none needed: the simulated GPU counts"};
    if (ncu.empty()) return {State::optional, "hardware counters", "ncu was not found", "install Nsight Compute; it comes with the CUDA Toolkit"};
    std::ifstream file("/proc/driver/nvidia/params");
    const std::string parameters{std::istreambuf_iterator<char>(file), {}};
    if (parameters.find("RmProfilingAdminOnly: 1") != std::string::npos && geteuid() != 0) {
        return {State::optional, "hardware counters", fmt::format("{}, but only root may read counters (ERR_NVGPUCTRPERM)", ncu.string()),
                "ask the administrator for: options nvidia NVreg_RestrictProfilingToAdminUsers=0 in /etc/modprobe.d/, or run ncu with sudo"};
    }
    return {State::ok, "hardware counters", ncu.string(), ""};
}

}  // namespace

int doctor() {
    const Result<Toolkit> toolkit = find_toolkit();
    bool has_gpu = false;
    const Finding gpu = check_gpu(has_gpu);
    const Finding findings[] = {check_toolkit(toolkit), check_host_compiler(toolkit), check_cmake(), check_drop_in(), gpu,
                                check_counters(has_gpu)};
    bool complete = true;
    for (const Finding& finding : findings) {
        complete &= finding.state != State::missing;
        const std::string_view mark = finding.state == State::ok ? "ok" : finding.state == State::missing ? "MISSING" : "-";
        fmt::print("{:<8} {:<18} {}\n", mark, finding.name, finding.detail);
        if (!finding.next.empty()) fmt::print("{:<27} next: {}\n", "", finding.next);
    }
    fmt::print("\n{}\n", complete ? "Chapters can be built and run here: ./lab tour" : "Mend what is MISSING, then: ./lab doctor");
    return complete ? 0 : 1;
}

}  // namespace lanescope::cli
