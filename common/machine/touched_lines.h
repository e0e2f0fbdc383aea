/// \file
/// Which multiprocessor brought a line of device memory into its L1 cache, in this launch: a line cannot be in the cache of another.
///
///     TouchedLines touched(lines);
///     touched.begin_launch();
///     if (touched.first(line, sm)) ...   // true once for each line and multiprocessor, or never
///
/// Most lines of most kernels are touched by one multiprocessor or two, and two bytes here are less work than a look-up in a cache. They
/// are reserved for each line of device memory; pages are taken from the machine when they are used. Host side only.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>

namespace lanescope::machine {

class TouchedLines {
public:
    explicit TouchedLines(uint64_t lines) {
        void* const reserved = mmap(nullptr, lines * sizeof(uint16_t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (reserved == MAP_FAILED) return;   // then nothing is known: first() is false
        marks_ = static_cast<uint16_t*>(reserved);
        lines_ = lines;
    }
    ~TouchedLines() {
        if (marks_) munmap(marks_, lines_ * sizeof(uint16_t));
    }
    TouchedLines(const TouchedLines&) = delete;
    TouchedLines& operator=(const TouchedLines&) = delete;

    /// Forgets all lines.
    void begin_launch() {
        if (++launch_ <= most_launches || !marks_) return;
        madvise(marks_, lines_ * sizeof(uint16_t), MADV_DONTNEED);   // the numbers of launches are used up, and all marks become 0
        launch_ = 1;
    }

    /// True if no other call was for this line and this `sm`; false also if two others or more were for the line before.
    bool first(uint64_t line, uint32_t sm) {
        if (line >= lines_) return false;
        uint16_t& mark = marks_[line];
        const auto own = static_cast<uint16_t>(launch_ << sm_bits | std::min(sm, several));
        if (mark >> sm_bits != launch_) {
            mark = own;
            return true;
        }
        if (mark == own || (mark & several) == several) return false;
        mark |= several;
        return true;
    }

    /// Brings what first() needs into the host's cache.
    void prefetch(uint64_t line) const { __builtin_prefetch(marks_ + line, 1); }

private:
    static constexpr uint32_t sm_bits = 9, several = (1u << sm_bits) - 1, most_launches = (1u << (16 - sm_bits)) - 1;

    uint16_t* marks_ = nullptr;   ///< the launch that touched the line last, and the multiprocessor: `several`: more than one
    uint64_t lines_ = 0;
    uint32_t launch_ = 0;
};

}  // namespace lanescope::machine
