#include "report/rows.h"

#include <fmt/format.h>

namespace lanescope::report {

std::string rows(const counters::LaunchCounts& c, bool kepler, Zeros zeros) {
    std::string text;
    const auto memory = [&](const char* name, const MemoryTraffic& t, bool always, bool has_efficiency) {
        if (t.requests == 0 && !always) return;
        if (text.empty()) {
            text += fmt::format("  {:<19}{:>12}{:>14}{:>13}{:>12}\n", "", "requests", kepler ? "transactions" : "sectors", "per request", "efficiency");
        }
        const bool some = t.requests != 0;
        text += fmt::format("  {:<19}{:>12}{:>14}{:>13}{:>12}\n", name, t.requests, t.transactions,
                            some ? fmt::format("{:.2f}", static_cast<double>(t.transactions) / static_cast<double>(t.requests)) : "-",
                            some && has_efficiency ? fmt::format("{:.2f} %", t.efficiency_percent()) : "-");
    };
    const bool always = zeros == Zeros::global;
    memory("global loads", c.global_load, always, true);
    memory("global stores", c.global_store, always, true);
    memory("global atomics", c.global_atomic, false, false);
    memory("global reductions", c.global_reduction, false, false);
    memory("local loads", c.local_load, false, true);
    memory("local stores", c.local_store, false, true);

    bool heading = false;
    const auto shared = [&](const char* name, const SharedTraffic& t) {
        if (t.requests == 0) return;
        if (!heading) text += fmt::format("  {:<19}{:>12}{:>14}{:>13}{:>12}\n", "", "requests", "wavefronts", "per request", "conflicts");
        heading = true;
        text += fmt::format("  {:<19}{:>12}{:>14}{:>13.2f}{:>12}\n", name, t.requests, t.wavefronts,
                            static_cast<double>(t.wavefronts) / static_cast<double>(t.requests), t.conflicts);
    };
    shared("shared loads", c.shared_load);
    shared("shared stores", c.shared_store);
    shared("shared atomics", c.shared_atomic);
    return text;
}

}  // namespace lanescope::report
