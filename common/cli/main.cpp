// The lanescope command: parses, and hands over to the subcommands in commands.h.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/build_info.h"
#include "cli/commands.h"

using namespace lanescope::cli;

namespace {

CLI::Validator whole_number() {
    return CLI::Validator(
        [](const std::string& text) {
            const bool digits = !text.empty() && text.size() < 20 && text.find_first_not_of("0123456789") == std::string::npos;
            return digits ? std::string() : "must be a whole number, not negative: " + text;
        },
        "");
}

// Whether `command` is what a subcommand that starts a program needs; says so if not.
bool has_program(const char* subcommand, const std::vector<std::string>& command) {
    if (command.empty()) {
        fmt::print(stderr, "lanescope: {0} needs a program or a .cu file\n  next: lanescope {0} ./a.out\n", subcommand);
        return false;
    }
    if (command.front().starts_with("-") && command.front() != "--") {
        fmt::print(stderr, "lanescope: {0} has no option {1}\n  next: lanescope {0} --help\n", subcommand, command.front());
        return false;
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"CUDA programs on a simulated GPU that counts what they do to memory.", "lanescope"};
    app.set_version_flag("--version", fmt::format("lanescope {} for CUDA {}", build_info::version, build_info::toolkit_version));
    app.failure_message([](const CLI::App*, const CLI::Error& error) {
        return fmt::format("lanescope: {}\n  next: lanescope --help\n", error.what());
    });

    RunOptions options;
    std::string schedule;
    CLI::App* run_command = app.add_subcommand("run", "Run a program, or compile and run a .cu file, on the simulated GPU");
    run_command->footer("lanescope run [OPTIONS] PROGRAM|FILE.cu [ARGS...]: what follows PROGRAM is passed on to it.\n");
    run_command->add_option("--gpu", options.gpu, "GPU profile, or several separated by commas (default: $LANESCOPE_GPU, else h200)")->type_name("NAME");
    run_command->add_option("--schedule", schedule, "Interleave the threads in another order; 0 is the default order")
        ->type_name("SEED")
        ->check(whole_number());
    run_command->prefix_command();   // what follows PROGRAM is the program's

    ProfileOptions profiling;
    std::string launch_skip = "0", launch_count;
    bool query_metrics = false, as_nvprof = false, as_csv = false, as_json = false, by_line = false, as_picture = false;
    CLI::App* profile_command = app.add_subcommand("profile", "Run a program and report what each kernel launch did to memory");
    profile_command->footer("lanescope profile [OPTIONS] PROGRAM|FILE.cu [ARGS...]: what follows PROGRAM is passed on to it.\n");
    profile_command->add_option("--gpu", profiling.gpu, "GPU profile (default: $LANESCOPE_GPU, else h200)")->type_name("NAME");
    profile_command->add_option("--l1", profiling.l1, "Cache global loads in L1: on or off (default: as the GPU does)")
        ->type_name("on|off")
        ->check(CLI::Validator([](const std::string& text) { return text == "on" || text == "off" ? std::string() : "must be on or off: " + text; }, ""));
    profile_command->add_option("--schedule", profiling.schedule, "Interleave the threads in another order; 0 is the default order")
        ->type_name("SEED")
        ->check(whole_number());
    profile_command->add_option("--metrics", profiling.metrics,
                                "Names of nvprof or Nsight Compute, or groups: memory, cache, local, shared, atomic, instructions, all")
        ->type_name("A,B");
    profile_command->add_flag("--query-metrics", query_metrics, "List the metrics: their names and what they mean");
    CLI::Option_group* layout = profile_command->add_option_group("Layout", "Of the report (default: a table to read)");
    layout->require_option(0, 1);
    layout->add_flag("--nvprof", as_nvprof, "nvprof's: least, greatest and mean of each kernel's launches");
    layout->add_flag("--csv", as_csv, "Nsight Compute's CSV");
    layout->add_flag("--json", as_json, "JSON, with source lines");
    layout->add_flag("--by-line", by_line, "The source lines of each kernel, those that waste most first");
    layout->add_flag("--picture", as_picture, "SVG: lanes over the sectors or banks of each instruction's first request");
    profile_command->add_option("--log-file", profiling.log_file, "Write the report there (default: stderr)")->type_name("FILE");
    profile_command->add_option("--kernel", profiling.kernel, "Only kernels whose name has a match")->type_name("REGEX");
    profile_command->add_option("--launch-skip", launch_skip, "Leave out the first N of these launches")->type_name("N")->check(whole_number());
    profile_command->add_option("--launch-count", launch_count, "Report at most N of them")->type_name("N")->check(whole_number());
    profile_command->prefix_command();

    std::string gpu_name;
    CLI::App* gpus_command = app.add_subcommand("gpus", "List the GPU profiles; with NAME, every value and its source");
    gpus_command->add_option("NAME", gpu_name, "a profile")->type_name("");

    GradeOptions grading;
    CLI::App* grade_command = app.add_subcommand("grade", "Build and grade exercises: what you wrote in starter.cu");
    grade_command->add_option("NAME", grading.names, "exercises (default: all)")->type_name("");
    grade_command->add_flag("--gpu", grading.on_gpu, "Run on the GPU of this machine instead of the simulated one");
    grade_command->add_flag("--solution", grading.solution, "Grade solution.cu instead");
    grade_command->add_flag("--self-test", grading.self_test, "For authors: check the exercises themselves");
    grade_command->add_option("--output-junit", grading.junit, "Also write the results as JUnit XML")->type_name("FILE");

    CLI::App* doctor_command = app.add_subcommand("doctor", "What this machine has and lacks, each with the next step");

    if (argc == 1) {
        fmt::print(stderr, "{}", app.help());
        return exit_usage;
    }
    const auto is_wanted = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
    if (argv[1][0] != '-' && app.get_subcommands(is_wanted).empty()) {
        fmt::print(stderr, "lanescope: there is no command {}\n  next: lanescope --help\n", argv[1]);
        return exit_usage;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const int status = app.exit(error);
        return status == 0 ? 0 : exit_usage;
    }

    if (*gpus_command) return gpu_name.empty() ? list_gpus() : show_gpu(gpu_name);
    if (*grade_command) return grade(grading);
    if (*doctor_command) return doctor();

    if (*profile_command) {
        using Layout = ProfileOptions::Layout;
        if (query_metrics) return list_metrics();
        profiling.layout = as_nvprof ? Layout::nvprof : as_csv ? Layout::csv : as_json ? Layout::json : by_line ? Layout::by_line : as_picture ? Layout::picture : Layout::table;
        profiling.launch_skip = std::stoull(launch_skip);
        if (!launch_count.empty()) profiling.launch_count = std::stoull(launch_count);
        profiling.command = profile_command->remaining();
        return has_program("profile", profiling.command) ? profile(profiling) : exit_usage;
    }

    options.schedule = schedule;
    options.command = run_command->remaining();
    return has_program("run", options.command) ? run(options) : exit_usage;
}
