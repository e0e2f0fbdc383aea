/// \file
/// One launch while it runs: its blocks, the warps that are resident, and what is counted.
///
/// Blocks enter in order. Many are resident at once and their warps take turns: a warp runs until it has
/// issued a load from global memory or an atomic (on a GPU it would now wait for the result), has to wait,
/// or has looped for a while. So updates of different warps interleave as they do on hardware, and a race
/// loses some. The order depends on the launch and the schedule seed alone.
///
/// A GPU has room for more blocks than it takes to show this, and registers of few warps stay in the
/// host's cache. So only a window of the resident blocks runs at first; it grows up to the GPU's real
/// capacity when all of its warps wait for other blocks.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "access/blocks.h"
#include "access/rules.h"
#include "gpus/gpu.h"
#include "machine/address_space.h"
#include "machine/device.h"
#include "machine/l1_caches.h"
#include "machine/lanes.h"
#include "machine/operations/operations.h"
#include "machine/print_buffer.h"
#include "machine/site.h"
#include "machine/warp.h"
#include "timing/kernel_time.h"
#include "timing/l2_cache.h"
#include "timing/timed_program.h"

namespace lanescope::machine {

/// How an operation takes part in the main loop.
enum class StepKind : uint8_t {
    plain,       ///< computes; cannot fail
    memory,      ///< may fault
    yielding,    ///< may fault, and ends the warp's turn: the result takes long
    control,     ///< changes which lanes run what
    collective,  ///< between the lanes of a warp
};
/// An operation as the main loop sees it: all that it reads of most operations is in this one place.
struct Step {
    Handler handler = nullptr;
    const program::Operation* operation = nullptr;
    program::Value guard_value;
    uint32_t weight = 0;
    program::Guarded guard = program::Guarded::no;
    StepKind kind = StepKind::plain;
};

/// Memory that malloc() in kernels returned.
struct DeviceHeap {
    std::map<uint64_t, uint64_t> blocks;   ///< address -> bytes
    uint64_t used_bytes = 0;
};

struct Barrier {
    uint32_t arrived = 0;      ///< threads
    uint32_t wanted = 0;       ///< threads; 0: all that have not exited
    uint32_t count_true = 0;   ///< bar.red: threads whose predicate was true
    uint32_t voted = 0;        ///< bar.red: threads that gave one
};

inline constexpr uint32_t schedulers = 4;   ///< of a multiprocessor, each with a quarter of the warps

struct Block {
    uint64_t number = 0;       ///< in launch order
    Dim3 id;                   ///< ctaid
    uint32_t sm = 0;
    uint32_t threads = 0, exited = 0;
    uint32_t live_warps = 0;
    std::vector<std::byte> shared;
    std::array<Barrier, 16> barriers;
    double synced_at = 0;           ///< by the clocks of its warps: its start or last barrier, and how busy its schedulers had been
    std::array<double, schedulers> busy_at_sync{};
    bool barriers_in_use = false;   ///< threads have arrived at one that is not complete
    std::vector<Warp> warps;
};

inline constexpr uint32_t deepest_call = 4096;
inline constexpr uint64_t most_local_bytes = 512 << 10;   ///< of one thread: the limit of every GPU since cc 2.0

bool is_collective(const program::Operation& op);   ///< collective.cpp

class Grid {
public:
    struct Setup {
        const program::Program& program;
        const std::vector<Step>& steps;
        const gpus::Gpu& gpu;
        AddressSpace& space;
        PrintBuffer& print_buffer;
        DeviceHeap& heap;            ///< outlives the launch
        L1Caches& l1;                ///< likewise
        timing::L2Cache& l2;         ///< likewise
        const timing::Costs& costs;
        const timing::TimedProgram* timed_program = nullptr;   ///< the modelled clock runs; null: it does not
        const DeviceOptions& options;
        int device = 0;
        uint64_t stack_bytes = 0, heap_bytes = 0;
        uint64_t launch_number = 0;
        uint64_t clock = 0;          ///< cycles since the device started
    };
    Grid(const Setup& setup, const Launch& launch);
    ~Grid();

