/// \file
/// Where the pages of managed memory are, as the modelled clock sees it. (The simulator itself keeps one copy and moves nothing.)
///
///     ManagedPages pages;
///     pages.add(address, bytes);                            // cudaMallocManaged: at the host
///     uint64_t moved = pages.move(address, bytes, 0);       // all come to device 0; 0 the second time
///
/// Assumptions. A page of 64 KB comes to a device when one of its kernels touches it, or with a prefetch, and goes back with a prefetch
/// only: the simulator does not see what host code touches between kernels, where a GPU's pages follow it. Host side only.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace lanescope::machine {

class ManagedPages {
public:
    static constexpr uint64_t page_bytes = 64 << 10;
    static constexpr int at_host = -1, mixed = -2;

    struct Range {
        uint64_t address = 0, bytes = 0;
        std::vector<int8_t> where;       ///< of each page the device, or at_host
        int whole = at_host;             ///< where all pages are; `mixed`: not all at one place
        bool stays_at_host = false;      ///< cudaMemAdviseSetPreferredLocation: kernels reach over the link
        uint64_t page_size(uint64_t page) const;   ///< bytes: the last may be smaller
        bool move_page(uint64_t page, int to);     ///< false: it is there
    };

    void add(uint64_t address, uint64_t bytes);
    void remove(uint64_t address);   ///< nothing happens if it is no range's first

    /// Returns the bytes of the pages that were elsewhere. Only what lies in a range moves.
    uint64_t move(uint64_t address, uint64_t bytes, int to);

    Range* find(uint64_t address);                                ///< nullptr: not managed
    std::map<uint64_t, Range>& ranges() { return ranges_; }       ///< by address

private:
    std::map<uint64_t, Range> ranges_;
};

}  // namespace lanescope::machine
