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

// Whether the cache is searched: lines that it does not have are brought.
bool looks_up(const Site& site) {
    return site.l1_use == L1Use::load || site.l1_use == L1Use::load_line || site.l1_use == L1Use::fill;
}

constexpr access::Blocks column{.elements = warp_size, .sectors = warp_size, .lines = warp_size};   // each lane has a line of its own

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

Site site_of(const Operation& op, const access::Rules& rules, const std::vector<std::byte>& constants) {
    const L1Use load = rules.load_block_bytes == access::line_bytes ? L1Use::load_line : L1Use::load;
    Site site;
    switch (op.opcode) {
        case Opcode::ld:
        case Opcode::ldu: {
            if (op.space == Space::constant || op.space == Space::param) return site;   // have paths of their own
            site.kind = SiteKind::load;
            site.with_last_load = op.with_last_load;
            // Only weak and volatile loads may be served by L1, and volatile ones are not.
            const bool looks = op.order == Order::weak && (op.cache == Cache::none || op.cache == Cache::lu ? rules.caches_loads || op.has(program::flag::nc)
                                                           : op.cache == Cache::ca || op.cache == Cache::cs);
            site.l1_use = !looks ? L1Use::bypass : op.cache == Cache::lu ? L1Use::load_last : load;
            return site;
        }
        case Opcode::st:
            site.kind = SiteKind::store;
            site.l1_use = L1Use::fill;
            return site;
        case Opcode::atom: site.kind = op.result_used ? SiteKind::atomic : SiteKind::reduction; break;
        case Opcode::red: site.kind = SiteKind::reduction; break;
        case Opcode::cp_async:
            site.kind = SiteKind::copy_to_shared;
            site.l1_use = op.cache == Cache::ca ? load : L1Use::bypass;
            return site;
        default: return site;
    }
    site.l1_use = L1Use::drop;
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
    counting_ = launch_.counters != nullptr || timed();
    device_lines_ = setup_.space.device_range_bytes() / access::line_bytes + 1;
    first_line_ = setup_.space.device_base() / access::line_bytes;
    for (const Operation& op : program.operations) sites_.push_back(counting_ ? site_of(op, rules_, program.constants) : Site{});
    if (counting_) setup_.l1.begin_launch(l1_bytes_);
}

// One line of a request. Returns what was known of the line.
[[gnu::always_inline]] inline Grid::Found Grid::use_l1(Warp& warp, L1Cache& cache, uint64_t number, uint32_t sectors) {
    Site& site = *warp.site;
    const bool new_here = looks_up(site) && setup_.l1.touched.first(number, warp.block->sm);
    if (!new_here || timed() || site.l1_use == L1Use::load_line) return use_l1(warp, cache, number, sectors, new_here);
    cache.fetch_new(number, sectors);   // most often
    if (site.l1_use == L1Use::load) site.l2_read_sectors += static_cast<uint32_t>(std::popcount(sectors));
    return Found::new_here;
}

