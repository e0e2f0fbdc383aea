#include "cudart/thread_state.h"

#include <atomic>

namespace lanescope::cudart {

ThreadState& this_thread() {
    static std::atomic<uint64_t> threads{0};
    thread_local ThreadState state = [] {
        ThreadState fresh;
        fresh.id = ++threads;
        return fresh;
    }();
    return state;
}

}  // namespace lanescope::cudart
