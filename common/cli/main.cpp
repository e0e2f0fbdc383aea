// The lanescope command: parses, and hands over to the subcommands in commands.h.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/build_info.h"
#include "cli/commands.h"

using namespace lanescope::cli;

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
    run_command->add_option("--gpu", options.gpu, "GPU profile (default: $LANESCOPE_GPU, else h200)")->type_name("NAME");
    run_command->add_option("--schedule", schedule, "Interleave the threads in another order; 0 is the default order")
        ->type_name("SEED")
        ->check(CLI::Validator(
            [](const std::string& text) {
                const bool digits = !text.empty() && text.size() < 20 && text.find_first_not_of("0123456789") == std::string::npos;
                return digits ? std::string() : "must be a whole number, not negative: " + text;
            },
            ""));
    run_command->prefix_command();   // what follows PROGRAM is the program's

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

    options.schedule = schedule;
    options.command = run_command->remaining();
    if (options.command.empty()) {
        fmt::print(stderr, "lanescope: run needs a program or a .cu file\n  next: lanescope run ./a.out\n");
        return exit_usage;
    }
    if (options.command.front().starts_with("-") && options.command.front() != "--") {
        fmt::print(stderr, "lanescope: run has no option {}\n  next: lanescope run --help\n", options.command.front());
        return exit_usage;
    }
    return run(options);
}
