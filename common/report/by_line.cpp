#include <algorithm>
#include <map>

#include "report/format.h"
#include "report/report.h"
#include "report/rows.h"

namespace lanescope::report {
namespace {

void add(counters::LaunchCounts& sum, const counters::LaunchCounts& more) {
    std::vector<uint64_t> values;
    MemoryCounts::for_each(static_cast<const MemoryCounts&>(more), [&](const std::string&, uint64_t value) { values.push_back(value); });
    size_t i = 0;
    MemoryCounts::for_each(static_cast<MemoryCounts&>(sum), [&](const std::string&, uint64_t& value) { value += values[i++]; });
    sum.warp_instructions += more.warp_instructions;
}

// Bytes that requests moved for nothing, and those that conflicting wavefronts could have carried.
uint64_t wasted_bytes(const counters::LaunchCounts& c) {
    uint64_t bytes = 0;
    for (const MemoryTraffic* t : {&c.global_load, &c.global_store, &c.local_load, &c.local_store}) bytes += t->moved_bytes - t->requested_bytes;
    for (const SharedTraffic* t : {&c.shared_load, &c.shared_store, &c.shared_atomic}) bytes += 128 * t->conflicts;
    return bytes;
}

uint64_t moved_bytes(const counters::LaunchCounts& c) {
    return c.global_load.moved_bytes + c.global_store.moved_bytes + 32 * (c.global_atomic.sectors + c.global_reduction.sectors) + c.local_load.moved_bytes +
           c.local_store.moved_bytes + 128 * (c.shared_load.wavefronts + c.shared_store.wavefronts + c.shared_atomic.wavefronts);
}

std::string trimmed(const std::string& text) {
    const size_t begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

struct Kernel {
    std::string name, gpu;
    size_t launches = 0;
    counters::LaunchCounts whole;
    std::map<std::pair<std::string, int>, counters::LineCounts> lines;
};

std::string selected_rows(const counters::LaunchCounts& counts, const Selection& metrics) {
    std::string text;
    for (const counters::Wanted& wanted : metrics) {
        const double value = wanted.value(counts);
        if (value == 0) continue;
        text += fmt::format("  {:<60}  {:>12}{}\n", wanted.name, value_text(wanted, value), wanted.modelled() ? "  (modelled)" : "");
    }
    return text;
}

}  // namespace

std::string by_line(std::span<const Launch> launches, const Selection& metrics, const SourceLine& source) {
    std::vector<Kernel> kernels;
    for (const Launch& launch : launches) {
        auto kernel = std::ranges::find_if(kernels, [&](const Kernel& k) { return k.name == launch.kernel && k.gpu == launch.gpu; });
        if (kernel == kernels.end()) kernel = kernels.insert(kernels.end(), Kernel{launch.kernel, launch.gpu, 0, {}, {}});
        ++kernel->launches;
        add(kernel->whole, launch.counts);
        for (const counters::LineCounts& line : launch.lines) {
            counters::LineCounts& sum = kernel->lines[{line.file, line.line}];
            sum.file = line.file;
            sum.line = line.line;
            add(sum, line);
        }
    }
    std::string text;
    for (const Kernel& kernel : kernels) {
        if (!text.empty()) text += "\n";
        text += fmt::format("{}\n  {}, {}\n", kernel.name, kernel.launches == 1 ? "1 launch" : fmt::format("{} launches", kernel.launches),
                            product_name(kernel.gpu));
        if (std::ranges::any_of(metrics, &counters::Wanted::needs_time)) {
            text += "  Times and rates are of whole launches, not of lines: leave out --by-line to see them.\n";
        }
        std::vector<counters::LineCounts> lines;
        for (const auto& [where, line] : kernel.lines) lines.push_back(line);
        std::ranges::stable_sort(lines, [](const auto& a, const auto& b) {
            return std::pair(wasted_bytes(a), moved_bytes(a)) > std::pair(wasted_bytes(b), moved_bytes(b));
        });
        bool shown = false;
        for (const counters::LineCounts& line : lines) {
            const std::string own = metrics.empty() ? rows(line, is_kepler(kernel.gpu), Zeros::none) : selected_rows(line, metrics);
            if (own.empty()) continue;
            shown = true;
            const std::string code = trimmed(source(line.file, line.line));
            text += fmt::format("\n{}:{}\n  {}\n{}", line.file, line.line, code.empty() ? "(the source cannot be read)" : code, own);
        }
        if (shown) continue;
        const bool unknown = lines.empty() && moved_bytes(kernel.whole) != 0;
        text += unknown            ? "  No source lines are known: compile with nvcc -lineinfo.\n"
                : metrics.empty() ? "  " + meaning(kernel.whole) + "\n"
                                  : "  No line of it counts any of these metrics.\n";
    }
    return text;
}

}  // namespace lanescope::report
