#include "machine/address_space.h"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace lanescope::machine {
namespace {

constexpr uint64_t huge_page_bytes = 2ull << 20;
constexpr uint64_t page_bytes = 4096;
constexpr uint64_t smallest_alignment = 512;
constexpr size_t freed_kept = 256;

void* reserve(uint64_t bytes, int protection) {
    void* p = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? nullptr : p;
}
uint64_t align_up(uint64_t value, uint64_t alignment) { return (value + alignment - 1) / alignment * alignment; }

}  // namespace

std::string_view name_of(MemoryKind kind) {
    switch (kind) {
        case MemoryKind::device: return "device memory";
        case MemoryKind::global_symbol: return "__device__ variable";
        case MemoryKind::constant_symbol: return "__constant__ variable";
        case MemoryKind::device_heap: return "memory from malloc() in a kernel";
        case MemoryKind::pinned: return "pinned host memory";
        case MemoryKind::registered: return "registered host memory";
        case MemoryKind::managed: return "managed memory";
    }
    return "memory";
}

AddressSpace::AddressSpace(uint64_t device_bytes) {
    // A machine that limits address space gets a smaller GPU rather than none.
    for (guard_bytes_ = align_up(device_bytes, huge_page_bytes); guard_bytes_ >= huge_page_bytes; guard_bytes_ /= 2) {
        void* guard = reserve(guard_bytes_ + huge_page_bytes, PROT_NONE);
        void* backing = guard ? reserve(guard_bytes_ + huge_page_bytes, PROT_READ | PROT_WRITE) : nullptr;
        if (backing) {
            reserved_guard_ = reinterpret_cast<uint64_t>(guard);
            reserved_backing_ = static_cast<std::byte*>(backing);
            guard_ = align_up(reserved_guard_, huge_page_bytes);
            backing_ = reinterpret_cast<std::byte*>(align_up(reinterpret_cast<uint64_t>(backing), huge_page_bytes));
            break;
        }
        if (guard) munmap(guard, guard_bytes_ + huge_page_bytes);
    }
    if (backing_) free_ranges_.emplace(guard_, guard_bytes_);
    else guard_bytes_ = 0;
    windows_ = reinterpret_cast<uint64_t>(reserve(4 * window_bytes, PROT_NONE));
    reserved_windows_ = windows_;
    windows_ = align_up(windows_, window_bytes);
}

AddressSpace::~AddressSpace() {
    for (const auto& [address, allocation] : live_)
        if (allocation->kind == MemoryKind::pinned || allocation->kind == MemoryKind::managed)
            munmap(allocation->host, align_up(allocation->bytes, page_bytes));
    if (backing_) {
        munmap(reinterpret_cast<void*>(reserved_guard_), guard_bytes_ + huge_page_bytes);
        munmap(reserved_backing_, guard_bytes_ + huge_page_bytes);
    }
    if (reserved_windows_) munmap(reinterpret_cast<void*>(reserved_windows_), 4 * window_bytes);
}

