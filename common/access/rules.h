/// \file
/// How generations of GPUs differ in what they count and move.
///
///     const Rules rules = rules_of(gpu, false);
///     if (rules.transaction_bytes == line_bytes) ...    // a Kepler: nvprof's transactions are lines
///
/// | | Kepler (cc 3.x) | Maxwell, Pascal (5.x, 6.x) | Volta and later |
/// |---|---|---|---|
/// | a transaction (nvprof's gld_transactions) | a line of 128 bytes | a sector of 32 bytes | a sector |
/// | a load through L1 moves | the lines it touches | the sectors | the sectors |
/// | other loads and stores move | the sectors it touches | the sectors | the sectors |
/// | loads are cached in L1 | on request (`-Xptxas -dlcm=ca`) | cc 6.0 always, others on request | always |
/// | a warp of 8-byte lanes makes | 2 requests | 1 | 1 |
/// | a warp of 16-byte lanes makes | 4 requests | 1 | 1 |
/// | a bank of shared memory is | 8 bytes wide | 4 bytes | 4 bytes |
///
/// Source: facts measured with nvprof on a Tesla K80 and with Nsight Compute on an H200; the CUDA C++ Programming
/// Guide's notes on each compute capability for the generations between. Host side only.
#pragma once

#include <cstdint>

#include "access/request.h"
#include "gpus/gpu.h"

namespace lanescope::access {

/// Whether global loads are cached in L1: as the GPU does it by default, or as asked for with -dlcm.
enum class L1 : uint8_t { standard, on, off };

struct Rules {
    uint32_t transaction_bytes = sector_bytes;   ///< what "transactions" counts distinct blocks of
    uint32_t load_block_bytes = sector_bytes;    ///< a load moves every block of this size that it touches; stores move sectors
    bool splits_wide_lanes = false;              ///< 32 lanes of 8 bytes are 2 requests, of 16 bytes 4
    bool caches_loads = true;                    ///< plain global loads look into L1
    uint32_t bank_bytes = 4;                     ///< of shared memory
};

Rules rules_of(const gpus::Gpu& gpu, L1 l1 = L1::standard);

}  // namespace lanescope::access
