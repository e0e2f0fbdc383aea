#include "cli/process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace lanescope::cli {
namespace {

// Starts the program; in the child, stdout and stderr become `output` unless it is negative.
pid_t start(const std::vector<std::string>& argv, int output) {
    std::vector<char*> arguments;
    for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        if (output >= 0) {
            dup2(output, STDOUT_FILENO);
            dup2(output, STDERR_FILENO);
        }
        execvp(arguments[0], arguments.data());
        _exit(127);
    }
    return child;
}

int wait_for(pid_t child) {
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Captured run_and_capture(const std::vector<std::string>& argv) {
    int ends[2];
    if (pipe(ends) != 0) return {};
    const pid_t child = start(argv, ends[1]);
    close(ends[1]);
    Captured result;
    char buffer[4096];
    while (const ssize_t n = read(ends[0], buffer, sizeof buffer)) {
        if (n < 0) break;
        result.output.append(buffer, static_cast<size_t>(n));
    }
    close(ends[0]);
    result.exit_status = wait_for(child);
    return result;
}

int run_in_view(const std::vector<std::string>& argv) { return wait_for(start(argv, -1)); }

std::filesystem::path find_in_path(const std::string& name) {
    const char* path = std::getenv("PATH");
    const std::string folders = path ? path : "";
    for (size_t begin = 0; begin < folders.size();) {
        const size_t end = std::min(folders.find(':', begin), folders.size());
        const std::filesystem::path candidate = std::filesystem::path(folders.substr(begin, end - begin)) / name;
        if (access(candidate.c_str(), X_OK) == 0 && !std::filesystem::is_directory(candidate)) return candidate;
        begin = end + 1;
    }
    return {};
}

}  // namespace lanescope::cli
