// Counting for programs that ask: lanescopeBeginCount and lanescopeEndCount (counters/provider.h).
#include "counters/provider.h"

#include <fstream>

#include <nlohmann/json.hpp>

#include "cudart/counting.h"
#include "cudart/runtime.h"

namespace lanescope::cudart {

namespace {

nlohmann::ordered_json time_of(const timing::KernelTime& time) {
    if (time.kernel_seconds == 0) return nullptr;
    return {{"kernel_seconds", time.kernel_seconds}, {"cycles", time.cycles}, {"limit", time.limit}, {"dram_read_bytes", time.dram_read_bytes},
            {"dram_write_bytes", time.dram_write_bytes}, {"dram_peak_percent", time.dram_peak_percent}};
}

}  // namespace

void append_launch(const std::string& file, const CountedLaunch& launch) {
    using nlohmann::ordered_json;
    ordered_json totals;
    totals["warp_instructions"] = launch.counters.warp_instructions;
    MemoryCounts::for_each(launch.counters, [&](const std::string& name, uint64_t value) { totals[name] = value; });
    ordered_json lines = ordered_json::array();
    for (const auto& line : launch.counters.lines) {
        ordered_json own;
        MemoryCounts::for_each(line, [&](const std::string& name, uint64_t value) {
            if (value != 0) own[name] = value;
        });
        lines.push_back({{"file", line.file}, {"line", line.number}, {"counters", own}});
    }
    ordered_json first_requests = ordered_json::array();
    for (const counters::FirstRequest& request : launch.counters.first_requests) {
        ordered_json cost;
        MemoryCounts whole;   // gives the counters their names
        whole.global_load = request.memory;
        whole.shared_load = request.shared;
        MemoryCounts::for_each(whole, [&](const std::string& name, uint64_t value) {
            if (value != 0) cost[name.substr(name.find("_load_") + 6)] = value;
        });
        first_requests.push_back({{"action", request.action}, {"space", request.space}, {"file", request.file}, {"line", request.line},
                                  {"bytes", request.bytes}, {"mask", request.mask}, {"offset_bytes", request.offset_bytes}, {"cost", cost}});
    }
    const ordered_json record{{"kernel", launch.kernel},
                              {"device", launch.device},
                              {"gpu", launch.gpu},
                              {"grid", {launch.grid.x, launch.grid.y, launch.grid.z}},
                              {"block", {launch.block.x, launch.block.y, launch.block.z}},
                              {"time", time_of(launch.time)},
                              {"counters", totals},
                              {"lines", lines},
                              {"first_requests", first_requests}};
    static bool told = false;
    std::ofstream stream(file, std::ios::app);
    if ((stream << record.dump() << '\n').flush() || told) return;
    told = true;
    say("counters cannot be written to " + file + ", which LANESCOPE_COUNTERS names\n  next: name a file in a folder that exists");
}

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
    sink.launch(sink.context, launch.kernel.c_str(), grid, block, launch.time.kernel_seconds, std::string(launch.time.limit).c_str());
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
    runtime.counting.launches.clear();
    runtime.counting.copied_to_device_bytes = runtime.counting.copied_to_host_bytes = 0;
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
    runtime.counting.launches.clear();
    runtime.counting.active = false;
    return 0;
}
