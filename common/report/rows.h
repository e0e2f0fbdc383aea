/// \file
/// The rows that table() and by_line() print of some counts.
#pragma once

#include <string>

#include "counters/metrics.h"

namespace lanescope::report {

/// Which rows of zeros to print: those of global loads and stores, or none.
enum class Zeros { global, none };

/// Lines that end in \n, each indented by two blanks, under headings. `kepler`: a transaction is a line, not a sector.
std::string rows(const counters::LaunchCounts& counts, bool kepler, Zeros zeros);

}  // namespace lanescope::report