const Allocation* AddressSpace::allocate(const AllocationRequest& request) {
    auto allocation = std::make_unique<Allocation>();
    allocation->bytes = request.bytes;
    allocation->kind = request.kind;
    allocation->device = request.device;
    allocation->device_mask = 1u << request.device;
    allocation->flags = request.flags;
    allocation->name = request.name;
    const uint64_t taken_bytes = std::max<uint64_t>(request.bytes, 1);
    if (request.kind == MemoryKind::pinned || request.kind == MemoryKind::managed) {
        void* host = reserve(align_up(taken_bytes, page_bytes), PROT_READ | PROT_WRITE);
        if (!host) return nullptr;
        allocation->host = static_cast<std::byte*>(host);
        allocation->address = reinterpret_cast<uint64_t>(host);
        allocation->device_mask = ~0u;
    } else {
        // Large allocations start on a huge page of their own, which halves the host's page walks.
        const bool large = taken_bytes >= huge_page_bytes;
        const uint64_t alignment = std::max({request.alignment, smallest_alignment, large ? huge_page_bytes : 1});
        const uint64_t bytes = align_up(taken_bytes, smallest_alignment);
        if (bytes < taken_bytes) return nullptr;
        const bool symbol = request.kind == MemoryKind::global_symbol || request.kind == MemoryKind::constant_symbol;
        const uint64_t begin = symbol ? take_last_range(bytes, alignment) : take_first_range(bytes, alignment);
        if (begin == 0) return nullptr;
        allocation->address = begin;
        allocation->host = backing_ + (begin - guard_);
        if (large) madvise(allocation->host, align_up(bytes, huge_page_bytes), MADV_HUGEPAGE);
    }
    allocation->serial = ++serial_;
    ++generation_;
    const uint64_t address = allocation->address;
    if (allocation->kind == MemoryKind::managed) managed_pages_.add(address, allocation->bytes);
    return (live_[address] = std::move(allocation)).get();
}

uint64_t AddressSpace::take_first_range(uint64_t bytes, uint64_t alignment) {
    for (auto range = free_ranges_.begin(); range != free_ranges_.end(); ++range) {
        const uint64_t begin = align_up(range->first, alignment);
        const uint64_t skipped = begin - range->first;
        if (range->second >= skipped && range->second - skipped >= bytes) return take(range, begin, bytes);
    }
    return 0;
}

uint64_t AddressSpace::take_last_range(uint64_t bytes, uint64_t alignment) {
    for (auto range = free_ranges_.end(); range != free_ranges_.begin();) {
        --range;
        if (range->second < bytes) continue;
        const uint64_t begin = (range->first + range->second - bytes) / alignment * alignment;
        if (begin >= range->first) return take(range, begin, bytes);
    }
    return 0;
}

uint64_t AddressSpace::take(std::map<uint64_t, uint64_t>::iterator range, uint64_t begin, uint64_t bytes) {
    const uint64_t end = range->first + range->second;
    if (begin > range->first) range->second = begin - range->first;
    else free_ranges_.erase(range);
    if (end > begin + bytes) free_ranges_.emplace(begin + bytes, end - begin - bytes);
    return begin;
}

const Allocation* AddressSpace::adopt(void* host, uint64_t bytes, unsigned flags, uint32_t device_mask) {
    const auto address = reinterpret_cast<uint64_t>(host);
    const auto after = live_.lower_bound(address);
    if (after != live_.end() && after->second->address < address + bytes) return nullptr;
    if (find(address)) return nullptr;
    auto allocation = std::make_unique<Allocation>();
    *allocation = {.address = address, .bytes = bytes, .host = static_cast<std::byte*>(host),
                   .kind = MemoryKind::registered, .device = 0, .device_mask = device_mask, .flags = flags,
                   .name = "cudaHostRegister", .serial = ++serial_};
    ++generation_;
    return (live_[address] = std::move(allocation)).get();
}

bool AddressSpace::release(uint64_t address) {
    const auto found = live_.find(address);
    if (found == live_.end()) return false;
    Allocation& allocation = *found->second;
    const uint64_t taken_bytes = std::max<uint64_t>(allocation.bytes, 1);
    managed_pages_.remove(address);
    if (allocation.kind == MemoryKind::pinned || allocation.kind == MemoryKind::managed) {
        munmap(allocation.host, align_up(taken_bytes, page_bytes));
    } else if (allocation.kind != MemoryKind::registered) {
        uint64_t begin = allocation.address;
        uint64_t bytes = align_up(taken_bytes, smallest_alignment);
        // Give whole pages back to the operating system.
        const auto first = align_up(reinterpret_cast<uint64_t>(allocation.host), page_bytes);
        const auto last = (reinterpret_cast<uint64_t>(allocation.host) + bytes) / page_bytes * page_bytes;
        if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
        auto next = free_ranges_.lower_bound(begin);
        if (next != free_ranges_.end() && next->first == begin + bytes) {
            bytes += next->second;
            next = free_ranges_.erase(next);
        }
        if (next != free_ranges_.begin()) {
            const auto previous = std::prev(next);
            if (previous->first + previous->second == begin) {
                begin = previous->first;
                bytes += previous->second;
                free_ranges_.erase(previous);
            }
        }
        free_ranges_.emplace(begin, bytes);
    }
    if (freed_.size() == freed_kept) freed_.erase(freed_.begin());
    freed_.push_back(allocation);
    live_.erase(found);
    ++generation_;
    return true;
}