    std::optional<Fault> run();
    uint64_t clock(const Warp& warp) const;   ///< cycles; if the modelled clock does not run: warp instructions issued
    uint64_t nanoseconds(const Warp& warp) const { return static_cast<uint64_t>(static_cast<double>(clock(warp)) / setup_.costs.clock_hz * 1e9); }
    uint64_t executed() const { return executed_; }
    timing::KernelTime time() const;
    void fill(LaunchCounters& counters) const;

    // For handlers -------------------------------------------------------------------------------
    const program::Program& program() const { return setup_.program; }
    const Setup& setup() const { return setup_; }
    const Launch& launch() const { return launch_; }
    AddressSpace& space() { return setup_.space; }
    uint64_t shared_bytes() const { return shared_bytes_; }           ///< that a block may access
    uint64_t own_shared_bytes() const { return own_shared_bytes_; }   ///< static and dynamic, without the reserved ones
    uint64_t reserved_shared_offset() const { return shared_bytes_ - setup_.program.reserved_shared_bytes; }
    uint64_t workspace() const { return workspace_; }
    const uint32_t* thread_ids(uint32_t warp, int dimension) const { return &thread_ids_[(warp * 3 + dimension) * warp_size]; }
    void note_write() { ++writes_; }
    bool faulted() const { return fault_.has_value(); }

    // counting.cpp
    /// True on GPUs where every request is one and moves sectors: then transactions and moved bytes follow from sectors.
    bool simple_rules() const { return simple_rules_; }
    bool counting() const { return counting_; }
    /// A request to global memory at the addresses that the program sees.
    void count_global(Warp& warp, const access::Request& request);
    void count_bulk_copy(Warp& warp, uint64_t address, uint64_t bytes, bool writes);   ///< its part in global memory
    /// The same of `count` neighbouring bytes for all lanes, on a GPU with simple rules.
    void count_span(Warp& warp, uint64_t first, uint64_t count) {
        if (!counting_) return;
        Site& site = *warp.site;
        const uint32_t sectors = access::blocks_of_span(first, count, access::sector_bytes);
        if (remembers(warp, global_space, site.global.requests)) remember_span(warp, first, count);
        ++site.global.requests;
        site.global.sectors += sectors;
        site.global.requested_bytes += count;
        if (site.kind == SiteKind::load || site.kind == SiteKind::copy_to_shared) look_up_span(warp, first, count);
        else if (site.kind == SiteKind::store) fill_span(warp, first, count);
    }
    void count_shared(Warp& warp, const access::Request& request);   ///< offsets in shared memory
    void count_local(Warp& warp, const access::Request& request);    ///< offsets in each lane's local memory

    /// Records the first fault of the launch. `what` completes "kernel k, file:line, block, thread: ".
    void raise(FaultKind kind, const Warp& warp, int lane, const std::string& what);

    /// Host memory of a global address, for `bytes` bytes; fills in `region`. nullptr: illegal.
    std::byte* resolve(uint64_t address, uint64_t bytes, bool write, Region& region);
    /// Host memory of any address that a lane may use: global, or one of the windows.
    std::byte* resolve_generic(Warp& warp, int lane, uint64_t address, uint64_t bytes, bool write);
    void forget_regions();   ///< after memory was allocated or freed by the kernel

    bool grow_local(Warp& warp, uint64_t bytes_per_lane);   ///< false: above the limit
    Frame* new_frame(uint32_t function);
    void free_frame(Frame* frame);
    Join* new_join();
    void free_join(Join* join);

private:
    enum class Stop : uint8_t { yielded, blocked, finished };

    void prepare_constants();
    void start_blocks();
    void start_block(Block& block);
    void finish_block(size_t index);
    bool all_stuck();
    Warp* first_live_warp();
    void report_stuck();
    uint64_t state_hash() const;

