// Counting for programs that ask: lanescopeBeginCount and lanescopeEndCount (counters/provider.h).
#include "counters/provider.h"

#include "cudart/counting.h"
#include "cudart/runtime.h"

namespace lanescope::cudart {
namespace {

// Work that was queued before does not count, and what was queued since does.
void finish_queued_work(Runtime& runtime) {
    for (const auto& context : runtime.contexts) {
        if (!context->error) runtime.queue.run_all(*context);
    }
}

void hand_over(const CountedLaunch& launch, const LanescopeCountSink& sink) {
    const uint32_t grid[3] = {launch.grid.x, launch.grid.y, launch.grid.z};
    const uint32_t block[3] = {launch.block.x, launch.block.y, launch.block.z};
    sink.launch(sink.context, launch.kernel.c_str(), grid, block);
    sink.counter(sink.context, "warp_instructions", "", 0, launch.counters.warp_instructions);
    sink.counter(sink.context, "busiest_warp_instructions", "", 0, launch.counters.busiest_warp_instructions);
    const auto memory = [&](const MemoryCounts& counts, const char* file, uint32_t line) {
        MemoryCounts::for_each(counts, [&](const std::string& name, uint64_t value) { sink.counter(sink.context, name.c_str(), file, line, value); });
    };
    memory(launch.counters, "", 0);
    for (const auto& line : launch.counters.lines) memory(line, line.file.c_str(), line.number);
}

}  // namespace
}  // namespace lanescope::cudart

using namespace lanescope::cudart;

extern "C" int lanescopeBeginCount() {
    Runtime& runtime = Runtime::instance();
    std::lock_guard lock(runtime.mutex);
    if (runtime.counting.active) return 1;
    finish_queued_work(runtime);
    runtime.counting = {};
    runtime.counting.active = true;
    return 0;
}

extern "C" int lanescopeEndCount(const LanescopeCountSink* sink) {
    Runtime& runtime = Runtime::instance();
    std::lock_guard lock(runtime.mutex);
    if (!runtime.counting.active) return 1;
    finish_queued_work(runtime);
    for (const CountedLaunch& launch : runtime.counting.launches) hand_over(launch, *sink);
    sink->counter(sink->context, "copied_to_device_bytes", "", 0, runtime.counting.copied_to_device_bytes);
    sink->counter(sink->context, "copied_to_host_bytes", "", 0, runtime.counting.copied_to_host_bytes);
    runtime.counting = {};
    return 0;
}
