#include <algorithm>

#include "report/format.h"
#include "report/report.h"
#include "report/rows.h"

namespace lanescope::report {
namespace {

bool same(const Launch& a, const Launch& b) {
    if (a.kernel != b.kernel || a.device != b.device || a.gpu != b.gpu || a.grid != b.grid || a.block != b.block) return false;
    std::vector<uint64_t> values[2];
    for (const Launch* launch : {&a, &b}) {
        auto& own = values[launch == &b];
        own.push_back(launch->counts.warp_instructions);
        MemoryCounts::for_each(launch->counts, [&](const std::string&, uint64_t value) { own.push_back(value); });
    }
    return values[0] == values[1];
}

std::string heading(const Launch& launch) {
    return fmt::format("{}\n  grid {}, block {}, {}", launch.kernel, triple(launch.grid), triple(launch.block), product_name(launch.gpu));
}

std::string time_text(double seconds) { return seconds < 1e-3 ? fmt::format("{:.2f} us", seconds * 1e6) : fmt::format("{:.3f} ms", seconds * 1e3); }

// Of equal launches: the shortest and the longest, for what is in L2 when they start may differ.
std::string times(std::span<const Launch> launches) {
    const auto [least, most] = std::ranges::minmax(launches, {}, [](const Launch& launch) { return launch.counts.time.seconds; });
    if (most.counts.time.seconds == 0) return "";   // the modelled clock is off
    const std::string first = time_text(least.counts.time.seconds), last = time_text(most.counts.time.seconds);
    return fmt::format("  modelled time: {}{}, mostly for {}\n", first, first == last ? "" : " to " + last, most.counts.time.limit);
}

// Lines of at most 100 columns, each indented by two blanks.
std::string wrapped(const std::string& sentence) {
    std::string text = " ";
    size_t column = 1;
    for (size_t begin = 0; begin < sentence.size();) {
        const size_t end = std::min(sentence.find(' ', begin), sentence.size());
        if (column + 1 + (end - begin) > 100) {
            text += "\n ";
            column = 1;
        }
        text += " " + sentence.substr(begin, end - begin);
        column += 1 + (end - begin);
        begin = end + 1;
    }
    return text + "\n";
}

}  // namespace

std::string table(std::span<const Launch> launches) {
    std::string text;
    for (size_t i = 0; i < launches.size();) {
        size_t end = i + 1;
        while (end < launches.size() && same(launches[i], launches[end])) ++end;
        const Launch& launch = launches[i];
        text += heading(launch);
        if (end - i > 1) text += fmt::format(", {} launches: each", end - i);
        text += "\n" + rows(launch.counts, is_kepler(launch.gpu), Zeros::global) + times(launches.subspan(i, end - i)) + wrapped(meaning(launch.counts));
        i = end;
        if (i < launches.size()) text += "\n";
    }
    return text;
}

std::string metric_list(std::span<const Launch> launches, const Selection& metrics) {
    size_t width = 0;
    for (const counters::Wanted& wanted : metrics) width = std::max(width, wanted.name.size());
    std::string text;
    for (const Launch& launch : launches) {
        if (!text.empty()) text += "\n";
        text += heading(launch) + "\n";
        for (const counters::Wanted& wanted : metrics) {
            const double value = wanted.value(launch.counts);
            text += fmt::format("  {:<{}}  {:>12}{}\n", wanted.name, width, value_text(wanted, value), wanted.modelled() ? "  (modelled)" : "");
        }
    }
    return text;
}

std::string metric_names() {
    std::string text, group;
    for (const counters::Metric& metric : counters::metrics()) {
        if (group != counters::group_name(metric.group)) {
            group = counters::group_name(metric.group);
            text += fmt::format("{}{}:\n", text.empty() ? "" : "\n", group);
        }
        text += "  " + std::string(metric.nvprof_or_ncu());
        if (!metric.nvprof.empty() && !metric.ncu.empty()) text += fmt::format(", {}", metric.ncu);
        if (!metric.names.also.empty()) text += fmt::format(", {}", metric.names.also);
        text += fmt::format("\n      {}\n", metric.meaning);
    }
    return text;
}

}  // namespace lanescope::report
