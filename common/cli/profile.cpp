// `lanescope profile`: the program runs as a child, with its stdin, stdout and stderr, while the drop-in runtime writes the
// counters of every launch to a temporary file; then they are reported.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <regex>

#include "cli/commands.h"
#include "cli/simulated_program.h"
#include "counters/launch.h"
#include "report/report.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using counters::Launch;
using counters::Selection;
using Layout = ProfileOptions::Layout;

// A folder that goes with its object.
class ScratchFolder {
public:
    ScratchFolder() {
        std::error_code ignored;
        const fs::path folder = fs::temp_directory_path(ignored);
        std::string name = ((folder.empty() ? fs::path("/tmp") : folder) / "lanescope-XXXXXX").string();
        if (mkdtemp(name.data())) path_ = name;
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }
    const fs::path& path() const { return path_; }   // empty if it could not be made

private:
    fs::path path_;
};

// Runs the program to its end. Ctrl-C and Ctrl-\ are for the program; what it launched before is reported all the same.
int run_to_end(const Prepared& program, int& process_id) {
    struct sigaction leave_to_child {};
    leave_to_child.sa_handler = [](int) {};   // not SIG_IGN, which the child would inherit
    leave_to_child.sa_flags = SA_RESTART;
    struct sigaction before[2];
    sigaction(SIGINT, &leave_to_child, &before[0]);
    sigaction(SIGQUIT, &leave_to_child, &before[1]);
    std::fflush(nullptr);
    process_id = fork();
    if (process_id == 0) {
        sigaction(SIGINT, &before[0], nullptr);
        sigaction(SIGQUIT, &before[1], nullptr);
        _exit(become(program));
    }
    int status = 0;
    if (process_id < 0 || waitpid(process_id, &status, 0) != process_id) {
        return fail(exit_refused, {std::string("cannot be started: ") + std::strerror(errno), program.program.string(), "lanescope doctor"});
    }
    sigaction(SIGINT, &before[0], nullptr);
    sigaction(SIGQUIT, &before[1], nullptr);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::vector<Launch> chosen(const std::vector<Launch>& launches, const ProfileOptions& options, const std::regex& kernel) {
    std::vector<Launch> result;
    size_t matching = 0;
    for (const Launch& launch : launches) {
        if (!std::regex_search(launch.kernel, kernel) || matching++ < options.launch_skip) continue;
        if (options.launch_count != 0 && result.size() == options.launch_count) break;
        result.push_back(launch);
    }
    return result;
}

// Reads each file once.
report::SourceLine source_reader() {
    auto files = std::make_shared<std::map<std::string, std::vector<std::string>>>();
    return [files](const std::string& file, int line) -> std::string {
        const auto [at, is_new] = files->try_emplace(file);
        if (is_new) {
            std::ifstream stream(file);
            for (std::string text; std::getline(stream, text);) at->second.push_back(text);
        }
        return line >= 1 && static_cast<size_t>(line) <= at->second.size() ? at->second[static_cast<size_t>(line) - 1] : "";
    };
}

std::string report_text(const ProfileOptions& options, const Selection& asked, const report::Process& process, const std::vector<Launch>& launches) {
    switch (options.layout) {
        case Layout::nvprof: return report::nvprof(process, launches, asked);
        case Layout::csv: return report::ncu_csv(process, launches, asked);
        case Layout::json: return report::json(launches, asked);
        case Layout::picture: return report::picture(launches, source_reader());
        case Layout::by_line: return report::by_line(launches, options.metrics.empty() ? Selection{} : asked, source_reader());
        default: return options.metrics.empty() ? report::table(launches) : report::metric_list(launches, asked);
    }
}

std::string command_line(const std::vector<std::string>& command) {
    std::string text;
    for (const std::string& word : command) text += (text.empty() ? "" : " ") + word;
    return text;
}

}  // namespace

int list_metrics() {
    fmt::print("{}", report::metric_names());
    return 0;
}

