#include <algorithm>

#include "report/format.h"
#include "report/report.h"

namespace lanescope::report {
namespace {

// Nsight Compute writes "int *" and "A<B<int>>" where the demangler writes "int*" and "A<B<int> >".
std::string name_of(const std::string& kernel) {
    std::string text;
    for (const char c : kernel) {
        if ((c == '*' || c == '&') && !text.empty() && text.back() != ' ' && text.back() != '*' && text.back() != '&' && text.back() != '(') text += ' ';
        if (c == '>' && text.ends_with("> ")) text.pop_back();
        text += c;
    }
    return text;
}

std::string quoted(const std::string& field) {
    std::string text = "\"";
    for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
}

std::string row(std::initializer_list<std::string> fields) {
    std::string text;
    for (const std::string& field : fields) text += (text.empty() ? "" : ",") + quoted(field);
    return text + "\n";
}

}  // namespace

std::string ncu_csv(const Process& process, std::span<const Launch> launches, const Selection& metrics) {
    Selection ordered = metrics;
    for (counters::Wanted& wanted : ordered) wanted.by_ncu_name = true;   // whatever it was called, and once
    std::ranges::sort(ordered, {}, &counters::Wanted::ncu_name);
    ordered.erase(std::ranges::unique(ordered, {}, &counters::Wanted::ncu_name).begin(), ordered.end());

    std::string modelled;
    for (const counters::Wanted& wanted : ordered) {
        if (wanted.modelled()) modelled += (modelled.empty() ? "" : ", ") + wanted.ncu_name();
    }
    std::string text;
    if (!modelled.empty()) text += "==WARNING== Note: Modelled, not counted: " + modelled + ".\n";
    text += row({"ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size", "Device", "CC",
                 "Section Name", "Metric Name", "Metric Unit", "Metric Value"});
    for (size_t id = 0; id < launches.size(); ++id) {
        const Launch& launch = launches[id];
        for (const counters::Wanted& wanted : ordered) {
            text += row({std::to_string(id), std::to_string(process.id), process.name, "127.0.0.1", name_of(launch.kernel), "1", "7", triple(launch.block),
                         triple(launch.grid), std::to_string(launch.device), compute_capability(launch.gpu), "Command line profiler metrics",
                         wanted.ncu_name(), wanted.unit(), with_thousands(wanted.value(launch.counts))});
        }
    }
    return text;
}

}  // namespace lanescope::report
