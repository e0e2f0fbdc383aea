/// \file
/// Which multiprocessor brought a line of device memory into its L1 cache, in this launch: a line cannot be in the cache of another.
///
///     TouchedLines touched(lines);
///     touched.begin_launch();
///     if (touched.first(line, sm)) ...   // true once for each line and multiprocessor, or never
///
/// Most lines of most kernels are touched by one multiprocessor or two, and a byte here is less work than a look-up in a cache. It is
/// reserved for each line of device memory; pages are taken from the machine when they are used. Host side only.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace lanescope::machine {

class TouchedLines {
public:
    explicit TouchedLines(uint64_t lines) {
        const uint64_t pages = lines / page_lines + 1;
        void* const reserved = mmap(nullptr, pages * page_lines, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (reserved == MAP_FAILED) return;   // then nothing is known: first() is false
        madvise(reserved, pages * page_lines, MADV_HUGEPAGE);   // a column of a matrix has its marks in many pages
        marks_ = static_cast<uint8_t*>(reserved);
        is_used_.resize(pages);
        lines_ = lines;
    }
    ~TouchedLines() {
        if (marks_) munmap(marks_, is_used_.size() * page_lines);
    }
    TouchedLines(const TouchedLines&) = delete;
    TouchedLines& operator=(const TouchedLines&) = delete;

    /// Forgets all lines.
    void begin_launch() {
        for (const uint64_t page : used_) {
            std::memset(marks_ + page * page_lines, 0, page_lines);
            is_used_[page] = false;
        }
        used_.clear();
    }

    /// True if the line was not touched by `sm`, and by one other at most. Sometimes false even so: of multiprocessors that share a mark.
    bool first(uint64_t line, uint32_t sm) {
        if (line >= lines_) return false;
        if (line % 64 == 0) prefetch(line + 64);   // the next of the host's lines, most often wanted soon
        const auto own = static_cast<uint8_t>(1 + sm % (several - 1));
        uint8_t& mark = *mark_of(line);
        if (mark == own || mark == several) return false;
        if (mark != 0) {
            mark = several;
            return true;
        }
        mark = own;
        if (uint8_t& is_used = is_used_[line / page_lines]; !is_used) {
            is_used = true;
            used_.push_back(line / page_lines);
        }
        return true;
    }

    /// Brings what first() needs into the host's cache.
    void prefetch(uint64_t line) const { __builtin_prefetch(mark_of(line), 1); }

private:
    static constexpr uint8_t several = 255;
    static constexpr uint64_t page_lines = 4096;   ///< lines whose marks are cleared together

    // A matrix's column is one line in each row, and rows are often a power of two apart: their marks would share few sets of the host's
    // caches. So 16 neighbouring lines of the host have another order in each KB.
    uint8_t* mark_of(uint64_t line) const { return marks_ + (line ^ (line >> 10) * 0x9E3779B97F4A7C15ull >> 60 << 6); }

    uint8_t* marks_ = nullptr;   ///< 0: nobody touched the line
    uint64_t lines_ = 0;
    std::vector<uint8_t> is_used_;   ///< of each page, whether it has marks
    std::vector<uint64_t> used_;     ///< pages
};

}  // namespace lanescope::machine