// new_here: the cache cannot have it.
Grid::Found Grid::use_l1(Warp& warp, L1Cache& cache, uint64_t number, uint32_t sectors, bool new_here) {
    Site& site = *warp.site;
    const bool whole = site.l1_use == L1Use::load_line;
    uint32_t hits = 0, there = 0;   // of `sectors`: in the cache; in it or on their way
    Found found = Found::nothing;
    switch (site.l1_use) {
        case L1Use::load:
        case L1Use::load_line:
        case L1Use::fill:
            if (new_here) {
                found = Found::new_here;
                cache.fetch_new(number, whole ? 0xF : sectors);
            } else {
                bool line_was_there = false;
                hits = cache.look_up(number, whole ? 0xF : sectors, line_was_there);
                if (line_was_there) found = Found::line;
                if (whole && hits != 0) hits = sectors;
            }
            if (site.l1_use == L1Use::fill) return found;
            there = hits;
            break;
        case L1Use::load_last:
            hits = cache.peek(number) & sectors;
            there = hits | cache.bypass(number, sectors & ~hits, warp.load_group);
            break;
        case L1Use::bypass: there = cache.bypass(number, sectors, warp.load_group); break;
        case L1Use::drop:
            cache.drop(number, sectors);
            if (timed()) {
                ++work_.l1_other_lines;
                time_line(number, sectors, true);
            }
            return found;
        case L1Use::none: return found;
    }
    if (timed()) {
        ++work_.l1_load_lines;
        ++wavefronts_;
        slowest_line_cycles_ = std::max(slowest_line_cycles_, setup_.costs.l1_cycles);
        if ((sectors & ~there) != 0) time_line(number, sectors & ~there, false);
    }
    site.global.l1_hit_sectors += static_cast<uint32_t>(std::popcount(hits));
    site.l2_read_sectors += static_cast<uint32_t>(std::popcount(sectors & ~there));
    return found;
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
        use_l1(warp, cache, line_number(start), ((1u << to) - 1) & ~((1u << from) - 1));
    }
}

// The sectors of a line that a span covers whole.
void Grid::fill_span(Warp& warp, uint64_t first, uint64_t count) {
    const uint64_t from = (first + access::sector_bytes - 1) / access::sector_bytes, to = (first + count) / access::sector_bytes;
    if (timed()) {
        uint64_t entries[warp_size];
        size_t lines = 0;
        for (uint64_t sector = first / access::sector_bytes; sector * access::sector_bytes < first + count; ++sector) {
            const uint64_t entry = L1Cache::entry(line_number(sector * access::sector_bytes), 1u << sector % 4);
            if (lines > 0 && L1Cache::line_of(entries[lines - 1]) == L1Cache::line_of(entry)) entries[lines - 1] |= entry;
            else entries[lines++] = entry;
        }
        time_store(entries, lines, (first + count - 1) / access::sector_bytes + 1 - first / access::sector_bytes - count / access::sector_bytes);
    }
    if (from >= to) return;
    constexpr uint64_t sectors_per_line = access::line_bytes / access::sector_bytes;
    L1Cache& cache = l1_of(warp);
    for (uint64_t line = from / sectors_per_line; line * sectors_per_line < to; ++line) {
        const uint64_t start = line * sectors_per_line;
        const uint64_t low = from > start ? from - start : 0, high = std::min(to - start, sectors_per_line);
        use_l1(warp, cache, line_number(start * access::sector_bytes), ((1u << high) - 1) & ~((1u << low) - 1));
    }
}

// Most often a warp that writes a column follows one that wrote the column beside it.
access::Blocks Grid::blocks_of_store(const access::Request& request) {
    if (request.mask != full_mask || request.bytes > access::sector_bytes) return access::blocks_touched(request);
    uint64_t differing = 0;
    for (int lane = 0; lane < warp_size; ++lane) differing |= request.address[lane] ^ stored_column_[lane];
    if (differing < access::sector_bytes) return column;
    const access::Blocks blocks = access::blocks_touched(request);
    if (blocks.lines == warp_size) std::copy_n(request.address, warp_size, stored_column_.begin());
    return blocks;
}

// The same of lanes anywhere. Most often none is covered whole: then each lane has a sector of its own.
void Grid::fill_lanes(Warp& warp, const access::Request& request, const access::Blocks& touched) {
    if (timed()) {
        uint64_t entries[warp_size];
        const size_t count = lines_of(request, touched, entries);
        time_store(entries, count, touched.sectors - touched.elements * request.bytes / access::sector_bytes);
    }
    if (touched.sectors == touched.elements && request.bytes < access::sector_bytes) return;
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
        if (whole != 0) use_l1(warp, cache, line_number(lines[i] * access::line_bytes), whole);
    }
}

void Grid::drop_lanes(Warp& warp, const access::Request& request) {
    L1Cache& cache = l1_of(warp);
    for (uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
        const uint64_t address = request.address[std::countr_zero(rest)];
        use_l1(warp, cache, line_number(address), 1u << (address % access::line_bytes / access::sector_bytes));
    }
}

