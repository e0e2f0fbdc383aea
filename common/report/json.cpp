#include <nlohmann/json.hpp>

#include "report/format.h"
#include "report/report.h"

namespace lanescope::report {
namespace {

using nlohmann::ordered_json;

// Counts are written as whole numbers.
ordered_json value_of(const counters::Wanted& wanted, const counters::LaunchCounts& counts) {
    const double value = wanted.value(counts);
    if (wanted.kind() == counters::Kind::count) return static_cast<uint64_t>(value);
    return value;
}

}  // namespace

std::string json(std::span<const Launch> launches, const Selection& metrics) {
    ordered_json all = ordered_json::array();
    for (const Launch& launch : launches) {
        ordered_json values = ordered_json::object(), modelled = ordered_json::array(), lines = ordered_json::array();
        for (const counters::Wanted& wanted : metrics) {
            values[wanted.name] = value_of(wanted, launch.counts);
            if (wanted.modelled()) modelled.push_back(wanted.name);
        }
        for (const counters::LineCounts& line : launch.lines) {
            ordered_json own = ordered_json::object();
            for (const counters::Wanted& wanted : metrics) {
                if (wanted.value(line) != 0) own[wanted.name] = value_of(wanted, line);
            }
            lines.push_back({{"file", line.file}, {"line", line.line}, {"metrics", own}});
        }
        all.push_back({{"kernel", launch.kernel}, {"gpu", launch.gpu}, {"compute_capability", compute_capability(launch.gpu)}, {"device", launch.device},
                       {"grid", launch.grid}, {"block", launch.block}, {"metrics", values}, {"modelled", modelled}, {"lines", lines}});
    }
    return all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace lanescope::report
