/// \file
/// read_options: the whole numbers, named choices and flags that a chapter program takes on its command line.
///
///     long long n = 1 << 20;
///     long long order = 0;
///     bool csv = false;
///     const char* const orders[] = {"up", "down"};
///     read_options(argc, argv, "Adds up n values.",
///                  {{"--n", "how many values", &n, 0, 1 << 24}, {"--order", "first to last or last to first", &order, 0, 1, orders}},
///                  {{"--csv", "comma-separated values only", &csv}});
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

/// `--name NUMBER`, from `lowest` to `highest`. `*value` holds the default and receives the number. With `words` it is
/// `--name WORD`, and `*value` is the index of one of words[lowest] to words[highest].
struct Option {
    const char* name;
    const char* meaning;
    long long* value;
    long long lowest;
    long long highest;
    const char* const* words = nullptr;
    const char* without = nullptr;   ///< what happens without the option, for --help, where the default is no number to choose
};

/// `--name` without a value. `*given` becomes true.
struct Flag {
    const char* name;
    const char* meaning;
    bool* given;
};

inline void print_words(std::FILE* out, const Option& option) {
    for (long long i = option.lowest; i <= option.highest; ++i) {
        std::fprintf(out, "%s%s", i == option.lowest ? "" : ", ", option.words[i]);
    }
}

inline void read_options(int argc, char** argv, const char* about, std::initializer_list<Option> options,
                         std::initializer_list<Flag> flags = {}) {
    const char* slash = std::strrchr(argv[0], '/');
    const char* program = slash ? slash + 1 : argv[0];
    const auto find = [&](const char* name) -> const Option* {
        for (const Option& option : options) {
            if (std::strcmp(option.name, name) == 0) return &option;
        }
        return nullptr;
    };
    const auto set_flag = [&](const char* name) {
        for (const Flag& flag : flags) {
            if (std::strcmp(flag.name, name) == 0) return *flag.given = true;
        }
        return false;
    };
    const auto refuse = [&](const char* argument, const char* problem) {
        std::fprintf(stderr, "%s: %s %s\n  next: %s --help\n", program, argument, problem, program);
        std::exit(2);
    };

    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--help") == 0) {
            std::printf("Usage: %s [OPTION VALUE]...\n%s\n", program, about);
            for (const Flag& flag : flags) std::printf("  %-14s %s; takes no value\n", flag.name, flag.meaning);
            for (const Option& option : options) {
                std::printf("  %-14s %s: ", option.name, option.meaning);
                if (option.words) print_words(stdout, option);
                else std::printf("%lld to %lld", option.lowest, option.highest);
                if (option.without) std::printf("; without it %s\n", option.without);
                else if (option.words) std::printf(", default %s\n", option.words[*option.value]);
                else std::printf(", default %lld\n", *option.value);
            }
            std::exit(0);
        }
    }
    for (int i = 1; i < argc; ++i) {
        if (set_flag(argv[i])) continue;
        const Option* option = find(argv[i]);
        if (!option) {
            refuse(argv[i], "is not an option");
            return;
        }
        if (i + 1 == argc) refuse(argv[i], option->words ? "needs a word" : "needs a number");
        const char* text = argv[++i];
        if (option->words) {
            long long index = option->lowest;
            while (index <= option->highest && std::strcmp(text, option->words[index]) != 0) ++index;
            if (index > option->highest) {
                std::fprintf(stderr, "%s: %s must be one of ", program, option->name);
                print_words(stderr, *option);
                std::fprintf(stderr, ", not \"%.40s\"\n  next: %s --help\n", text, program);
                std::exit(2);
            }
            *option->value = index;
            continue;
        }
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
