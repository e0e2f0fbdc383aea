/// \file
/// A program, ready to be started on the simulated GPU: what `run` and `profile` share.
///
///     const Prepared program = prepare({"k80", "", {"./a.out", "1024"}});
///     return program.exit_status != 0 ? program.exit_status : become(program);
///
/// Host side only.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gpus/gpu.h"
#include "support/result.h"

namespace lanescope::cli {

/// What to start.
struct Start {
    std::string gpu;                     ///< a profile, or several separated by commas; "": $LANESCOPE_GPU, else h200
    std::string schedule;                ///< "": $LANESCOPE_SCHEDULE, else the default order
    std::vector<std::string> command;    ///< PROGRAM or FILE.cu, and its arguments
};

struct Prepared {
    int exit_status = 0;                 ///< not 0: there is nothing to start, and the user has been told why
    const gpus::Gpu* gpu = nullptr;      ///< the first
    std::filesystem::path program;       ///< what FILE.cu was compiled to
    std::vector<std::string> command;    ///< argv: its first is what the user typed, because programs print it
    std::map<std::string, std::string> environment;   ///< to be set
};

/// Finds or compiles the program, and checks that it can run here.
Prepared prepare(const Start& start);

/// Replaces this process by the program. Returns, with an exit status, only if that fails.
int become(const Prepared& program);

/// Prints `lanescope: ` and the diagnostic to stderr. Returns exit_status.
int fail(int exit_status, const Diagnostic& diagnostic);

}  // namespace lanescope::cli
