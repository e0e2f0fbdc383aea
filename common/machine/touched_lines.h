/// \file
/// Which lines of device memory a launch has brought into some L1 cache: a line that none has seen cannot be in any.
///
///     TouchedLines touched(lines);
///     touched.begin_launch();
///     if (touched.first(line)) ...   // true once for each line
///
/// Most lines of most kernels are touched once, and one byte here is less work than a look-up in a cache. One byte for each line of
/// device memory is reserved; pages are taken from the machine when they are used. Host side only.
#pragma once

#include <sys/mman.h>

#include <cstdint>

namespace lanescope::machine {

class TouchedLines {
public:
    explicit TouchedLines(uint64_t lines) {
        void* const reserved = mmap(nullptr, lines, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (reserved == MAP_FAILED) return;   // then nothing is known: first() is false
        marks_ = static_cast<uint8_t*>(reserved);
        lines_ = lines;
    }
    ~TouchedLines() {
        if (marks_) munmap(marks_, lines_);
    }
    TouchedLines(const TouchedLines&) = delete;
    TouchedLines& operator=(const TouchedLines&) = delete;

    /// Forgets all lines.
    void begin_launch() {
        if (++launch_ != 0 || !marks_) return;
        madvise(marks_, lines_, MADV_DONTNEED);   // every 256 launches the marks are used up, and become 0
        launch_ = 1;
    }

    /// `line` is less than the number of lines, or nothing is known of it.
    bool first(uint64_t line) {
        if (line >= lines_ || marks_[line] == launch_) return false;
        marks_[line] = launch_;
        return true;
    }

    /// Brings what first() needs into the host's cache.
    void prefetch(uint64_t line) const { __builtin_prefetch(marks_ + line, 1); }

private:
    uint8_t* marks_ = nullptr;   ///< the launch that touched the line last
    uint64_t lines_ = 0;
    uint8_t launch_ = 0;
};

}  // namespace lanescope::machine
