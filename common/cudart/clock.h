/// \file
/// The time that events report. The one place where it comes from.
///
/// Assumption: a simulated GPU has no modelled clock yet, so an event's time is the host time at which
/// the simulator executed it. cudaEventElapsedTime therefore measures the simulator, honestly, and not
/// the GPU that it simulates. When the machine models cycles, only this file changes.
#pragma once

#include <chrono>

namespace lanescope::cudart {

class Clock {
public:
    using Time = std::chrono::steady_clock::time_point;

    static Time now() { return std::chrono::steady_clock::now(); }
    static float milliseconds(Time start, Time end) {
        return std::chrono::duration<float, std::milli>(end - start).count();
    }
};

}  // namespace lanescope::cudart