// The lines of a request, each once, with the sectors that its lanes touch: L1Cache's entries. Returns how many.
size_t Grid::lines_of(const access::Request& request, const access::Blocks& touched, uint64_t (&entries)[warp_size]) const {
    if (request.mask == full_mask && touched.lines == warp_size) {
        for (int lane = 0; lane < warp_size; ++lane) entries[lane] = entry_of(request.address[lane]);
        return warp_size;
    }
    size_t count = 0;
    for (uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
        const uint64_t entry = entry_of(request.address[std::countr_zero(rest)]);
        if (count > 0 && L1Cache::line_of(entries[count - 1]) == L1Cache::line_of(entry)) entries[count - 1] |= entry;   // most often
        else entries[count++] = entry;
    }
    if (count == touched.lines) return count;
    size_t distinct = 0;   // lanes came back to a line: bring its parts together
    for (size_t i = 0; i < count; ++i) {
        uint64_t* const end = entries + distinct;
        uint64_t* const found = std::find_if(entries, end, [&](uint64_t other) { return L1Cache::line_of(other) == L1Cache::line_of(entries[i]); });
        if (found == end) entries[distinct++] = entries[i];
        else *found |= entries[i];
    }
    return distinct;
}

// A request for the lines of the one before it.
void Grid::count_repeat(Warp& warp, const uint64_t* entries, size_t count, uint64_t sectors, uint32_t misses) {
    Site& site = *warp.site;
    site.global.l1_hit_sectors += sectors - misses;
    site.l2_read_sectors += misses;
    if (!timed()) return;
    work_.l1_load_lines += static_cast<double>(count);
    wavefronts_ += static_cast<double>(count);
    slowest_line_cycles_ = std::max(slowest_line_cycles_, setup_.costs.l1_cycles);
    if (misses != 0) {   // the sectors beside those of the requests before
        for (size_t i = 0; i < count; ++i) time_line(L1Cache::line_of(entries[i]), L1Cache::sectors_of(entries[i]), false);
    }
}

// Brings into the host's cache what a look-up of these lines needs. Most often they lie as far from those of the request before as those
// did from theirs: then what the next one needs, and its data. They will be there when it comes.
void Grid::prefetch_columns(const Warp& warp, const access::Request& request, const uint64_t* entries) {
    const uint64_t step = request.address[0] - column_;
    if (step < access::line_bytes) return;   // other sectors of the same lines
    const bool as_before = step == column_step_;
    column_ = request.address[0];
    column_step_ = step;
    if (!as_before) {
        for (int lane = 0; lane < warp_size; ++lane) setup_.l1.touched.prefetch(L1Cache::line_of(entries[lane]));
        return;
    }
    const Region& region = warp.site->region;
    for (int lane = 0; lane < warp_size; ++lane) {
        const uint64_t next = request.address[lane] + step;
        if (next - region.begin >= region.end - region.begin) continue;
        setup_.l1.touched.prefetch(line_number(next));
        __builtin_prefetch(region.host + (next - region.begin));
    }
}

// Most often a warp that reads a column follows one that read the column beside it: 32 lanes, each with a line of its own, and the
// same lines. If it is so, all is counted. `entries` are the lanes' lines, and all set only if it is not.
bool Grid::count_next_column(Warp& warp, const access::Request& request, uint64_t (&entries)[warp_size]) {
    L1Cache& cache = l1_of(warp);
    std::optional<uint32_t> misses = 0;
    if (!cache.repeats(request.address)) {
        for (int lane = 0; lane < warp_size; ++lane) entries[lane] = entry_of(request.address[lane]);
        misses = cache.missing_in_repeat(entries, warp_size);
        if (!misses) {
            prefetch_columns(warp, request, entries);
            return false;
        }
        cache.note_addresses(request.address);
    }
    count_repeat(warp, entries, warp_size, warp_size, *misses);
    add_simple(warp.site->global, column, request.bytes);
    return true;
}

