// The modelled clock while a kernel runs: scoreboards of the warps of some blocks, and what all of them ask of the GPU's units.
#include <algorithm>
#include <bit>

#include "machine/grid.h"

namespace lanescope::machine {

using timing::L2Cache;

namespace {

constexpr uint64_t timed_blocks = 256;   // at least so many have scoreboards, spread over the launch

}  // namespace

void Grid::prepare_timing() {
    if (!timed()) return;
    prepare_managed_memory();
    const uint64_t blocks = launch_.grid.count();
    timed_stride_ = setup_.timed_program->reads_clock ? 1 : std::max<uint64_t>(1, blocks / timed_blocks);
}

void Grid::prepare_managed_memory() {
    for (auto& [address, range] : setup_.space.managed_pages().ranges()) {
        // Without page faults all of it must be there before.
        if (!setup_.gpu.concurrent_managed_access)
            work_.sent_before_bytes += static_cast<double>(setup_.space.managed_pages().move(address, range.bytes, setup_.device));
        const uint64_t first = line_number(address);
        managed_lines_.push_back({first, first + (range.bytes + access::line_bytes - 1) / access::line_bytes, &range});
    }
    std::ranges::sort(managed_lines_, {}, &ManagedLines::first);
}

const Grid::ManagedLines* Grid::managed_lines_at(uint64_t number) const {
    const auto after = std::ranges::upper_bound(managed_lines_, number, {}, &ManagedLines::first);
    if (after == managed_lines_.begin() || number >= std::prev(after)->end) return nullptr;
    return &*std::prev(after);
}

// The page of a line, now touched. False: it stays at the host.
bool Grid::comes_to_device(const ManagedLines& lines, uint64_t number) {
    ManagedPages::Range& range = *lines.range;
    const uint64_t page = std::min<uint64_t>((number - lines.first) * access::line_bytes / ManagedPages::page_bytes, range.where.size() - 1);
    if (range.where[page] == setup_.device) return true;
    if (range.stays_at_host) return false;
    range.move_page(page, setup_.device);
    work_.migrated_bytes += static_cast<double>(range.page_size(page));
    slowest_line_cycles_ = std::max(slowest_line_cycles_, setup_.costs.page_fault_seconds * setup_.costs.clock_hz);
    return true;
}

// Blocks beyond those that fit at once begin when others have ended.
void Grid::start_clock(Block& block) {
    const bool has_clock = timed() && block.number % timed_stride_ == 0;
    const double average = timed_warps_ == 0 ? 0 : lifetimes_ / static_cast<double>(timed_warps_);
    const double at = static_cast<double>(setup_.clock) + static_cast<double>(block.number / std::max<size_t>(1, capacity_)) * average;
    block.synced_at = at;
    block.busy_at_sync = {};
    for (Warp& warp : block.warps) {
        warp.has_clock = has_clock;
        if (has_clock) warp.clock.start(setup_.timed_program->register_count, at);
    }
}

// All of a block's warps meet: none goes on before the last, nor before its scheduler has served those that share it.
void Grid::synchronise_clocks(Block& block) {
    if (!block.warps.front().has_clock) return;
    double at = block.synced_at;
    std::array<double, schedulers> busy{};
    for (const Warp& warp : block.warps) {
        at = std::max(at, warp.clock.now());
        busy[warp.index % schedulers] += warp.clock.busy();
    }
    for (uint32_t i = 0; i < schedulers; ++i) {
        at = std::max(at, block.synced_at + busy[i] - block.busy_at_sync[i]);
        block.busy_at_sync[i] = busy[i];
    }
    block.synced_at = at;
    for (Warp& warp : block.warps) warp.clock.wait_until(at);
}

void Grid::stop_clock(Warp& warp) {
    if (!warp.has_clock) return;
    warp.has_clock = false;
    const double lifetime = warp.clock.end() - warp.clock.started();
    ++timed_warps_;
    lifetimes_ += lifetime;
    longest_lifetime_ = std::max(longest_lifetime_, lifetime);
    busy_ += warp.clock.busy();
}

uint64_t Grid::clock(const Warp& warp) const { return warp.has_clock ? static_cast<uint64_t>(warp.clock.now()) : setup_.clock + executed_; }

// When the result of the operation that just ran will be there.
void Grid::complete(Warp& warp, uint32_t pc) {
    const timing::TimedOperation& op = setup_.timed_program->operations[pc];
    double latency = op.latency;
    const timing::Costs& costs = setup_.costs;
    switch (op.path) {
        case timing::Path::global:
            latency = slowest_line_cycles_;
            if (wavefronts_ > 1) warp.clock.occupy(wavefronts_ - 1);
            break;
        case timing::Path::shared:
            latency = costs.shared_cycles + std::max(0.0, wavefronts_ - 1);
            break;
        case timing::Path::local: latency = costs.l1_cycles; break;
        case timing::Path::constant:
        case timing::Path::arithmetic: break;
    }
    warp.clock.result_after(op, setup_.timed_program->registers.data(), latency);
    slowest_line_cycles_ = 0;
    wavefronts_ = 0;
}

// A line of a request to global memory that L1 did not answer, or a store or atomic.
void Grid::time_line(uint64_t number, uint32_t sectors, bool writes) {
    const timing::Costs& costs = setup_.costs;
    const auto count = static_cast<uint32_t>(std::popcount(sectors));
    const ManagedLines* const managed = number < device_lines_ ? nullptr : managed_lines_at(number);
    if (managed && comes_to_device(*managed, number)) {
        number = device_lines_ - 1 - (number - managed->first) % device_lines_;   // its place in the GPU's memory: as if at the end
    } else if (number >= device_lines_) {   // memory of the host
        (writes ? work_.host_write_sectors : work_.host_read_sectors) += count;
        slowest_line_cycles_ = std::max(slowest_line_cycles_, costs.host_cycles);
        return;
    }
    const L2Cache::Found found = setup_.l2.access(number, sectors);
    work_.l2_sectors += count;
    (writes ? work_.dram_write_sectors : work_.dram_read_sectors) += static_cast<uint32_t>(std::popcount(found.missing));
    const double cycles = found.level == L2Cache::Level::near ? costs.l2_cycles : found.level == L2Cache::Level::far ? costs.l2_far_cycles : costs.dram_cycles;
    slowest_line_cycles_ = std::max(slowest_line_cycles_, cycles);
}

// The lines of a store, as L1Cache's entries, and how many sectors it writes in part.
void Grid::time_store(const uint64_t* entries, size_t lines, uint64_t partial_sectors) {
    work_.l1_other_lines += static_cast<double>(lines);
    wavefronts_ += static_cast<double>(lines);
    work_.partial_sectors += static_cast<double>(partial_sectors);
    for (size_t i = 0; i < lines; ++i) time_line(L1Cache::line_of(entries[i]), L1Cache::sectors_of(entries[i]), true);
}

timing::KernelTime Grid::time() const {
    timing::Work work = work_;
    work.blocks = launch_.grid.count();
    work.warps = work.blocks * warps_per_block_;
    work.resident_warps = capacity_ * warps_per_block_;
    const double count = std::max<double>(1, static_cast<double>(timed_warps_));
    work.warp_cycles = lifetimes_ / count;
    work.longest_warp_cycles = longest_lifetime_;
    work.busy_cycles = busy_ / count;
    for (const Site& site : sites_) work.shared_cycles += static_cast<double>(site.shared.wavefronts);
    return timing::kernel_time(work, setup_.costs);
}

}  // namespace lanescope::machine
