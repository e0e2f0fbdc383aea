/// \file
/// What is counted of a launch, or of one source line in it. The same structures in the machine, which counts,
/// and in tests and programs, which read; between them counters travel by name (provider.h).
///
///     counts.global_load.sectors        // "global_load_sectors" by name
///
/// All are exact counts, but for those of caches: they come from a model of the L1 cache (machine/l1_cache.h).
/// Host side, C++17.
#pragma once

#include <cstdint>
#include <string>

namespace lanescope {

/// Requests to global or local memory. A request is one memory instruction of one warp.
struct MemoryTraffic {
    std::uint64_t requests = 0;
    std::uint64_t transactions = 0;      ///< nvprof's: lines of 128 bytes on Kepler, else sectors
    std::uint64_t sectors = 0;           ///< distinct aligned 32-byte blocks of each request
    std::uint64_t l1_hit_sectors = 0;    ///< of loads: those that were in the L1 cache; modelled
    std::uint64_t requested_bytes = 0;   ///< distinct bytes that the lanes asked for
    std::uint64_t moved_bytes = 0;       ///< bytes of all blocks that hold one of them

    /// 100 when every byte moved was asked for; 0 without requests.
    double efficiency_percent() const { return moved_bytes == 0 ? 0 : 100.0 * static_cast<double>(requested_bytes) / static_cast<double>(moved_bytes); }
    double sectors_per_request() const { return requests == 0 ? 0 : static_cast<double>(sectors) / static_cast<double>(requests); }

    MemoryTraffic& operator+=(const MemoryTraffic& other) {
        requests += other.requests;
        transactions += other.transactions;
        sectors += other.sectors;
        l1_hit_sectors += other.l1_hit_sectors;
        requested_bytes += other.requested_bytes;
        moved_bytes += other.moved_bytes;
        return *this;
    }
};

/// Requests to shared memory.
struct SharedTraffic {
    std::uint64_t requests = 0;
    std::uint64_t wavefronts = 0;        ///< passes over the banks
    std::uint64_t conflicts = 0;         ///< wavefronts beyond those that the width of the lanes needs
    std::uint64_t requested_bytes = 0;   ///< distinct bytes that the lanes asked for

    SharedTraffic& operator+=(const SharedTraffic& other) {
        requests += other.requests;
        wavefronts += other.wavefronts;
        conflicts += other.conflicts;
        requested_bytes += other.requested_bytes;
        return *this;
    }
};

struct MemoryCounts {
    MemoryTraffic global_load, global_store;
    MemoryTraffic global_atomic;        ///< whose result is used (atom)
    MemoryTraffic global_reduction;     ///< whose result is not (red)
    MemoryTraffic local_load, local_store;
    SharedTraffic shared_load, shared_store, shared_atomic;
    std::uint64_t l2_read_sectors = 0;   ///< that loads found in no L1 cache; modelled

    /// Calls visit(name, counter) for each.
    template <class Self, class Visit>
    static void for_each(Self& self, Visit&& visit) {
        const auto memory = [&](const std::string& name, auto& traffic) {
            visit(name + "_requests", traffic.requests);
            visit(name + "_transactions", traffic.transactions);
            visit(name + "_sectors", traffic.sectors);
            visit(name + "_l1_hit_sectors", traffic.l1_hit_sectors);
            visit(name + "_requested_bytes", traffic.requested_bytes);
            visit(name + "_moved_bytes", traffic.moved_bytes);
        };
        const auto shared = [&](const std::string& name, auto& traffic) {
            visit(name + "_requests", traffic.requests);
            visit(name + "_wavefronts", traffic.wavefronts);
            visit(name + "_conflicts", traffic.conflicts);
            visit(name + "_requested_bytes", traffic.requested_bytes);
        };
        memory("global_load", self.global_load);
        memory("global_store", self.global_store);
        memory("global_atomic", self.global_atomic);
        memory("global_reduction", self.global_reduction);
        memory("local_load", self.local_load);
        memory("local_store", self.local_store);
        shared("shared_load", self.shared_load);
        shared("shared_store", self.shared_store);
        shared("shared_atomic", self.shared_atomic);
        visit(std::string("l2_read_sectors"), self.l2_read_sectors);
    }
};

}  // namespace lanescope