// A look-up for each line.
void Grid::look_up_lines(Warp& warp, const uint64_t* entries, size_t count) {
    L1Cache& cache = l1_of(warp);
    uint32_t are_new = 0;   // a bit for each line
    if (looks_up(*warp.site)) {
        for (size_t i = 0; i < count; ++i) {
            if (setup_.l1.touched.first(L1Cache::line_of(entries[i]), warp.block->sm)) are_new |= 1u << i;
            else cache.prefetch(L1Cache::line_of(entries[i]));
        }
    }
    size_t there = 0, new_here = 0;
    if (warp.site->l1_use == L1Use::load && !timed() && count > 0 && are_new == full_mask >> (warp_size - count)) {   // nothing to be found
        new_here = count;
        cache.fetch_all_new(entries, count);
        uint64_t sectors = 0;
        for (size_t i = 0; i < count; ++i) sectors += static_cast<uint64_t>(std::popcount(L1Cache::sectors_of(entries[i])));
        warp.site->l2_read_sectors += sectors;
    } else {
        for (size_t i = 0; i < count; ++i) {
            switch (use_l1(warp, cache, L1Cache::line_of(entries[i]), L1Cache::sectors_of(entries[i]), are_new >> i & 1)) {
                case Found::line: ++there; break;
                case Found::new_here: ++new_here; break;
                case Found::nothing: break;
            }
        }
    }
    if (warp.site->l1_use == L1Use::load) cache.end_request(entries, count, there, new_here);
}

void Grid::count_load(Warp& warp, const access::Request& request) {
    note_load(warp);
    Site& site = *warp.site;
    const bool looks = site.l1_use == L1Use::load;
    const bool may_be_column = simple_rules_ && looks && request.mask == full_mask && request.bytes <= access::sector_bytes;
    uint64_t entries[warp_size];
    if (may_be_column && count_next_column(warp, request, entries)) return;
    const access::Blocks blocks = access::blocks_touched(request);
    if (simple_rules_) add_simple(site.global, blocks, request.bytes);
    else site.global += traffic_of(site, request);
    const bool is_column = may_be_column && blocks.lines == warp_size;
    size_t count = warp_size;
    if (!is_column) {
        count = lines_of(request, blocks, entries);
        if (const std::optional<uint32_t> misses = looks ? l1_of(warp).missing_in_repeat(entries, count) : std::nullopt)
            return count_repeat(warp, entries, count, blocks.sectors, *misses);
    }
    look_up_lines(warp, entries, count);
    if (is_column) l1_of(warp).note_addresses(request.address);
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
            count_load(warp, request);
            break;
        case SiteKind::store: {
            const access::Blocks blocks = blocks_of_store(request);
            if (simple_rules_) add_simple(site.global, blocks, request.bytes);
            else site.global += traffic_of(site, request);
            fill_lanes(warp, request, blocks);
            break;
        }
        case SiteKind::atomic:
        case SiteKind::reduction:
            site.global += traffic_of(site, request);
            drop_lanes(warp, request);
            break;
        case SiteKind::none: break;
    }
}

// Bulk copies pass by the units that count requests: an H200 counts none, no sectors of loads or stores and no wavefronts, but the sectors
// that they read from L2.
void Grid::count_bulk_copy(Warp& warp, uint64_t address, uint64_t bytes, bool writes) {
    if (!counting_) return;
    const uint64_t from = address / access::sector_bytes, to = (address + bytes - 1) / access::sector_bytes + 1;
    if (!writes) warp.site->l2_read_sectors += to - from;
    if (!timed()) return;
    for (uint64_t sector = from; sector < to; ++sector) time_line(line_number(sector * access::sector_bytes), 1u << sector % 4, writes);
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
        if (site.global.requests + site.local.requests + site.shared.requests + site.l2_read_sectors == 0) continue;
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