Allocation* AddressSpace::find(uint64_t address) {
    return const_cast<Allocation*>(std::as_const(*this).find(address));
}

const Allocation* AddressSpace::find(uint64_t address) const {
    auto after = live_.upper_bound(address);
    if (after == live_.begin()) return nullptr;
    const Allocation& allocation = *std::prev(after)->second;
    return allocation.contains(address) ? &allocation : nullptr;
}

const Allocation* AddressSpace::nearest(uint64_t address) const {
    const auto after = live_.upper_bound(address);
    const Allocation* above = after == live_.end() ? nullptr : after->second.get();
    const Allocation* below = after == live_.begin() ? nullptr : std::prev(after)->second.get();
    if (!above || !below) return above ? above : below;
    const uint64_t to_below = address >= below->end() ? address - below->end() : 0;
    return to_below <= above->address - address ? below : above;
}

const Allocation* AddressSpace::freed(uint64_t address) const {
    for (auto allocation = freed_.rbegin(); allocation != freed_.rend(); ++allocation)
        if (allocation->contains(address)) return &*allocation;
    return nullptr;
}

bool AddressSpace::is_reserved(uint64_t address) const {
    return (address >= guard_ && address - guard_ < guard_bytes_) ||
           (address >= windows_ && address - windows_ < 3 * window_bytes);
}

std::string AddressSpace::describe(uint64_t address) const {
    auto name = [](const Allocation& a) {
        const bool symbol = a.kind == MemoryKind::global_symbol || a.kind == MemoryKind::constant_symbol;
        return symbol ? fmt::format("the {} {} ({} bytes at {:#x})", name_of(a.kind), a.name, a.bytes, a.address)
                      : fmt::format("{} bytes of {} at {:#x}{}", a.bytes, name_of(a.kind), a.address,
                                    a.name.empty() ? "" : " (" + a.name + ")");
    };
    if (address == 0) return "a null pointer";
    if (address < page_bytes) return "a null pointer plus an offset";
    if (const Allocation* inside = find(address)) return fmt::format("byte {} of {}", address - inside->address, name(*inside));
    // An address just outside of live memory is more likely a wrong index than a use after free.
    const Allocation* close = nearest(address);
    const uint64_t distance = !close ? ~0ull : address >= close->end() ? address - close->end() : close->address - address;
    if (distance >= 4096)
        if (const Allocation* gone = freed(address)) return fmt::format("byte {} of {}, which was freed", address - gone->address, name(*gone));
    if (close && distance < (1u << 20))
        return fmt::format("{} bytes {} {}", distance,
                           address >= close->end() ? "past the end of" : "before", name(*close));
    if (is_reserved(address)) return "an address that no allocation contains";
    return "an address that the GPU cannot reach: ordinary host memory (malloc, new, stack), or no memory at all";
}

uint64_t AddressSpace::device_bytes_used(int device) const {
    uint64_t bytes = 0;
    for (const auto& [address, allocation] : live_)
        if (allocation->device == device && allocation->kind != MemoryKind::pinned &&
            allocation->kind != MemoryKind::registered && allocation->kind != MemoryKind::managed)
            bytes += allocation->bytes;
    return bytes;
}

}  // namespace lanescope::machine
