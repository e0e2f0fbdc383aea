#include "machine/grid.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "machine/occupancy.h"
#include "support/demangle.h"

namespace lanescope::machine {

using program::Operation;

namespace {

// Resident at first: enough warps to interleave, few enough that their registers stay in the host's first cache.
constexpr size_t most_window_warps = 64;
constexpr size_t window_register_bytes = 24 << 10;
constexpr uint64_t instructions_before_growth = 1 << 26;   // of warps, since a block ended
constexpr uint32_t rounds_before_proof = 64;  // rounds in which all warps wait before their state is compared

}  // namespace

Grid::Grid(const Setup& setup, const Launch& launch) : setup_(setup), launch_(launch), random_(setup.options.schedule_seed) {
    const program::Program& program = setup.program;
    threads_per_block_ = static_cast<uint32_t>(launch.block.count());
    warps_per_block_ = (threads_per_block_ + warp_size - 1) / warp_size;
    own_shared_bytes_ = launch.dynamic_shared_bytes > 0 ? program.dynamic_shared_offset + launch.dynamic_shared_bytes
                                                        : program.static_shared_bytes;
    shared_bytes_ = program.reserved_shared_bytes == 0 ? own_shared_bytes_
                                                       : (own_shared_bytes_ + 127) / 128 * 128 + program.reserved_shared_bytes;
    spare_frames_.resize(program.functions.size());
    thread_ids_.resize(size_t{warps_per_block_} * 3 * warp_size);
    for (uint32_t thread = 0; thread < warps_per_block_ * warp_size; ++thread) {
        uint32_t* ids = &thread_ids_[thread / warp_size * 3 * warp_size + thread % warp_size];
        ids[0] = thread % launch.block.x;
        ids[warp_size] = thread / launch.block.x % launch.block.y;
        ids[2 * warp_size] = thread / launch.block.x / launch.block.y;
    }
    const int per_sm = std::max(1, blocks_per_sm(setup.gpu, static_cast<int>(threads_per_block_), program.functions[0].registers, own_shared_bytes_));
    l1_bytes_ = l1_bytes(setup.gpu, per_sm, own_shared_bytes_, launch.carve_out_percent);
    prepare_counting();
    capacity_ = static_cast<size_t>(per_sm) * setup.gpu.sm_count;
    const size_t window_warps = std::min(most_window_warps, window_register_bytes / std::max(program.functions[0].frame_bytes, 1u));
    window_limit_ = launch.cooperative ? capacity_ : std::min(capacity_, std::max<size_t>(2, window_warps / warps_per_block_));
    if (launch.cooperative) {
        const Allocation* memory = setup.space.allocate({.kind = MemoryKind::device, .bytes = 64, .device = setup.device, .name = "cooperative launch"});
        if (memory) {
            std::memset(memory->host, 0, memory->bytes);
            workspace_ = memory->address;
        }
    }
    prepare_timing();
    prepare_constants();
}

Grid::~Grid() {
    for (const Frame& frame : frames_) std::free(frame.registers);
    if (workspace_ != 0) setup_.space.release(workspace_);
}

// The program's constants and the values that are the same for the whole launch.
void Grid::prepare_constants() {
    const auto& constants = setup_.program.constants;
    constants_memory_.resize(constants.size() + 64);
    constants_ = reinterpret_cast<std::byte*>((reinterpret_cast<uintptr_t>(constants_memory_.data()) + 63) / 64 * 64);
    std::memcpy(constants_, constants.data(), constants.size());
    Warp warp{};
    Block block{};
    block.id = {0, 0, 0};   // a fault here is reported for the first thread
    warp.grid = this;
    warp.block = &block;
    warp.base[0] = warp.base[1] = constants_;
    for (const Operation& op : setup_.program.prologue) {
        warp.mask = full_mask;
        handler_for(op)(warp, op);
    }
}

void Grid::start_blocks() {
    const uint64_t blocks = launch_.grid.count();
    while (window_.size() < window_limit_ && next_block_ < blocks) {
        std::unique_ptr<Block> block;
        if (spare_blocks_.empty()) {
            block = std::make_unique<Block>();
        } else {
            block = std::move(spare_blocks_.back());
            spare_blocks_.pop_back();
        }
        start_block(*block);
        window_.push_back(std::move(block));
    }
}

void Grid::start_block(Block& block) {
    const uint64_t number = next_block_++;
    block.number = number;
    block.id = {static_cast<uint32_t>(number % launch_.grid.x), static_cast<uint32_t>(number / launch_.grid.x % launch_.grid.y),
                static_cast<uint32_t>(number / launch_.grid.x / launch_.grid.y)};
    // The first blocks go round the SMs; later ones to the SM that has room first.
    if (number < capacity_ || free_sms_.empty()) {
        block.sm = static_cast<uint32_t>(number % setup_.gpu.sm_count);
    } else {
        block.sm = free_sms_.front();
        free_sms_.pop_front();
    }
    block.threads = threads_per_block_;
    block.exited = 0;
    block.live_warps = warps_per_block_;
    block.shared.resize(shared_bytes_);
    block.barriers = {};
    block.barriers_in_use = false;
    block.warps.resize(warps_per_block_);
    start_clock(block);
    for (uint32_t index = 0; index < warps_per_block_; ++index) {
        Warp& warp = block.warps[index];
        warp.grid = this;
        warp.block = &block;
        warp.index = index;
        const uint32_t threads = std::min<uint32_t>(warp_size, threads_per_block_ - index * warp_size);
        warp.present = threads == warp_size ? full_mask : (1u << threads) - 1;
        warp.exited = 0;
        warp.current = 0;
        warp.executed = 0;
        warp.carry = 0;
        warp.base[1] = constants_;
        if (!warp.root) warp.root = new_frame(0);
        std::fill_n(warp.root->stack_bytes, warp_size, 0);
        warp.root->lanes = warp.present;
        warp.fragments.assign(1, Fragment{.pc = setup_.program.functions[0].entry, .lanes = warp.present, .frame = warp.root});
        warp.joins.clear();
        if (const uint64_t local = setup_.program.functions[0].local_bytes; local > 0) grow_local(warp, local);
    }
}

// The block in the window has ended; the next one takes its place.
void Grid::finish_block(size_t index) {
    free_sms_.push_back(window_[index]->sm);
    executed_at_last_end_ = executed_at_last_growth_ = executed_;
    note_write();
    if (next_block_ < launch_.grid.count()) {
        start_block(*window_[index]);
    } else {
        spare_blocks_.push_back(std::move(window_[index]));
        window_.erase(window_.begin() + index);
    }
}

void Grid::take_turn(Warp& warp) {
    const uint64_t before = executed_;
    const Stop stop = warp.has_clock ? run_warp<true>(warp) : run_warp<false>(warp);
    warp.executed += executed_ - before;
    busiest_warp_executed_ = std::max(busiest_warp_executed_, warp.executed);
    if (stop == Stop::finished && warp.done()) {
        stop_clock(warp);
        --warp.block->live_warps;
    }
}

std::optional<Fault> Grid::run() {
    start_blocks();
    uint32_t stuck_rounds = 0;
    uint64_t saved_hash = 0, saved_writes = 0, next_save = 1;
    std::vector<Warp*> order;
    size_t first = 0;
    const bool shuffled = setup_.options.schedule_seed != 0;
    while (!window_.empty() && !fault_) {
        if (shuffled) {
            // Any order of turns is legal; some warps wait a round. When all seem to be stuck, each takes its turn: that is what proves it.
            order.clear();
            for (const auto& block : window_)
                for (Warp& warp : block->warps)
                    if (!warp.done() && (random_() % 4 != 0 || stuck_rounds > 0)) order.push_back(&warp);
            std::shuffle(order.begin(), order.end(), random_);
            for (Warp* warp : order) {
                if (!warp->done()) take_turn(*warp);
                if (fault_) break;
            }
        } else {
            // No block is always first: every round starts half a window further on.
            for (size_t k = 0; k < window_.size() && !fault_; ++k) {
                Block& block = *window_[(first + k) % window_.size()];
                for (Warp& warp : block.warps)
                    if (!warp.done()) take_turn(warp);
            }
            first = (first + window_.size() / 2) % window_.size();
        }
        if (fault_) break;
        for (size_t b = 0; b < window_.size();) {
            if (window_[b]->live_warps == 0) {
                const size_t before = window_.size();
                finish_block(b);
                if (window_.size() < before) continue;
            }
            ++b;
        }
        if (executed_ - executed_at_last_end_ > setup_.options.instruction_limit) {
            raise(FaultKind::timeout, *first_live_warp(), 0,
                  fmt::format("no block ended within {} warp instructions: an endless loop?", setup_.options.instruction_limit));
            break;
        }
        // Everything that is resident waits, perhaps for blocks that have not started. Or no block has ended for
        // so long that this may be so, though it does not look like waiting.
        const bool more_fit = window_.size() < capacity_ && next_block_ < launch_.grid.count();
        const bool stuck = !window_.empty() && all_stuck();
        if (more_fit && (stuck || executed_ - executed_at_last_growth_ > instructions_before_growth)) {
            executed_at_last_growth_ = executed_;
            window_limit_ = std::min(capacity_, window_.size() * 2);
            start_blocks();
            continue;
        }
        if (!stuck) {
            stuck_rounds = 0;
            continue;
        }
        bool any_ready = false;
        for (const auto& block : window_)
            for (const Warp& warp : block->warps) any_ready |= warp.has_ready();
        ++stuck_rounds;
        if (any_ready || shuffled) {
            if (stuck_rounds < rounds_before_proof) continue;
            // Lanes that wait at a join may be those that the others wait for: the holder of a lock, say.
            bool released = false;
            for (const auto& block : window_)
                for (Warp& warp : block->warps) released |= release_waiting_lanes(warp);
            if (released) {
                stuck_rounds = 0;
                continue;
            }
            // If a round changes neither memory nor any register, no later one will.
            const uint64_t hash = state_hash();
            const bool same = hash == saved_hash && writes_ == saved_writes;
            if (stuck_rounds >= rounds_before_proof + next_save) {
                saved_hash = hash;
                saved_writes = writes_;
                next_save *= 2;
            }
            if (!same) continue;
        }
        report_stuck();
    }
    return fault_;
}

Warp* Grid::first_live_warp() {
    for (const auto& block : window_)
        for (Warp& warp : block->warps)
            if (!warp.done()) return &warp;
    return nullptr;
}

uint64_t Grid::state_hash() const {
    uint64_t hash = 0xCBF29CE484222325ull;
    auto mix = [&](uint64_t word) { hash = (hash ^ word) * 0x100000001B3ull; hash ^= hash >> 29; };
    for (const auto& block : window_)
        for (const Warp& warp : block->warps)
            for (const Fragment& fragment : warp.fragments) {
                mix(fragment.pc);
                mix(fragment.lanes);
                mix(frame_hash(*fragment.frame));
                for (const Join* join = fragment.join; join; join = join->parent) {
                    if (!join->is_call) continue;
                    mix(join->call_pc);
                    mix(frame_hash(*join->frame));
                }
            }
    return hash;
}

void Grid::report_stuck() {
    uint64_t at_barrier = 0, at_warp_sync = 0, spinning = 0;
    Warp* example = nullptr;
    for (const auto& block : window_)
        for (Warp& warp : block->warps)
            for (size_t i = 0; i < warp.fragments.size(); ++i) {
                const Fragment& fragment = warp.fragments[i];
                const int lanes = std::popcount(fragment.lanes);
                if (fragment.state == Fragment::State::at_barrier) at_barrier += lanes;
                else if (fragment.state == Fragment::State::at_warp_sync) at_warp_sync += lanes;
                else spinning += lanes;
                if (!example || fragment.state == Fragment::State::ready) {
                    example = &warp;
                    warp.pc = fragment.pc;
                    warp.mask = fragment.lanes;
                }
            }
    std::string who;
    auto add = [&](uint64_t count, const char* what) {
        if (count > 0) who += fmt::format("{}{} {}", who.empty() ? "" : ", ", count, what);
    };
    add(at_barrier, "threads at a barrier (__syncthreads) that others of their block never reach");
    add(at_warp_sync, "threads at a warp operation (__syncwarp, shuffle, vote) that other lanes of its mask never reach");
    add(spinning, "threads in a loop on a value that no thread will change");
    raise(FaultKind::timeout, *example, std::countr_zero(example->mask), "all threads wait for ever: " + who);
}

void Grid::raise(FaultKind kind, const Warp& warp, int lane, const std::string& what) {
    if (fault_) return;
    const program::Program& program = setup_.program;
    const Operation& op = program.operations[std::min<size_t>(warp.pc, program.operations.size() - 1)];
    std::string line = op.source_line > 0 ? fmt::format("{}:{}", program.files[op.source_file], op.source_line)
                                          : fmt::format("PTX line {} (compile with -lineinfo to see the source line)", op.ptx_line);
    const Dim3 block = warp.block->id;
    fault_ = Fault{kind, fmt::format("{}\n  in kernel {}\n  at {}\n  by thread ({},{},{}) of block ({},{},{})", what, demangled(program.name), line,
                                     thread_ids(warp.index, 0)[lane], thread_ids(warp.index, 1)[lane], thread_ids(warp.index, 2)[lane],
                                     block.x, block.y, block.z)};
}

std::byte* Grid::resolve(uint64_t address, uint64_t bytes, bool write, Region& region) {
    const Allocation* a = setup_.space.find(address);
    if (!a || !a->contains(address, bytes) || ((a->device_mask >> setup_.device) & 1) == 0) return nullptr;
    if (write && a->kind == MemoryKind::constant_symbol) return nullptr;
    if (a->kind == MemoryKind::managed && !timed()) {   // nobody asks which pages: all
        ManagedPages& pages = setup_.space.managed_pages();
        if (!pages.find(a->address)->stays_at_host) pages.move(a->address, a->bytes, setup_.device);
    }
    region = {a->address, a->end(), a->host};
    return a->host + (address - a->address);
}

std::byte* Grid::resolve_generic(Warp& warp, int lane, uint64_t address, uint64_t bytes, bool write) {
    const AddressSpace& space = setup_.space;
    auto inside = [&](uint64_t window, uint64_t limit) { return address >= window && address - window < limit && limit - (address - window) >= bytes; };
    if (inside(space.shared_window(), shared_bytes_)) return warp.block->shared.data() + (address - space.shared_window());
    if (inside(space.local_window(), warp.local_stride_bytes))
        return warp.local.data() + uint64_t{warp.local_stride_bytes} * lane + (address - space.local_window());
    if (!write && inside(space.param_window(), launch_.parameters.size()))
        return const_cast<std::byte*>(launch_.parameters.data()) + (address - space.param_window());
    return nullptr;
}

void Grid::forget_regions() {
    for (Site& site : sites_) site.region = Region{};
}

bool Grid::grow_local(Warp& warp, uint64_t bytes_per_lane) {
    if (bytes_per_lane > most_local_bytes) return false;
    if (bytes_per_lane <= warp.local_stride_bytes) return true;
    const auto stride = static_cast<uint32_t>(std::max<uint64_t>(bytes_per_lane, std::min<uint64_t>(2 * uint64_t{warp.local_stride_bytes}, most_local_bytes)));
    std::vector<std::byte> grown(size_t{stride} * warp_size);
    for (int lane = 0; lane < warp_size && warp.local_stride_bytes > 0; ++lane)
        std::memcpy(grown.data() + size_t{stride} * lane, warp.local.data() + size_t{warp.local_stride_bytes} * lane, warp.local_stride_bytes);
    warp.local = std::move(grown);
    warp.local_stride_bytes = stride;
    return true;
}

}  // namespace lanescope::machine
