/// \file
/// The time that events report: the modelled clock's (common/timing), in seconds.
///
/// Work takes its modelled time on one of a device's engines: kernels on one, copies to the device and from it on one each. Work
/// begins when what it must wait for has ended, when its engine is free, and not before the host submitted it; the host itself takes
/// no time, but that which it waits. Kernels run one after another. With LANESCOPE_CLOCK=off events report the host time at which the
/// simulator executed them.
#pragma once

#include <chrono>
#include <cstdint>

namespace lanescope::cudart {

enum class Engine : uint8_t { kernels, to_device, from_device };

/// What an operation took.
struct Performed {
    double seconds = 0;
    Engine engine = Engine::kernels;
};

inline double host_seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace lanescope::cudart
