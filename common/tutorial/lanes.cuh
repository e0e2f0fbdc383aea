/// \file
/// What one instruction of a warp costs, whatever its lanes want; and a table's lines for its loads and its stores.
///
///     // 32 lanes load the x of 32 neighbouring structures of 8 bytes: 8 sectors, 128 of 256 bytes
///     instruction_for_lanes(32, 4, rules, [&](long long lane) { return address_of(points) + 8 * lane; })
///
/// The rules of GPUs and the tables are those of transactions.cuh. Host side only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "tutorial/transactions.cuh"

namespace lanescope::tutorial {

// [instruction]
/// `lanes` lanes want `width` bytes each, from address_of_lane(0), address_of_lane(1), ... on: the same for all, or
/// ascending. Each element lies in one block, for its address is a multiple of its width. So the blocks touched are the
/// different quotients of address and size.
template <class AddressOfLane>
MemoryTraffic instruction_for_lanes(long long lanes, unsigned width, const Rules& rules,
                                    AddressOfLane&& address_of_lane) {
    std::uint64_t addresses[warp_size];
    for (long long lane = 0; lane < lanes; ++lane) addresses[lane] = address_of_lane(lane);
    const bool one_address = addresses[0] == addresses[lanes - 1];
    const bool split = rules.splits_wide_lanes && !one_address;   // a Kepler serves 128 bytes with a request
    const long long lanes_of_request = split ? std::min<long long>(warp_size, line_bytes / width) : warp_size;
    MemoryTraffic sum;
    for (long long first = 0; first < lanes; first += lanes_of_request) {
        const long long end = std::min(first + lanes_of_request, lanes);
        const auto different = [&](unsigned size) {
            std::uint64_t count = 1;
            for (long long lane = first + 1; lane < end; ++lane) {
                if (addresses[lane] / size != addresses[lane - 1] / size) ++count;
            }
            return count;
        };
        MemoryTraffic request;
        request.requests = 1;
        request.sectors = different(sector_bytes);
        request.transactions = different(rules.transaction_bytes);
        request.requested_bytes = different(width) * width;
        request.moved_bytes = different(rules.moved_block_bytes) * rules.moved_block_bytes;
        sum += request;
    }
    return sum;
}
// [instruction]

/// The loads and the stores of a kernel, predicted or counted.
struct Cost {
    MemoryTraffic load, store;
};

/// Counts what `launch` does. Ends the program if the kernel fails.
template <class Launch>
Cost count_cost(Launch&& launch) {
    const Counts counts = count([&] {
        launch();
        CUDA_CHECK(cudaGetLastError());
    });
    CUDA_CHECK(cudaDeviceSynchronize());
    return {counts.global_load, counts.global_store};
}

/// Whether stores cost what loads do, as predicted and as counted.
inline bool stores_are_like_loads(const Cost& predicted, const Cost& counted) {
    const MemoryTraffic &load = predicted.load, &store = predicted.store;
    return store.requests == load.requests && store.transactions == load.transactions && agrees(store, counted.store);
}

/// Below a table of loads.
inline void print_whether_stores_agree(bool they_do) {
    if (can_count()) std::printf(they_do ? "The stores cost the same.\n" : "The stores differ from the prediction.\n");
}

}  // namespace lanescope::tutorial
