// Runs a program and keeps what it printed.
//
//   const Finished p = run_program({"/bin/echo", "hello"}, {{"LANESCOPE_SCHEDULE", "7"}});
//   EXPECT_EQ(p.exit_status, 0);
//   EXPECT_EQ(p.out, "hello\n");
//
// Header-only and C++17, so that chapter tests compiled by nvcc can use it. POSIX.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace lanescope::test {

struct Finished {
    int exit_status = -1;   // 128 + signal number if a signal ended it, as a shell says; 127: could not be started
    std::string out;        // what it wrote to stdout
    std::string err;        // and to stderr
};

// argv[0] is the program, looked up in PATH if it has no slash. `environment` is added to that of the test.
inline Finished run_program(const std::vector<std::string>& argv, const std::map<std::string, std::string>& environment = {}) {
    // Files, not pipes: a program that prints much on both streams cannot block.
    std::FILE* out = std::tmpfile();
    std::FILE* err = std::tmpfile();
    std::vector<char*> arguments;
    for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        dup2(fileno(out), STDOUT_FILENO);
        dup2(fileno(err), STDERR_FILENO);
        for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
        execvp(arguments[0], arguments.data());
        _exit(127);
    }
    Finished result;
    int status = 0;
    if (child > 0 && waitpid(child, &status, 0) == child) {
        result.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    const auto contents = [](std::FILE* file) {
        std::string text;
        char buffer[4096];
        std::rewind(file);
        while (const size_t n = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, n);
        std::fclose(file);
        return text;
    };
    result.out = contents(out);
    result.err = contents(err);
    return result;
}

}  // namespace lanescope::test
