// Addresses of a warp's lanes, for tests.
#pragma once

#include <array>
#include <cstdint>

#include "access/request.h"

namespace lanescope::access::test {

inline constexpr uint32_t all_lanes = 0xFFFFFFFFu;
using Addresses = std::array<uint64_t, 32>;

// Lane l at f(l).
template <class F>
Addresses lanes(F f) {
    Addresses address;
    for (uint64_t lane = 0; lane < 32; ++lane) address[lane] = f(lane);
    return address;
}

inline Request request(const Addresses& address, uint32_t bytes, uint32_t mask = all_lanes) { return {address.data(), mask, bytes}; }

}  // namespace lanescope::access::test
