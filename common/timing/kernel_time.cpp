#include "timing/kernel_time.h"

#include <algorithm>
#include <cmath>

namespace lanescope::timing {

KernelTime kernel_time(const Work& work, const Costs& costs) {
    constexpr double sector_bytes = 32, schedulers = 4;
    const auto transfer = [&](double sectors, double bytes_per_second) { return sectors * sector_bytes / bytes_per_second * costs.clock_hz; };
    const double sms = costs.sm_count;
    const double used_sms = std::max(1.0, std::min(sms, static_cast<double>(work.blocks)));
    const double used_schedulers = std::max(1.0, std::min(used_sms * schedulers, static_cast<double>(work.warps)));
    const auto warps = static_cast<double>(work.warps), resident = std::max(1.0, static_cast<double>(std::min(work.resident_warps, work.warps)));
    // A warp that takes the place of another waits for the block to be replaced.
    const double waits = warps > resident ? costs.block_turnaround_cycles : 0;

    const double host_reads = transfer(work.host_read_sectors, costs.to_device_bytes_per_second);
    const double host_writes = transfer(work.host_write_sectors, costs.from_device_bytes_per_second);

    const double migrations = work.migrated_bytes == 0 ? 0 : costs.page_fault_seconds + work.migrated_bytes / costs.migration_bytes_per_second;

    struct Need {
        std::string_view unit;
        double cycles;
    };
    const Need needs[] = {
        {"latency", std::max((work.warp_cycles + waits) * warps / resident, work.longest_warp_cycles)},
        {"issue", work.busy_cycles * warps / used_schedulers},
        {"L1", (work.l1_load_lines * costs.l1_load_line_cycles + work.l1_other_lines) / used_sms},
        {"shared memory", work.shared_cycles / used_sms},
        {"L2", transfer(work.l2_sectors, costs.l2_bytes_per_second)},
        {"DRAM", transfer(work.dram_read_sectors + work.dram_write_sectors, costs.dram_bytes_per_second)},
        {"partial sectors", work.partial_sectors / costs.partial_sectors_per_cycle},
        {"reads from the host", host_reads + (costs.link_is_full_duplex ? 0 : host_writes)},
        {"writes to the host", host_writes},
        {"page migrations", (migrations + work.sent_before_bytes / costs.to_device_bytes_per_second) * costs.clock_hz},
        {"starting blocks", static_cast<double>(work.blocks) * costs.block_interval_cycles},
    };
    KernelTime time;
    double cubes = 0, most = 0;
    for (const Need& need : needs) {
        cubes += need.cycles * need.cycles * need.cycles;
        if (need.cycles <= most) continue;
        most = need.cycles;
        time.limit = need.unit;
    }
    time.cycles = std::cbrt(cubes);
    time.seconds = costs.launch_seconds + time.cycles / costs.clock_hz;
    time.kernel_seconds = costs.kernel_start_seconds + time.cycles / costs.clock_hz;
    time.dram_read_bytes = work.dram_read_sectors * sector_bytes;
    time.dram_write_bytes = sector_bytes * std::max(0.0, work.dram_write_sectors - std::floor(costs.l2_dirty_bytes / sector_bytes));
    time.dram_peak_percent = 100 * (time.dram_read_bytes + time.dram_write_bytes) / time.kernel_seconds / costs.peak_dram_bytes_per_second;
    return time;
}

}  // namespace lanescope::timing
