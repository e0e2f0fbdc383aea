// The layout of `nvprof --metrics`: column widths and number formats as nvprof 10 and 11 print them.
#include <algorithm>

#include "report/format.h"
#include "report/report.h"

namespace lanescope::report {
namespace {

struct Kernel {
    std::string device, name;
    std::vector<const Launch*> launches;
};

std::vector<Kernel> kernels_of(std::span<const Launch> launches) {
    std::vector<Kernel> kernels;
    for (const Launch& launch : launches) {
        const std::string device = fmt::format("{} ({})", product_name(launch.gpu), launch.device);
        auto kernel = std::ranges::find_if(kernels, [&](const Kernel& k) { return k.device == device && k.name == launch.kernel; });
        if (kernel == kernels.end()) kernel = kernels.insert(kernels.end(), Kernel{device, launch.kernel, {}});
        kernel->launches.push_back(&launch);
    }
    std::ranges::stable_sort(kernels, {}, &Kernel::device);
    return kernels;
}

std::string value_text(double value, const counters::Wanted& wanted) {
    if (wanted.per_second) return fmt::format("{:.5e}", value);
    switch (wanted.kind()) {
        case counters::Kind::count: return fmt::format("{:.0f}", value);
        case counters::Kind::ratio: return fmt::format("{:.6f}", value);
        case counters::Kind::bytes_per_second: return rate(value, "");
        default: return fmt::format("{:.2f}%", value);
    }
}

}  // namespace

std::string nvprof(const Process& process, std::span<const Launch> launches, const Selection& metrics) {
    const auto title = [](const counters::Wanted& wanted) { return std::string(wanted.metric->title) + (wanted.per_second ? " per second" : "") + (wanted.modelled() ? " (modelled)" : ""); };
    size_t name_width = 42, title_width = 42;
    for (const counters::Wanted& wanted : metrics) {
        name_width = std::max(name_width, wanted.name.size() + 2);
        title_width = std::max(title_width, title(wanted).size() + 2);
    }
    std::string text = fmt::format("=={0}== Profiling application: {1}\n=={0}== Profiling result:\n=={0}== Metric result:\n", process.id, process.command);
    text += fmt::format("{:>11}{:>{}}{:>{}}{:>12}{:>12}{:>12}\n", "Invocations", "Metric Name", name_width, "Metric Description", title_width, "Min", "Max", "Avg");
    std::string device;
    for (const Kernel& kernel : kernels_of(launches)) {
        if (kernel.device != device) text += fmt::format("Device \"{}\"\n", kernel.device);
        device = kernel.device;
        text += fmt::format("    Kernel: {}\n", kernel.name);
        for (const counters::Wanted& wanted : metrics) {
            double least = 0, most = 0, sum = 0;
            for (const Launch* launch : kernel.launches) {
                const double value = wanted.value(launch->counts);
                least = launch == kernel.launches.front() ? value : std::min(least, value);
                most = std::max(most, value);
                sum += value;
            }
            text += fmt::format("{:>11}{:>{}}{:>{}}{:>12}{:>12}{:>12}\n", kernel.launches.size(), wanted.name, name_width, title(wanted), title_width,
                                value_text(least, wanted), value_text(most, wanted), value_text(sum / static_cast<double>(kernel.launches.size()), wanted));
        }
    }
    return text;
}

}  // namespace lanescope::report
