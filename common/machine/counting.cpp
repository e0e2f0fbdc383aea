// What memory requests cost: the rules of common/access and the L1 caches, applied while the kernel runs.
#include <algorithm>
#include <bit>
#include <cstring>

#include "access/atomic.h"
#include "access/blocks.h"
#include "access/global.h"
#include "access/local.h"
#include "access/shared.h"
#include "machine/grid.h"

namespace lanescope::machine {

using program::Cache;
using program::Opcode;
using program::Operation;
using program::Order;
using program::Space;

namespace {

// Whether the compiler lets the warp combine its lanes' operands, see access/atomic.h. That it can prove the address
// the same for all lanes is taken from the address being the same for the whole launch.
bool is_added_up_first(const Operation& op, bool result_used, const std::vector<std::byte>& constants) {
    using program::Atomic;
    if (op.vector_width > 1 || !program::is_integer(op.type)) return false;
    const bool constant_value = op.s[1].base == 1;
    if (op.space == Space::shared && op.atomic == Atomic::add && !result_used && constant_value) {
        uint32_t value = 0;   // a counter that goes up by 1 has an instruction of its own
        std::memcpy(&value, constants.data() + op.s[1].offset, sizeof value);
        if (value == 1) return true;
    }
    if (op.s[0].base != 1) return false;
    const int bits = program::bits_of(op.type);
    switch (op.atomic) {
        case Atomic::add: return bits == 32 || constant_value;
        case Atomic::min:
        case Atomic::max:
        case Atomic::and_:
        case Atomic::or_:
        case Atomic::xor_: return bits == 32 && !result_used;
        default: return false;
    }
}

// What access::global_load and global_store say where requests are never split and move sectors; transactions and moved
// bytes are worked out from the sectors at the end.
void add_simple(MemoryTraffic& sum, const access::Blocks& blocks, uint32_t bytes) {
    ++sum.requests;
    sum.sectors += blocks.sectors;
    sum.requested_bytes += uint64_t{blocks.elements} * bytes;
}

// Sums of a site as the hardware names them.
void add(MemoryCounts& sum, const Site& site) {
    switch (site.kind) {
        case SiteKind::load:
            sum.global_load += site.global;
            sum.local_load += site.local;
            sum.shared_load += site.shared;
            break;
        case SiteKind::copy_to_shared:
            sum.global_load += site.global;
            sum.shared_store += site.shared;
            break;
        case SiteKind::store:
            sum.global_store += site.global;
            sum.local_store += site.local;
            sum.shared_store += site.shared;
            break;
        case SiteKind::atomic:
        case SiteKind::reduction:
            (site.kind == SiteKind::atomic ? sum.global_atomic : sum.global_reduction) += site.global;
            sum.shared_atomic += site.shared;
            break;
        case SiteKind::none: break;
    }
    sum.l2_read_sectors += site.l2_read_sectors;
}

}  // namespace

Site site_of(const Operation& op, bool caches_loads, const std::vector<std::byte>& constants) {
    Site site;
    switch (op.opcode) {
        case Opcode::ld:
        case Opcode::ldu:
            if (op.space == Space::constant || op.space == Space::param) return site;   // have paths of their own
            site.kind = SiteKind::load;
            site.with_last_load = op.with_last_load;
            // Only weak and volatile loads may be served by L1, and volatile ones are not.
            site.through_l1 = op.order == Order::weak && (op.cache == Cache::none || op.cache == Cache::lu ? caches_loads || op.has(program::flag::nc)
                                                          : op.cache == Cache::ca || op.cache == Cache::cs);
            site.leaves_nothing = op.cache == Cache::lu;
            return site;
        case Opcode::st: site.kind = SiteKind::store; return site;
        case Opcode::atom: site.kind = op.result_used ? SiteKind::atomic : SiteKind::reduction; break;
        case Opcode::red: site.kind = SiteKind::reduction; break;
        case Opcode::cp_async: site.kind = SiteKind::copy_to_shared; site.through_l1 = op.cache == Cache::ca; return site;
        default: return site;
    }
    site.compares = op.atomic == program::Atomic::cas;
    if (is_added_up_first(op, site.kind == SiteKind::atomic, constants)) site.collisions = access::Collisions::combined;
    // These count as atomics, whether the result is used or not.
    const bool never_reduces = op.atomic == program::Atomic::exch || op.atomic == program::Atomic::cas || op.type == program::Type::f16x2;
    if (never_reduces) site.kind = SiteKind::atomic;
    return site;
}

void Grid::prepare_counting() {
    const program::Program& program = setup_.program;
    rules_ = access::rules_of(setup_.gpu, setup_.options.l1);
    simple_rules_ = !rules_.splits_wide_lanes && rules_.transaction_bytes == access::sector_bytes && rules_.load_block_bytes == access::sector_bytes;
    sites_.reserve(program.operations.size());
    counting_ = launch_.counters != nullptr;
    first_line_ = setup_.space.device_base() / access::line_bytes;
    for (const Operation& op : program.operations) sites_.push_back(counting_ ? site_of(op, rules_.caches_loads, program.constants) : Site{});
    l1_.resize(setup_.gpu.sm_count);
}

L1Cache& Grid::l1_of(const Warp& warp) {
    std::unique_ptr<L1Cache>& cache = l1_[warp.block->sm];
    if (!cache) cache = std::make_unique<L1Cache>(l1_bytes_);
    return *cache;
}

// A multiprocessor's cache is seldom in the host's: the look-up waits until a few more have come, while its set is fetched.
void Grid::look_up(Warp& warp, L1Cache& cache, uint64_t line, uint32_t sectors) {
    LookUp& next = look_ups_[look_up_count_++ % look_ups_.size()];
    if (next.site) perform(next);
    line = (line - first_line_ + 1) & L1Cache::most_line;   // the same in every run, wherever the process's memory lies
    next = {warp.site, &cache, line, sectors, warp.load_group};
    cache.prefetch(line);
}

void Grid::finish_look_ups() {
    for (size_t i = 0; i < look_ups_.size(); ++i) {
        LookUp& next = look_ups_[(look_up_count_ + i) % look_ups_.size()];
        if (next.site) perform(next);
        next.site = nullptr;
    }
}

void Grid::perform(const LookUp& request) {
    Site& site = *request.site;
    L1Cache& cache = *request.cache;
    if (site.kind == SiteKind::store) {
        cache.look_up(request.line, request.sectors);
        return;
    }
    if (site.kind == SiteKind::atomic || site.kind == SiteKind::reduction) {
        cache.drop(request.line, request.sectors);
        return;
    }
    uint32_t there = 0;
    if (!site.through_l1) {
        there = cache.bypass(request.line, request.sectors, request.load_group);
    } else if (site.leaves_nothing) {
        const uint32_t hits = cache.peek(request.line) & request.sectors;
        site.global.l1_hit_sectors += std::popcount(hits);
        there = hits | cache.bypass(request.line, request.sectors & ~hits, request.load_group);
    } else if (rules_.load_block_bytes == access::line_bytes) {
        there = cache.look_up(request.line, 0xF) != 0 ? request.sectors : 0;   // lines are fetched whole
        site.global.l1_hit_sectors += std::popcount(there);
    } else {
        there = cache.look_up(request.line, request.sectors);
        site.global.l1_hit_sectors += std::popcount(there);
    }
    site.l2_read_sectors += std::popcount(request.sectors & ~there);
}

void Grid::note_load(Warp& warp) {
    if (!warp.site->with_last_load) warp.load_group = ++load_groups_;
}

void Grid::look_up_span(Warp& warp, uint64_t first, uint64_t count) {
    note_load(warp);
    L1Cache& cache = l1_of(warp);
    const uint64_t end = first + count;
    for (uint64_t line = first / access::line_bytes; line * access::line_bytes < end; ++line) {
        const uint64_t start = line * access::line_bytes;
        const uint64_t from = first > start ? (first - start) / access::sector_bytes : 0;
        const uint64_t to = end < start + access::line_bytes ? (end - start + access::sector_bytes - 1) / access::sector_bytes : 4;
        look_up(warp, cache, line, ((1u << to) - 1) & ~((1u << from) - 1));
    }
}

// The sectors of a line that a span covers whole.
void Grid::fill_span(Warp& warp, uint64_t first, uint64_t count) {
    const uint64_t from = (first + access::sector_bytes - 1) / access::sector_bytes, to = (first + count) / access::sector_bytes;
    if (from >= to) return;
    constexpr uint64_t sectors_per_line = access::line_bytes / access::sector_bytes;
    L1Cache& cache = l1_of(warp);
    for (uint64_t line = from / sectors_per_line; line * sectors_per_line < to; ++line) {
        const uint64_t start = line * sectors_per_line;
        const uint64_t low = from > start ? from - start : 0, high = std::min(to - start, sectors_per_line);
        look_up(warp, cache, line, ((1u << high) - 1) & ~((1u << low) - 1));
    }
}

// The same of lanes anywhere. Most often none is covered whole: then each lane has a sector of its own.
void Grid::fill_lanes(Warp& warp, const access::Request& request) {
    uint64_t lines[warp_size];
    uint32_t words[warp_size];   // of each line, a bit for 4 bytes
    int count = 0;
    for (uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
        const uint64_t address = request.address[std::countr_zero(rest)];
        const uint64_t line = address / access::line_bytes;
        const uint32_t lane_words = request.bytes >= 4 ? ((1u << (request.bytes / 4)) - 1) << (address % access::line_bytes / 4) : 0;
        int i = count - 1;
        if (i < 0 || lines[i] != line) {
            i = count++;
            lines[i] = line;
            words[i] = 0;
        }
        words[i] |= lane_words;
    }
    L1Cache& cache = l1_of(warp);
    for (int i = 0; i < count; ++i) {
        uint32_t whole = 0;
        for (int sector = 0; sector < 4; ++sector) whole |= static_cast<uint32_t>((words[i] >> (8 * sector) & 0xFF) == 0xFF) << sector;
        if (whole != 0) look_up(warp, cache, lines[i], whole);
    }
}

void Grid::drop_lanes(Warp& warp, const access::Request& request) {
    L1Cache& cache = l1_of(warp);
    for (uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
        const uint64_t address = request.address[std::countr_zero(rest)];
        look_up(warp, cache, address / access::line_bytes, 1u << (address % access::line_bytes / access::sector_bytes));
    }
}

// One look-up for each line. `distinct` is the number of distinct sectors of the request.
void Grid::look_up_lanes(Warp& warp, const access::Request& request, uint64_t distinct) {
    note_load(warp);
    uint64_t lines[warp_size];
    uint32_t sectors[warp_size];
    int count = 0;
    uint64_t found = 0;
    for (uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
        const uint64_t address = request.address[std::countr_zero(rest)];
        const uint64_t line = address / access::line_bytes;
        const uint32_t sector = 1u << (address % access::line_bytes / access::sector_bytes);
        if (count > 0 && lines[count - 1] == line) {   // most often the line of the lane before
            found += (sectors[count - 1] & sector) == 0;
            sectors[count - 1] |= sector;
        } else {
            lines[count] = line;
            sectors[count++] = sector;
            ++found;
        }
    }
    if (found != distinct) {   // lanes came back to a line: bring its parts together
        for (int i = 0; i < count; ++i) {
            for (int k = i + 1; k < count; ++k) {
                if (lines[k] != lines[i]) continue;
                sectors[i] |= sectors[k];
                sectors[k] = 0;
            }
        }
    }
    L1Cache& cache = l1_of(warp);
    for (int i = 0; i < count; ++i) {
        if (sectors[i] != 0) look_up(warp, cache, lines[i], sectors[i]);
    }
}

MemoryTraffic Grid::traffic_of(const Site& site, const access::Request& request) const {
    if (site.kind == SiteKind::load || site.kind == SiteKind::copy_to_shared) return access::global_load(request, rules_);
    MemoryTraffic traffic = access::global_store(request, rules_);
    if (site.kind == SiteKind::store) return traffic;
    traffic.sectors = traffic.transactions = access::atomic_sectors(request, site.collisions);
    traffic.moved_bytes = traffic.sectors * access::sector_bytes;
    return traffic;
}

void Grid::remember(Warp& warp, uint8_t space, const access::Request& request, uint64_t base, const MemoryTraffic& memory, const SharedTraffic& shared) {
    const auto site = static_cast<size_t>(warp.site - sites_.data());
    const Operation& op = setup_.program.operations[site];
    if (warp.block->number == 0 && warp.index == 0) warp.site->remembered |= space;
    counters::FirstRequest& first = first_requests_[{site, space}];
    first = {};
    const bool stores = warp.site->kind == SiteKind::store || (warp.site->kind == SiteKind::copy_to_shared && space == shared_space);
    const bool loads = warp.site->kind == SiteKind::load || (warp.site->kind == SiteKind::copy_to_shared && !stores);
    first.action = stores ? "store" : loads ? "load" : "atomic";
    first.space = space == global_space ? "global" : space == shared_space ? "shared" : "local";
    if (op.source_line != 0) first.file = setup_.program.files[op.source_file];
    first.line = op.source_line;
    first.bytes = request.bytes;
    first.mask = request.mask;
    for (int lane = 0; lane < warp_size; ++lane) {
        if (request.mask >> lane & 1) first.offset_bytes[lane] = static_cast<int64_t>(request.address[lane] - base);
    }
    first.memory = memory;
    first.shared = shared;
}

void Grid::remember_global(Warp& warp, const access::Request& request) {
    uint64_t lowest = ~0ull;
    for (uint32_t rest = request.mask; rest != 0; rest &= rest - 1) lowest = std::min(lowest, request.address[std::countr_zero(rest)]);
    const Allocation* allocation = setup_.space.find(lowest);
    const uint64_t base = (allocation ? allocation->address : lowest) / access::line_bytes * access::line_bytes;
    remember(warp, global_space, request, base, traffic_of(*warp.site, request), {});
}

void Grid::remember_span(Warp& warp, uint64_t first, uint64_t count) {
    uint64_t address[warp_size];
    const uint64_t bytes = count / warp_size;
    for (int lane = 0; lane < warp_size; ++lane) address[lane] = first + lane * bytes;
    remember_global(warp, {address, full_mask, static_cast<uint32_t>(bytes)});
}

void Grid::count_global(Warp& warp, const access::Request& request) {
    Site& site = *warp.site;
    if (site.kind != SiteKind::none && remembers(warp, global_space, site.global.requests)) remember_global(warp, request);
    switch (site.kind) {
        case SiteKind::load:
        case SiteKind::copy_to_shared:
            if (simple_rules_) {
                const access::Blocks blocks = access::blocks_touched(request);
                add_simple(site.global, blocks, request.bytes);
                look_up_lanes(warp, request, blocks.sectors);
            } else {
                site.global += traffic_of(site, request);
                look_up_lanes(warp, request, access::blocks_touched(request).sectors);
            }
            break;
        case SiteKind::store:
            if (simple_rules_) add_simple(site.global, access::blocks_touched(request), request.bytes);
            else site.global += traffic_of(site, request);
            fill_lanes(warp, request);
            break;
        case SiteKind::atomic:
        case SiteKind::reduction:
            site.global += traffic_of(site, request);
            drop_lanes(warp, request);
            break;
        case SiteKind::none: break;
    }
}

void Grid::count_shared(Warp& warp, const access::Request& request) {
    Site& site = *warp.site;
    SharedTraffic traffic;
    switch (site.kind) {
        case SiteKind::load: traffic = access::shared_load(request, rules_); break;
        case SiteKind::store:
        case SiteKind::copy_to_shared: traffic = access::shared_store(request, rules_); break;
        case SiteKind::atomic:
        case SiteKind::reduction:
            traffic = access::shared_atomic(request, site.collisions == access::Collisions::combined, site.compares, rules_);
            break;
        case SiteKind::none: return;
    }
    if (remembers(warp, shared_space, site.shared.requests)) remember(warp, shared_space, request, 0, {}, traffic);
    site.shared += traffic;
}

void Grid::count_local(Warp& warp, const access::Request& request) {
    Site& site = *warp.site;
    if (site.kind == SiteKind::none) return;
    const MemoryTraffic traffic = access::local_traffic(request, rules_);
    if (remembers(warp, local_space, site.local.requests)) {   // of wider lanes the first word
        uint64_t address[warp_size] = {};
        for (uint32_t lane = 0; lane < warp_size; ++lane) address[lane] = access::local_address(request.address[lane], lane);
        remember(warp, local_space, {address, request.mask, std::min(4u, request.bytes)}, 0, traffic, {});
    }
    site.local += traffic;
}

void Grid::fill(LaunchCounters& counters) const {
    counters = {};
    counters.warp_instructions = executed_;
    counters.busiest_warp_instructions = busiest_warp_executed_;
    std::map<std::pair<uint32_t, uint32_t>, LaunchCounters::Line> lines;
    for (size_t pc = 0; pc < sites_.size(); ++pc) {
        Site site = sites_[pc];
        if (site.global.requests + site.local.requests + site.shared.requests == 0) continue;
        if (simple_rules_) {
            site.global.transactions = site.global.sectors;
            site.global.moved_bytes = site.global.sectors * access::sector_bytes;
        }
        add(counters, site);
        const Operation& op = setup_.program.operations[pc];
        if (op.source_line != 0) add(lines[{op.source_file, op.source_line}], site);
    }
    for (auto& [place, line] : lines) {
        line.file = setup_.program.files[place.first];
        line.number = place.second;
        counters.lines.push_back(std::move(line));
    }
    for (const auto& [place, request] : first_requests_) counters.first_requests.push_back(request);
}

}  // namespace lanescope::machine
