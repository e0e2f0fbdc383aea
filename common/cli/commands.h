/// \file
/// The subcommands of `lanescope`. Each returns the exit status and prints for a person; main.cpp parses.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/result.h"

namespace lanescope::cli {

/// Exit statuses of our own, as a shell uses them. Others are the program's.
inline constexpr int exit_usage = 2;
inline constexpr int exit_skipped = 77;     ///< what CTest takes for "skipped"
inline constexpr int exit_refused = 126;     ///< the program is there but cannot run here
inline constexpr int exit_not_found = 127;

struct RunOptions {
    std::string gpu;                       ///< "" : $LANESCOPE_GPU, else h200
    std::string schedule;                  ///< "" : $LANESCOPE_SCHEDULE, else the default order
    std::vector<std::string> command;      ///< PROGRAM or FILE.cu, and its arguments
};

/// Becomes the program, with the drop-in CUDA runtime in its library path. Returns only if that fails.
int run(const RunOptions& options);

struct ProfileOptions {
    std::string gpu;                       ///< as of run
    std::string schedule;
    std::string l1;                        ///< "on", "off"; "": $LANESCOPE_L1, else the GPU's default
    std::string metrics;                   ///< names and groups, separated by commas; "": all, or the table
    enum class Layout { table, nvprof, csv, json, by_line, picture } layout = Layout::table;
    std::string log_file;                  ///< for the report; "": stderr
    std::string kernel;                    ///< regular expression: only launches of kernels whose name has a match
    size_t launch_skip = 0;                ///< of those
    size_t launch_count = 0;               ///< at most so many after them; 0: all
    std::vector<std::string> command;      ///< PROGRAM or FILE.cu, and its arguments
};

/// Runs the program as run() does, then reports what its launches did to memory. Returns the program's exit status.
int profile(const ProfileOptions& options);

/// Prints the metrics that --metrics takes.
int list_metrics();

struct GradeOptions {
    bool on_gpu = false;              ///< of this machine, instead of the simulated one
    bool solution = false;            ///< grade solution.cu instead of starter.cu
    bool self_test = false;           ///< check the exercises themselves
    std::string junit;                ///< file for the results; "": none
    std::vector<std::string> names;   ///< empty: all exercises
};

/// Builds and grades exercises. 0: all points; 1: not; exit_skipped: --gpu without a GPU.
int grade(const GradeOptions& options);

/// The table of GPU profiles; with a name, every value of one with its status and source.
int list_gpus();
int show_gpu(const std::string& name);

/// What this machine has and lacks, each with the next step. 0 if chapters can be built and run.
int doctor();

/// The folder of the drop-in libcudart, found beside this executable: ../lib/lanescope.
std::filesystem::path drop_in_folder();
/// Whether the library is there. Error: it was not built, or is gone.
Result<void> drop_in_is_there();

}  // namespace lanescope::cli
