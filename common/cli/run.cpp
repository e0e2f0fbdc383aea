#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cli/build_info.h"
#include "cli/commands.h"
#include "cli/compile.h"
#include "cli/program_check.h"
#include "gpus/gpu.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

int fail(int exit_status, const Diagnostic& diagnostic) {
    fmt::print(stderr, "lanescope: {}\n", diagnostic.text());
    return exit_status;
}

void put_first_in_library_path(const fs::path& folder) {
    const char* others = std::getenv("LD_LIBRARY_PATH");
    setenv("LD_LIBRARY_PATH", (folder.string() + (others && *others ? std::string(":") + others : "")).c_str(), 1);
}

}  // namespace

fs::path drop_in_folder() {
    std::error_code ignored;
    const fs::path executable = fs::read_symlink("/proc/self/exe", ignored);
    return executable.parent_path().parent_path() / "lib" / "lanescope";
}

int run(const RunOptions& options) {
    const Result<const gpus::Gpu*> gpu = options.gpu.empty() ? gpus::selected() : gpus::find(options.gpu);
    if (!gpu) return fail(exit_usage, gpu.error());

    fs::path program = options.command.front();
    std::error_code ignored;
    if (!fs::exists(program, ignored)) {
        return fail(exit_not_found, {"no such file", program.string(), "give the path of a program or of a .cu file"});
    }
    if (program.extension() == ".cu") {
        const Result<Toolkit> toolkit = find_toolkit();
        if (!toolkit) return fail(1, toolkit.error());
        CompileError error;
        program = compile_cached(program, *toolkit, (*gpu)->sm(), error);
        if (program.empty()) {
            return error.diagnostic.what.empty() ? error.exit_status : fail(error.exit_status, error.diagnostic);
        }
    }
    if (const Result<void> usable = check_program(program); !usable) return fail(exit_refused, usable.error());

    const fs::path library = drop_in_folder() / fmt::format("libcudart.so.{}", build_info::toolkit_major);
    if (!fs::exists(library, ignored)) {
        return fail(exit_refused, {"the simulated GPU's library is missing", library.string(), "./lab build"});
    }

    setenv("LANESCOPE_GPU", (*gpu)->name.c_str(), 1);
    if (!options.schedule.empty()) setenv("LANESCOPE_SCHEDULE", options.schedule.c_str(), 1);
    put_first_in_library_path(drop_in_folder());

    // argv[0] stays what the user typed: programs print it.
    std::vector<char*> arguments;
    for (const std::string& argument : options.command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    std::fflush(nullptr);
    execv(program.c_str(), arguments.data());
    return fail(exit_refused, {std::string("cannot be started: ") + std::strerror(errno), program.string(), "lanescope doctor"});
}

}  // namespace lanescope::cli
