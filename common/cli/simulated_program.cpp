#include "cli/simulated_program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cli/build_info.h"
#include "cli/commands.h"
#include "cli/compile.h"
#include "cli/program_check.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

Prepared refused(int exit_status, const Diagnostic& diagnostic) {
    Prepared nothing;
    nothing.exit_status = fail(exit_status, diagnostic);
    return nothing;
}

std::string first_in_library_path(const fs::path& folder) {
    const char* others = std::getenv("LD_LIBRARY_PATH");
    return folder.string() + (others && *others ? std::string(":") + others : "");
}

}  // namespace

int fail(int exit_status, const Diagnostic& diagnostic) {
    fmt::print(stderr, "lanescope: {}\n", diagnostic.text());
    return exit_status;
}

fs::path drop_in_folder() {
    std::error_code ignored;
    const fs::path executable = fs::read_symlink("/proc/self/exe", ignored);
    return executable.parent_path().parent_path() / "lib" / "lanescope";
}

Result<void> drop_in_is_there() {
    const fs::path library = drop_in_folder() / fmt::format("libcudart.so.{}", build_info::toolkit_major);
    std::error_code ignored;
    if (!fs::exists(library, ignored)) return Diagnostic{"the simulated GPU's library is missing", library.string(), "./lab build"};
    return {};
}

Prepared prepare(const Start& start) {
    const Result<std::vector<const gpus::Gpu*>> gpus = start.gpu.empty() ? gpus::selected() : gpus::find_all(start.gpu);
    if (!gpus) return refused(exit_usage, gpus.error());
    std::string names;
    for (const gpus::Gpu* gpu : *gpus) names += (names.empty() ? "" : ",") + gpu->name;

    fs::path program = start.command.front();
    std::error_code ignored;
    if (!fs::exists(program, ignored)) {
        return refused(exit_not_found, {"no such file", program.string(), "give the path of a program or of a .cu file"});
    }
    if (program.extension() == ".cu") {
        const Result<Toolkit> toolkit = find_toolkit();
        if (!toolkit) return refused(1, toolkit.error());
        CompileError error;
        program = compile_cached(program, *toolkit, gpus->front()->sm(), error);
        if (program.empty()) {
            if (!error.diagnostic.what.empty()) return refused(error.exit_status, error.diagnostic);
            Prepared nothing;
            nothing.exit_status = error.exit_status;
            return nothing;
        }
    }
    if (const Result<void> usable = check_program(program); !usable) return refused(exit_refused, usable.error());

    if (const Result<void> there = drop_in_is_there(); !there) return refused(exit_refused, there.error());

    Prepared ready;
    ready.gpu = gpus->front();
    ready.program = program;
    ready.command = start.command;
    ready.environment = {{"LANESCOPE_GPU", names}, {"LD_LIBRARY_PATH", first_in_library_path(drop_in_folder())}};
    if (!start.schedule.empty()) ready.environment["LANESCOPE_SCHEDULE"] = start.schedule;
    return ready;
}

int become(const Prepared& program) {
    for (const auto& [name, value] : program.environment) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> arguments;
    for (const std::string& argument : program.command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    std::fflush(nullptr);
    execv(program.program.c_str(), arguments.data());
    return fail(exit_refused, {std::string("cannot be started: ") + std::strerror(errno), program.program.string(), "lanescope doctor"});
}

}  // namespace lanescope::cli
