/// \file
/// The L2 cache: how far away the sectors of a line are.
///
///     L2Cache l2(device_lines, 60 << 20, true);
///     L2Cache::Found found = l2.access(line, 0b1111);     // found.level: near, far or dram; found.missing: sectors that came from DRAM
///
/// Assumptions. A line is in the cache if fewer other lines than fit were accessed since it was accessed itself; accesses to lines that
/// are used all the time (within a sixteenth of the cache) do not count as others. A cache of two partitions keeps a copy of what
/// its multiprocessors use in the near one, which holds about half. Capacities are not sharp: of an H200's 60 MB the near half answers
/// everything up to 28 MB and nothing beyond 35 MB, the whole everything up to 54 MB and nothing beyond 66 MB, for a pointer chase
/// (chapters/06_latency); in between a hash decides, line by line. Reads and writes are alike. Copies by the host do not change what is in it. Known
/// deviations: sets, policies, and which partition a multiprocessor is near to. Host side only.
#pragma once

#include <sys/mman.h>

#include <cstdint>

namespace lanescope::timing {

class L2Cache {
public:
    enum class Level : uint8_t { near, far, dram };
    struct Found {
        Level level;
        uint32_t missing;   ///< bit s: sector s came from DRAM
    };

    L2Cache(uint64_t device_lines, uint64_t bytes, bool has_far_partition) : lines_(device_lines) {
        constexpr uint64_t line_bytes = 128;
        const auto in_lines = [&](double share) { return static_cast<uint32_t>(share * static_cast<double>(bytes / line_bytes)); };
        near_ = {in_lines(28.0 / 60), in_lines(7.0 / 60)};
        whole_ = {in_lines(54.0 / 60), in_lines(12.0 / 60)};
        if (!has_far_partition) near_ = whole_;
        hot_ = in_lines(1.0 / 16);
        now_ = 2 * (whole_.certain + whole_.doubtful);
        void* const reserved = mmap(nullptr, lines_ * sizeof(uint32_t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (reserved == MAP_FAILED) lines_ = 0;   // then everything comes from DRAM
        else stamps_ = static_cast<uint32_t*>(reserved);
    }
    ~L2Cache() {
        if (stamps_) munmap(stamps_, lines_ * sizeof(uint32_t));
    }
    L2Cache(const L2Cache&) = delete;
    L2Cache& operator=(const L2Cache&) = delete;

    /// `line` counts from the start of device memory on; bit s of `sectors` is its sector s.
    Found access(uint64_t line, uint32_t sectors) {
        if (line >= lines_) return {Level::dram, sectors};
        uint32_t& stamp = stamps_[line];
        const uint32_t age = (now_ - (stamp >> sector_bits)) & time_mask;
        const uint32_t chance = static_cast<uint32_t>((line * 0x9E3779B97F4A7C15ull + stamp) * 0xD6E8FEB86659FD93ull >> 40) & 0xFFFF;
        const bool known = (stamp & all_sectors) != 0;
        const Level level = !known ? Level::dram : near_.holds(age, chance) ? Level::near : whole_.holds(age, chance) ? Level::far : Level::dram;
        if (!known || age > hot_) now_ = (now_ + 1) & time_mask;
        const uint32_t there = level == Level::dram ? 0 : stamp & all_sectors;
        stamp = now_ << sector_bits | there | sectors;
        const uint32_t missing = sectors & ~there;
        return {missing != 0 ? Level::dram : level, missing};
    }

private:
    static constexpr int sector_bits = 4;
    static constexpr uint32_t all_sectors = 15, time_mask = (1u << 28) - 1;
    struct Capacity {
        uint32_t certain = 0, doubtful = 0;   ///< lines
        bool holds(uint32_t age, uint32_t chance) const { return age <= certain + static_cast<uint32_t>(uint64_t{doubtful} * chance >> 16); }
    };

    uint64_t lines_;
    Capacity near_, whole_;
    uint32_t hot_ = 0;
    uint32_t now_ = 0;               ///< accesses to lines that were not hot
    uint32_t* stamps_ = nullptr;     ///< of each line the time of its last access, and its sectors; 0: never accessed
};

}  // namespace lanescope::timing
