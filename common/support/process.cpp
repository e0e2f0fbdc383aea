#include "support/process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace lanescope {
namespace {

// Starts the program; the child calls `prepare` first.
template <class Prepare>
pid_t start(const std::vector<std::string>& argv, Prepare&& prepare) {
    std::vector<char*> arguments;
    for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        prepare();
        execvp(arguments[0], arguments.data());
        _exit(127);
    }
    return child;
}

void send_output_to(int out, int err) {
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
}

void limit(int resource, rlim_t soft, rlim_t hard) {
    const rlimit value{soft, hard};
    setrlimit(static_cast<__rlimit_resource>(resource), &value);
}

std::string contents(std::FILE* file) {
    std::string text;
    char buffer[4096];
    std::rewind(file);
    while (const size_t n = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, n);
    std::fclose(file);
    return text;
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
    const pid_t child = start(argv, [&] { send_output_to(ends[1], ends[1]); });
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

int run_in_view(const std::vector<std::string>& argv) {
    return wait_for(start(argv, [] {}));
}

Finished run_limited(const std::vector<std::string>& argv, const Limits& limits) {
    using namespace std::chrono;
    Finished result;
    // Files, not pipes: what the program writes on both streams cannot block it.
    std::FILE* out = std::tmpfile();
    std::FILE* err = std::tmpfile();
    if (!out || !err) return result;
    const pid_t child = start(argv, [&] {
        setpgid(0, 0);
        if (const int nothing = open("/dev/null", O_RDONLY); nothing >= 0) dup2(nothing, STDIN_FILENO);
        send_output_to(fileno(out), fileno(err));
        limit(RLIMIT_CORE, 0, 0);
        if (limits.processor_seconds > 0) limit(RLIMIT_CPU, limits.processor_seconds, limits.processor_seconds + 1);
        if (limits.memory_bytes > 0) limit(RLIMIT_DATA, limits.memory_bytes, limits.memory_bytes);
        if (limits.output_bytes > 0) limit(RLIMIT_FSIZE, limits.output_bytes, limits.output_bytes);
        for (const auto& [name, value] : limits.environment) setenv(name.c_str(), value.c_str(), 1);
    });
    if (child > 0) {
        const auto deadline = steady_clock::now() + seconds(limits.seconds);
        int status = 0;
        bool late = false;
        auto pause = microseconds(200);
        while (waitpid(child, &status, WNOHANG) == 0) {
            if (limits.seconds > 0 && !late && steady_clock::now() > deadline) {
                late = true;
                kill(-child, SIGKILL);
                kill(child, SIGKILL);   // in case it has not made its group yet
            }
            std::this_thread::sleep_for(pause);
            pause = std::min(pause * 2, microseconds(10'000));
        }
        kill(-child, SIGKILL);
        if (WIFSIGNALED(status)) {
            result.end = Finished::End::signalled;
            result.status = WTERMSIG(status);
            if (late || result.status == SIGXCPU) result.end = Finished::End::out_of_time;
            if (result.status == SIGXFSZ) result.end = Finished::End::too_much_output;
        } else {
            result.end = Finished::End::exited;
            result.status = WEXITSTATUS(status);
        }
    }
    result.out = contents(out);
    result.err = contents(err);
    return result;
}

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

}  // namespace lanescope