    void prepare_counting();
    L1Cache& l1_of(const Warp& warp) { return setup_.l1.of(warp.block->sm); }   // counting.cpp, and below
    void note_load(Warp& warp);
    enum class Found : uint8_t { nothing, line, new_here };   // of a line of a request
    Found use_l1(Warp& warp, L1Cache& cache, uint64_t line_number, uint32_t sectors);
    Found use_l1(Warp& warp, L1Cache& cache, uint64_t line_number, uint32_t sectors, bool new_here);
    /// Lines count from the start of device memory on, from 1: the same in every run, wherever the process's memory lies. Those of the
    /// host's memory are above.
    uint64_t line_number(uint64_t address) const {
        const uint64_t line = address / access::line_bytes - first_line_;
        return line < device_lines_ ? line + 1 : (line & L1Cache::most_line / 2) + L1Cache::most_line / 2 + 1;
    }
    /// The line and the sector of a lane's first byte.
    uint64_t entry_of(uint64_t address) const {
        return L1Cache::entry(line_number(address), 1u << (address % access::line_bytes / access::sector_bytes));
    }
    size_t lines_of(const access::Request& request, const access::Blocks& touched, uint64_t (&entries)[warp_size]) const;
    // Of each memory operation one request is remembered: the first, or better the first of the first block's first warp.
    static constexpr uint8_t global_space = 1, shared_space = 2, local_space = 4;
    static bool remembers(const Warp& warp, uint8_t space, uint64_t requests_before) {
        return (warp.site->remembered & space) == 0 && (requests_before == 0 || (warp.block->number == 0 && warp.index == 0));
    }
    MemoryTraffic traffic_of(const Site& site, const access::Request& request) const;
    void remember(Warp& warp, uint8_t space, const access::Request& request, uint64_t base, const MemoryTraffic& memory, const SharedTraffic& shared);
    void remember_global(Warp& warp, const access::Request& request);
    void remember_span(Warp& warp, uint64_t first, uint64_t count);
    void fill_span(Warp& warp, uint64_t first, uint64_t count);          ///< stores
    access::Blocks blocks_of_store(const access::Request& request);
    void fill_lanes(Warp& warp, const access::Request& request, const access::Blocks& touched);
    void drop_lanes(Warp& warp, const access::Request& request);         ///< atomics
    void look_up_span(Warp& warp, uint64_t first, uint64_t count);
    void count_repeat(Warp& warp, const uint64_t* entries, size_t count, uint64_t sectors, uint32_t misses);
    void prefetch_columns(const Warp& warp, const access::Request& request, const uint64_t* entries);
    bool count_next_column(Warp& warp, const access::Request& request, uint64_t (&entries)[warp_size]);
    void look_up_lines(Warp& warp, const uint64_t* entries, size_t count);
    void count_load(Warp& warp, const access::Request& request);
    void take_turn(Warp& warp);

    // timing.cpp
    struct ManagedLines {
        uint64_t first = 0, end = 0;   ///< lines, by line_number()
        ManagedPages::Range* range = nullptr;
    };
    bool timed() const { return setup_.timed_program != nullptr; }
    void prepare_timing();
    void prepare_managed_memory();
    const ManagedLines* managed_lines_at(uint64_t line_number) const;
    bool comes_to_device(const ManagedLines& lines, uint64_t line_number);
    void start_clock(Block& block);
    void synchronise_clocks(Block& block);
    void stop_clock(Warp& warp);
    void issue(Warp& warp, uint32_t pc) { warp.clock.issue(setup_.timed_program->operations[pc], setup_.timed_program->registers.data()); }
    void complete(Warp& warp, uint32_t pc);
    void time_line(uint64_t line_number, uint32_t sectors, bool writes);
    void time_store(const uint64_t* entries, size_t lines, uint64_t partial_sectors);

    template <bool with_clock>
    Stop run_warp(Warp& warp);                                         ///< warp.cpp
    void end_long_turn(Warp& warp);
    uint64_t frame_hash(const Frame& frame) const;
    void control(Warp& warp, const program::Operation& op, uint32_t mask);  ///< control.cpp

