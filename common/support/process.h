/// \file
/// Starting other programs: nvcc, cmake, a learner's tests.
///
///     const Captured version = run_and_capture({"nvcc", "--version"});
///     if (version.exit_status == 0) use(version.output);
///
/// No shell is involved: arguments need no quoting. Host side only.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lanescope {

struct Captured {
    int exit_status = 127;   ///< 127: could not be started; 128 + signal number if a signal ended it
    std::string output;      ///< stdout and stderr, as they came
};

/// argv[0] is looked up in PATH if it has no slash.
Captured run_and_capture(const std::vector<std::string>& argv);

/// As above, with this process's stdout and stderr. Returns the exit status.
int run_in_view(const std::vector<std::string>& argv);

/// What a program that nobody trusts may use. 0 and empty: no limit, nothing added.
struct Limits {
    int processor_seconds = 0;     ///< of one process
    int seconds = 0;               ///< by the clock; then it and its children are killed
    size_t memory_bytes = 0;       ///< that it may write to
    size_t output_bytes = 0;       ///< of each file that it writes, stdout and stderr among them
    std::map<std::string, std::string> environment = {};   ///< added to this process's
};

struct Finished {
    enum class End { not_started, exited, signalled, out_of_time, too_much_output } end = End::not_started;
    int status = 0;                ///< exit status, or number of the signal
    std::string out, err;          ///< at most Limits::output_bytes of each
};

/// Runs the program in a process group of its own, and ends what is left of the group with it.
Finished run_limited(const std::vector<std::string>& argv, const Limits& limits);

/// The first folder of PATH with an executable file of that name; empty if none.
std::filesystem::path find_in_path(const std::string& name);

}  // namespace lanescope
