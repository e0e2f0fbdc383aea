/// \file
/// Runs queued work when the program has stopped calling the runtime and waits by other means.
///
/// Work normally runs when the program waits for it through the API. Two programs that are right on a
/// GPU would hang: one that waits until a host function of a stream signals a condition variable, and
/// one that polls a flag in mapped or managed memory. A thread watches for them:
///   - a host function is queued and the process has neither called nor computed for 100 ms: the work
///     up to that host function runs;
///   - anything is queued, host-visible memory exists and no call came for 5 s: it runs, and a line on
///     stderr says so, because a program that merely forgot to wait should know.
#pragma once

#include <atomic>
#include <cstdint>

namespace lanescope::cudart {

class Runtime;

class IdleWatch {
public:
    /// Starts the thread on the first call. The runtime's lock is held.
    void start(Runtime& runtime);
    /// The program made a call.
    void note_call() { calls_.fetch_add(1, std::memory_order_relaxed); }

private:
    void watch(Runtime& runtime);

    std::atomic<uint64_t> calls_{0};
    bool started_ = false;
};

}  // namespace lanescope::cudart