int profile(const ProfileOptions& options) {
    const Result<std::vector<const gpus::Gpu*>> gpus = options.gpu.empty() ? gpus::selected() : gpus::find_all(options.gpu);
    if (!gpus) return fail(exit_usage, gpus.error());
    Result<Selection> asked = counters::select(options.metrics.empty() ? "all" : options.metrics, gpus->front()->cc_major);
    if (!asked) {
        const std::string& name = asked.error().where;
        return fail(exit_usage, {asked.error().what, "--metrics" + (name.empty() ? "" : " " + name), asked.error().next});
    }
    if (options.layout == Layout::csv && options.metrics.empty()) {   // Nsight Compute would not print what it has no name for
        std::erase_if(*asked, [](const counters::Wanted& wanted) { return wanted.metric->ncu.empty(); });
    }
    if (const char* clock = std::getenv("LANESCOPE_CLOCK"); clock && std::string_view(clock) == "off") {
        const auto named = [&](const counters::Wanted& wanted) { return wanted.needs_time() && ("," + options.metrics + ",").find("," + wanted.name + ",") != std::string::npos; };
        const auto timed = std::ranges::find_if(*asked, named);
        if (timed != asked->end()) {   // a group is given without them
            return fail(exit_usage, {"it needs the modelled clock, which LANESCOPE_CLOCK=off stops", "--metrics " + timed->name, "unset LANESCOPE_CLOCK"});
        }
        std::erase_if(*asked, &counters::Wanted::needs_time);
    }
    std::regex kernel;
    try {
        kernel = std::regex(options.kernel);
    } catch (const std::regex_error&) {
        return fail(exit_usage, {"not a regular expression", "--kernel " + options.kernel, "write a \\ before each of ( ) [ ] * + ? that is meant as it is"});
    }

    Prepared program = prepare({options.gpu, options.schedule, options.command});
    if (program.exit_status != 0) return program.exit_status;

    const ScratchFolder scratch;
    if (scratch.path().empty()) return fail(1, {"no temporary folder can be made", "", "export TMPDIR=a folder that can be written to"});
    std::ofstream log;
    if (!options.log_file.empty()) {
        log.open(options.log_file);
        if (!log) return fail(exit_usage, {std::string("cannot be written: ") + std::strerror(errno), options.log_file, "name a file in a folder that exists"});
    }

    const std::string counters_file = scratch.path() / "counters.json";
    program.environment["LANESCOPE_COUNTERS"] = counters_file;
    if (!options.l1.empty()) program.environment["LANESCOPE_L1"] = options.l1;
    report::Process process{0, fs::path(options.command.front()).filename().string(), command_line(options.command)};
    const int exit_status = run_to_end(program, process.id);

    const Result<std::vector<Launch>> launches = counters::read_launches(counters_file);
    if (!launches) return fail(exit_status != 0 ? exit_status : 1, launches.error());
    const std::vector<Launch> reported = chosen(*launches, options, kernel);
    if (reported.empty()) {
        fail(0, launches->empty() ? Diagnostic{"no kernel ran to its end, so there is nothing to report", options.command.front(),
                                               "check the errors that its launches return, and that it waits for them: cudaDeviceSynchronize()"}
                                  : Diagnostic{fmt::format("none of its {} launches is left to report", launches->size()), options.command.front(),
                                               "a wider --kernel, a smaller --launch-skip"});
    }
    // An empty CSV, JSON or SVG is still one that others can read.
    const bool needs_frame = options.layout == Layout::csv || options.layout == Layout::json || options.layout == Layout::picture;
    const std::string text = reported.empty() && !needs_frame ? "" : report_text(options, *asked, process, reported);
    if (options.log_file.empty()) {
        fmt::print(stderr, "{}", text);
    } else if (!(log << text).flush()) {
        return fail(exit_status != 0 ? exit_status : 1, {"the report could not be written", options.log_file, "free some space on the disk"});
    }
    return exit_status;
}

}  // namespace lanescope::cli
