/// \file
/// take_flag: an option without a value, which read_options (tutorial/options.h) does not know.
///
///     const bool csv = take_flag(argc, argv, "--csv");   // before read_options
///
/// Host side only.
#pragma once

#include <cstring>

namespace latency {

/// Whether `flag` is among the arguments. Removes it.
inline bool take_flag(int& argc, char** argv, const char* flag) {
    int kept = 1;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], flag) != 0) argv[kept++] = argv[i];
    }
    const bool found = kept < argc;
    argc = kept;
    return found;
}

}  // namespace latency
