#include "cudart/idle_watch.h"

#include <ctime>

#include <algorithm>
#include <chrono>
#include <thread>

#include "cudart/runtime.h"

namespace lanescope::cudart {

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto tick = 20ms;
constexpr auto idle_before_host_function = 100ms;
constexpr auto idle_before_anything = 5s;
constexpr double busy_share = 0.2;  // of one core: above it the program computes rather than waits

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

OperationPointer first_host_function(const WorkQueue& queue) {
    const auto& pending = queue.pending();
    const auto position = std::find_if(pending.begin(), pending.end(), [](const auto& entry) {
        return entry.second->kind == OperationKind::host_function && entry.second->state == Operation::State::pending;
    });
    return position == pending.end() ? nullptr : position->second;
}

bool has_host_visible_memory(const Runtime& runtime) {
    const auto& live = runtime.space->live();
    return std::any_of(live.begin(), live.end(), [](const auto& entry) {
        using machine::MemoryKind;
        const MemoryKind kind = entry.second->kind;
        return kind == MemoryKind::pinned || kind == MemoryKind::registered || kind == MemoryKind::managed;
    });
}

}  // namespace

void IdleWatch::start(Runtime& runtime) {
    if (started_) return;
    started_ = true;
    std::thread([this, &runtime] { watch(runtime); }).detach();
}

void IdleWatch::watch(Runtime& runtime) {
    uint64_t calls = calls_.load();
    auto since = steady_clock::now();
    double cpu = cpu_seconds();
    while (true) {
        std::this_thread::sleep_for(tick);
        const auto now = steady_clock::now();
        if (calls_.load() != calls) {
            calls = calls_.load();
            since = now;
            cpu = cpu_seconds();
            continue;
        }
        const std::unique_lock lock(runtime.mutex, std::try_to_lock);
        if (!lock || runtime.queue.pending().empty()) continue;
        const double elapsed = std::chrono::duration<double>(now - since).count();
        const bool computes = cpu_seconds() - cpu > busy_share * elapsed;
        if (const OperationPointer host_function = first_host_function(runtime.queue);
            host_function && !computes && now - since > idle_before_host_function) {
            runtime.queue.run_until(host_function);
        } else if (now - since > idle_before_anything && has_host_visible_memory(runtime)) {
            say("the program made no CUDA call for 5 s while work was queued; it runs now" +
                std::string("\n  next: wait for it with cudaDeviceSynchronize()"));
            runtime.queue.run_until(runtime.queue.pending().rbegin()->second);
            since = steady_clock::now();
            cpu = cpu_seconds();
        }
    }
}

}  // namespace lanescope::cudart
