/// \file
/// A launch and what was counted of it, as the drop-in runtime wrote it to the file that LANESCOPE_COUNTERS names.
///
///     const Result<std::vector<Launch>> launches = counters::read_launches("counters.json");
///
/// Host side only.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "counters/first_request.h"
#include "counters/metrics.h"
#include "support/result.h"

namespace lanescope::counters {

/// A source line and its share. `warp_instructions` are not counted by line: 0.
struct LineCounts : LaunchCounts {
    std::string file;
    int line = 0;
};

struct Launch {
    std::string kernel;    ///< demangled: "add(int*, int)"
    int device = 0;
    std::string gpu;       ///< name of its profile: "h200"
    std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
    LaunchCounts counts;
    std::vector<LineCounts> lines;   ///< those that touch memory; empty without nvcc -lineinfo
    std::vector<FirstRequest> first_requests;   ///< of each memory instruction, in program order
};

/// From one line of that file.
Result<Launch> parse_launch(const std::string& json);

/// In the order in which they ran; none if there is no such file, because then nothing ran.
Result<std::vector<Launch>> read_launches(const std::string& path);

}  // namespace lanescope::counters
