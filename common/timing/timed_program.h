/// \file
/// A program as the modelled clock sees it: of each operation its registers and what it costs.
///
/// Host side only.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"
#include "timing/costs.h"

namespace lanescope::timing {

enum class Path : uint8_t { arithmetic, global, shared, local, constant };   ///< where the result comes from

struct TimedOperation {
    uint32_t first = 0;                     ///< of its registers in TimedProgram::registers: sources, then results
    uint16_t sources = 0, results = 0;
    Path path = Path::arithmetic;
    float latency = 0, interval = 1;        ///< cycles
};

struct TimedProgram {
    std::vector<TimedOperation> operations;   ///< as Program::operations
    std::vector<uint16_t> registers;
    std::size_t register_count = 0;
    bool reads_clock = false;
};

TimedProgram timed(const program::Program& program, const Costs& costs);

}  // namespace lanescope::timing
