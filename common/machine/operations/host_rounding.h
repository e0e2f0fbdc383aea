/// \file
/// The host's rounding mode, changed for one scope.
///
///     HostRounding mode(Rounding::rm);   // every float operation below rounds down
///
/// The compiler assumes round to nearest, so only put a loop in the scope that loads its operands from memory and stores
/// its results to memory, and that computes nothing from constants alone: then there is nothing it could compute earlier
/// or later. (-frounding-math would say so, but it also keeps fma and sqrt from being vectorised.)
#pragma once

#include <cfenv>

#include "program/operation.h"

namespace lanescope::machine {

class HostRounding {
public:
    explicit HostRounding(program::Rounding mode) : previous_(std::fegetround()) { std::fesetround(host_mode(mode)); }
    ~HostRounding() { std::fesetround(previous_); }
    HostRounding(const HostRounding&) = delete;
    HostRounding& operator=(const HostRounding&) = delete;

private:
    static int host_mode(program::Rounding mode) {
        switch (mode) {
            case program::Rounding::rz:
                return FE_TOWARDZERO;
            case program::Rounding::rm:
                return FE_DOWNWARD;
            case program::Rounding::rp:
                return FE_UPWARD;
            default:
                return FE_TONEAREST;
        }
    }
    int previous_;
};

}  // namespace lanescope::machine
