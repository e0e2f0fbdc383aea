#include "timing/copy_time.h"

#include <algorithm>
#include <cmath>

namespace lanescope::timing {
namespace {

// Between the sizes of the table the rate changes with the logarithm of the size.
double rate_at(const RateBySize& table, double bytes) {
    if (bytes <= table.front().first) return table.front().second;
    for (size_t i = 1; i < table.size(); ++i) {
        if (bytes > table[i].first) continue;
        const double part = std::log(bytes / table[i - 1].first) / std::log(table[i].first / table[i - 1].first);
        return table[i - 1].second + part * (table[i].second - table[i - 1].second);
    }
    return table.back().second;
}

}  // namespace

double copy_seconds(const CopyShape& copy, const Costs& costs) {
    const auto bytes = static_cast<double>(copy.bytes);
    if (copy.bytes == 0) return 0;
    switch (copy.way) {
        case CopyWay::to_device: return costs.copy_setup_seconds + bytes / (copy.pinned ? costs.to_device_bytes_per_second : rate_at(costs.pageable_to_device, bytes));
        case CopyWay::from_device: return costs.copy_setup_seconds + bytes / (copy.pinned ? costs.from_device_bytes_per_second : rate_at(costs.pageable_from_device, bytes));
        case CopyWay::within_device: return costs.launch_seconds + 2 * bytes / costs.dram_bytes_per_second;
        case CopyWay::within_host: break;
    }
    return bytes / costs.to_device_bytes_per_second;
}

double fill_seconds(uint64_t bytes, const Costs& costs) { return bytes == 0 ? 0 : costs.launch_seconds + static_cast<double>(bytes) / costs.dram_bytes_per_second; }

}  // namespace lanescope::timing
