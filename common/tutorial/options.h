/// \file
/// read_options: the whole numbers that a chapter program takes on its command line.
///
///     long long n = 1 << 20;
///     read_options(argc, argv, "Adds up n values.", {{"--n", "how many values", &n, 0, 1 << 24}});
///
/// `--help` prints what there is and ends the program with 0; anything that is not understood ends it with
/// one error and 2. Host side only; needs nothing but the standard library.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace lanescope::tutorial {

/// `--name NUMBER`, from `lowest` to `highest`. `*value` holds the default and receives the number.
struct Option {
    const char* name;
    const char* meaning;
    long long* value;
    long long lowest;
    long long highest;
};

inline void read_options(int argc, char** argv, const char* about, std::initializer_list<Option> options) {
    const char* slash = std::strrchr(argv[0], '/');
    const char* program = slash ? slash + 1 : argv[0];
    const auto find = [&](const char* name) -> const Option* {
        for (const Option& option : options) {
            if (std::strcmp(option.name, name) == 0) return &option;
        }
        return nullptr;
    };
    const auto refuse = [&](const char* argument, const char* problem) {
        std::fprintf(stderr, "%s: %s %s\n  next: %s --help\n", program, argument, problem, program);
        std::exit(2);
    };

    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--help") == 0) {
            std::printf("Usage: %s [OPTION NUMBER]...\n%s\n", program, about);
            for (const Option& option : options) {
                std::printf("  %-12s %s: %lld to %lld, default %lld\n", option.name, option.meaning, option.lowest,
                            option.highest, *option.value);
            }
            std::exit(0);
        }
    }
    for (int i = 1; i < argc; ++i) {
        const Option* option = find(argv[i]);
        if (!option) {
            refuse(argv[i], "is not an option");
            return;
        }
        if (i + 1 == argc) refuse(argv[i], "needs a number");
        const char* text = argv[++i];
        char* end = nullptr;
        errno = 0;
        const long long number = std::strtoll(text, &end, 10);
        if (errno != 0 || end == text || *end != '\0' || number < option->lowest || number > option->highest) {
            char problem[160];
            std::snprintf(problem, sizeof problem, "must be a whole number from %lld to %lld, not \"%.40s\"", option->lowest,
                          option->highest, text);
            refuse(option->name, problem);
        }
        *option->value = number;
    }
}

}  // namespace lanescope::tutorial
