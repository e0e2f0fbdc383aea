/// \file
/// take_flag: an option without a value, taken out before read_options sees the others.
///
///     const bool csv = take_flag(argc, argv, "--csv");
///     read_options(argc, argv, "Copies.\n  --csv        comma-separated values", {...});
///
/// Host side only; needs nothing but the standard library.
#pragma once

#include <algorithm>
#include <cstring>

namespace lanescope::tutorial {

/// True if `flag` is among the arguments. All its copies are removed, the other arguments keep their order.
inline bool take_flag(int& argc, char** argv, const char* flag) {
    char** const end = argv + argc;
    char** const last = std::remove_if(argv + 1, end, [&](const char* text) { return std::strcmp(text, flag) == 0; });
    argc = static_cast<int>(last - argv);
    return last != end;
}

}   // namespace lanescope::tutorial