    // divergence.cpp
    void split(Warp& warp, uint32_t taken, uint32_t target, uint32_t next, uint32_t meet);
    void split_to_targets(Warp& warp, const uint32_t (&target)[warp_size], uint32_t mask, uint32_t meet);
    Join* join_at(Warp& warp, Fragment& fragment, uint32_t meet);
    void arrive(Warp& warp, Join* join, uint32_t lanes);
    void reach_meeting_point(Warp& warp);
    void leave_joins(Warp& warp, Join* first, const Join* last, uint32_t lanes);
    bool settle(Warp& warp, Join* join);
    void exit_lanes(Warp& warp, uint32_t lanes);
    void finish_warp(Warp& warp);
    void return_lanes(Warp& warp, uint32_t lanes);
    void remove_lanes(Warp& warp, uint32_t lanes);
    bool release_waiting_lanes(Warp& warp);
    // control.cpp
    void call(Warp& warp, const program::Operation& op, uint32_t mask);
    void enter(Warp& warp, const program::Call& call, uint32_t function, uint32_t lanes, Join* join);
    uint64_t end_of_local(const Frame& frame, uint32_t lanes) const;
    void stack(Warp& warp, const program::Operation& op, uint32_t mask);
    void barrier(Warp& warp, const program::Operation& op, uint32_t mask);
    void complete_barriers(Block& block);
    // collective.cpp
    bool collective(Warp& warp, const program::Operation& op, uint32_t mask);   ///< false: the fragment waits
    void retry_collectives(Warp& warp);
    // builtins.cpp
    void builtin(Warp& warp, const program::Call& call, uint32_t mask);

    const Setup setup_;
    const Launch& launch_;
    std::vector<std::byte> constants_memory_;
    std::byte* constants_ = nullptr;
    std::vector<uint32_t> thread_ids_;
    std::vector<Site> sites_;
    std::map<std::pair<size_t, uint8_t>, counters::FirstRequest> first_requests_;   ///< by site and space
    access::Rules rules_;
    bool counting_ = false;             ///< somebody asks for counters
    bool simple_rules_ = true;
    uint64_t l1_bytes_ = 0;
    uint64_t first_line_ = 0;           ///< of device memory
    uint32_t load_groups_ = 0;
    std::array<uint64_t, warp_size> stored_column_{};   ///< addresses of the last store in which each lane had a line of its own
    uint64_t column_ = 0, column_step_ = 0;   ///< first address of the last load in which each lane had a line of its own, other than those before; from the one before it
    uint64_t device_lines_ = 0;
    // The modelled clock.
    std::vector<ManagedLines> managed_lines_;   ///< in order
    uint64_t timed_stride_ = 1;         ///< every so many blocks one has scoreboards
    uint64_t timed_warps_ = 0;          ///< that have ended
    double lifetimes_ = 0, longest_lifetime_ = 0, busy_ = 0;   ///< of these, cycles
    double slowest_line_cycles_ = 0, wavefronts_ = 0;          ///< of the request at hand
    timing::Work work_;
    uint64_t shared_bytes_ = 0, own_shared_bytes_ = 0;
    uint64_t workspace_ = 0;            ///< of a cooperative launch
    uint32_t threads_per_block_ = 0, warps_per_block_ = 0;

    std::vector<std::unique_ptr<Block>> window_;
    std::vector<std::unique_ptr<Block>> spare_blocks_;
    uint64_t next_block_ = 0;
    size_t window_limit_ = 0, capacity_ = 0;   ///< blocks
    std::deque<uint32_t> free_sms_;
    std::mt19937_64 random_;

    std::deque<Frame> frames_;                        ///< all there are; unused ones are spare
    std::deque<Join> joins_;
    std::vector<std::vector<Frame*>> spare_frames_;   ///< by function
    std::vector<Join*> spare_joins_;

    uint64_t executed_ = 0;             ///< warp instructions
    uint64_t busiest_warp_executed_ = 0;
    uint64_t writes_ = 0;               ///< stores and atomics that changed something, and other progress
    uint64_t executed_at_last_end_ = 0;      ///< of a block
    uint64_t executed_at_last_growth_ = 0;   ///< of the window, or end of a block
    std::optional<Fault> fault_;
};

}  // namespace lanescope::machine
