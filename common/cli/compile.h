/// \file
/// `lanescope run FILE.cu`: compiles the file into a cache, or finds what an earlier run compiled.
///
///     CompileError error;
///     const std::filesystem::path program = compile_cached("add.cu", *toolkit, 90, error);
///     if (program.empty()) return error.exit_status;
///
/// A program in the cache is used again only if nothing that went into it has changed: the source, every
/// header it includes (as nvcc -MD lists them), the flags, and nvcc's version. Host side only.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/toolkit.h"
#include "support/result.h"

namespace lanescope::cli {

/// $XDG_CACHE_HOME/lanescope, else ~/.cache/lanescope.
Result<std::filesystem::path> cache_folder();

/// What nvcc is called with, but for the names of the input and output files.
std::vector<std::string> compile_flags(const Toolkit& toolkit, int sm);

/// The files that a make rule, as nvcc -MD writes it, depends on. Understands line continuations and `\ `.
std::vector<std::string> parse_dependencies(const std::string& rule);

/// Why there is no program.
struct CompileError {
    int exit_status = 1;      ///< nvcc's, whose messages the user has seen
    Diagnostic diagnostic;    ///< what we have to add; `what` is empty if nvcc said it all
};

/// The program's path. nvcc's messages go to stderr as they are; `error` is set if there is no program.
std::filesystem::path compile_cached(const std::filesystem::path& source, const Toolkit& toolkit, int sm, CompileError& error);

}  // namespace lanescope::cli
