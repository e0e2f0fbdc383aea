/// \file
/// A memory operation of the program during one launch: its address cache, and what is counted of it.
///
/// Host side only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "access/atomic.h"
#include "access/rules.h"
#include "counters/counts.h"
#include "program/operation.h"

namespace lanescope::machine {

/// A span of memory that kernels may access, as the last access of a site found it.
struct Region {
    uint64_t begin = 1, end = 0;   ///< empty
    std::byte* host = nullptr;     ///< of the byte at `begin`
};

/// What a site does to memory, as counters tell it apart.
enum class SiteKind : uint8_t { none, load, copy_to_shared, store, atomic, reduction };   // copy_to_shared: cp.async

/// What it does to the L1 cache.
enum class L1Use : uint8_t {
    none,
    load,           ///< looks into it, and fetches the sectors that are missing
    load_line,      ///< the same, but fetches whole lines (Kepler)
    load_last,      ///< hits what is there but leaves nothing (.lu)
    bypass,         ///< a load that does not look into it (.cg, volatile, or GPUs that cache no loads)
    fill,           ///< a store: what it stores is there afterwards
    drop,           ///< an atomic, which L2 does: what was there is no longer valid
};

struct Site {
    Region region;
    SiteKind kind = SiteKind::none;
    bool with_last_load = false;       ///< see program/load_groups.h
    L1Use l1_use = L1Use::none;
    access::Collisions collisions = access::Collisions::one_by_one;   ///< of atomics
    bool compares = false;             ///< an atomic compare-and-swap
    uint8_t remembered = 0;            ///< spaces, bits of `Grid::remembers`, of which a request of the first warp is remembered
    MemoryTraffic global;          ///< on global memory. Transactions and moved bytes: only if `Grid::simple_rules` is false
    MemoryTraffic local;
    SharedTraffic shared;
    uint64_t l2_read_sectors = 0;
};

/// `constants`: the program's.
Site site_of(const program::Operation& operation, const access::Rules& rules, const std::vector<std::byte>& constants);

}  // namespace lanescope::machine
