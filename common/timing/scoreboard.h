/// \file
/// The clock of one warp: instructions issue in order, each when its operands are ready.
///
///     Scoreboard clock(registers);
///     clock.issue(timed_operation);               // waits for its operands
///     clock.result_after(timed_operation, 276);   // its result is there 276 cycles after that
///
/// What other warps do is not seen here; see kernel_time.h. Host side only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "timing/timed_program.h"

namespace lanescope::timing {

class Scoreboard {
public:
    void start(std::size_t registers, double at_cycles) {
        ready_.assign(registers, 0);
        now_ = started_ = at_cycles;
        free_ = at_cycles;
        busy_ = 0;
    }

    /// The instruction issues; the time is then that of its issue.
    void issue(const TimedOperation& op, const uint16_t* registers) {
        double at = std::max(now_, free_);
        for (uint32_t i = 0; i < op.sources; ++i) at = std::max(at, ready_[registers[op.first + i]]);
        now_ = at;
        free_ = at + op.interval;
        busy_ += op.interval;
    }
    void result_after(const TimedOperation& op, const uint16_t* registers, double cycles) {
        for (uint32_t i = 0; i < op.results; ++i) ready_[registers[op.first + op.sources + i]] = now_ + cycles;
    }
    /// Nothing issues before that time.
    void wait_until(double cycles) { free_ = std::max(free_, cycles); }
    void occupy(double cycles) {
        free_ += cycles;
        busy_ += cycles;
    }

    double now() const { return std::max(now_, free_); }
    /// Until the last result is there.
    double end() const {
        double at = now();
        for (const double ready : ready_) at = std::max(at, ready);
        return at;
    }
    double started() const { return started_; }
    double busy() const { return busy_; }   ///< cycles in which it kept its scheduler from others

private:
    std::vector<double> ready_;   ///< by register
    double now_ = 0, free_ = 0, started_ = 0, busy_ = 0;
};

}  // namespace lanescope::timing
