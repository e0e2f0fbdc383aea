/// \file
/// The unified virtual address space of the host and all simulated GPUs.
///
///     AddressSpace space;
///     const Allocation* a = space.allocate({.kind = MemoryKind::device, .bytes = 4096, .device = 0});
///     std::memcpy(a->host, source, 4096);          // how the runtime reaches device memory
///     const Allocation* b = space.find(a->address + 100);   // == a
///
/// Device memory has two views: `address`, the pointer that cudaMalloc returns and that host code
/// cannot touch (the pages are reserved without access, so a fault names the pointer, host_guard.h),
/// and `host`, where the bytes are. Pinned, registered and managed memory have one: address == host.
/// Pages are taken from the machine only when they are touched. Host side only; not thread-safe
/// (the runtime holds its lock).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "machine/managed_pages.h"

namespace lanescope::machine {

enum class MemoryKind : uint8_t {
    device,         ///< cudaMalloc and friends
    global_symbol,  ///< `__device__` variable
    constant_symbol,///< `__constant__` variable: kernels read it, never write it
    device_heap,    ///< malloc() in a kernel
    pinned,         ///< cudaHostAlloc, cudaMallocHost
    registered,     ///< cudaHostRegister: memory that the program owns
    managed,        ///< cudaMallocManaged, `__managed__`
};
std::string_view name_of(MemoryKind);   ///< "device memory", "pinned host memory", ...

struct Allocation {
    uint64_t address = 0;         ///< what the program and the kernels see
    uint64_t bytes = 0;           ///< exact size asked for; an access past it is out of bounds
    std::byte* host = nullptr;    ///< where the bytes are for the simulator
    MemoryKind kind = MemoryKind::device;
    int device = 0;               ///< owner (the current device at allocation)
    uint32_t device_mask = 1;     ///< bit d: kernels of device d may access it
    unsigned flags = 0;           ///< the runtime's own (cudaHostAlloc flags, ...)
    std::string name;             ///< symbol name or API call: for reports
    uint64_t serial = 0;          ///< 1, 2, 3, ... in order of allocation

    uint64_t end() const { return address + bytes; }
    bool contains(uint64_t a, uint64_t n = 1) const { return a >= address && n <= bytes && a - address <= bytes - n; }
};

struct AllocationRequest {
    MemoryKind kind = MemoryKind::device;
    uint64_t bytes = 0;
    uint64_t alignment = 256;     ///< power of two. CUDA promises 256 for cudaMalloc; device addresses are multiples of 512 here
    int device = 0;
    unsigned flags = 0;
    std::string name = {};
};

class AddressSpace {
public:
    /// Reserves address ranges for device memory of `device_bytes` in total (no memory is taken).
    explicit AddressSpace(uint64_t device_bytes);
    ~AddressSpace();
    AddressSpace(const AddressSpace&) = delete;
    AddressSpace& operator=(const AddressSpace&) = delete;

    /// New memory with undefined contents. nullptr: out of memory (device range exhausted
    /// or the host has none). Pointers to Allocation stay valid until release().
    const Allocation* allocate(const AllocationRequest& request);
    /// Makes memory that the program owns accessible to kernels. nullptr if it overlaps an allocation.
    const Allocation* adopt(void* host, uint64_t bytes, unsigned flags, uint32_t device_mask);
    /// Frees; `address` must be an allocation's first. False if it is not. Remembered for reports.
    bool release(uint64_t address);

    /// The live allocation that contains the address; nullptr if none.
    const Allocation* find(uint64_t address) const;
    Allocation* find(uint64_t address);
    /// For reports: the live allocation closest to the address, and the last freed one that contained it.
    const Allocation* nearest(uint64_t address) const;
    const Allocation* freed(uint64_t address) const;
    /// True for addresses in the ranges reserved for device memory and the shared and local windows.
    bool is_reserved(uint64_t address) const;
    /// "24 bytes past the end of 4096 bytes of device memory at 0x7f… (cudaMalloc number 3)"
    std::string describe(uint64_t address) const;

    /// Generic-address windows: a kernel's view of shared, local and parameter memory. Host code cannot touch them.
    static constexpr uint64_t window_bytes = 1ull << 24;
    uint64_t shared_window() const { return windows_; }
    uint64_t local_window() const { return windows_ + window_bytes; }
    uint64_t param_window() const { return windows_ + 2 * window_bytes; }

    uint64_t device_range_bytes() const { return guard_bytes_; }   ///< from device_base() on
    uint64_t device_base() const { return guard_; }   ///< the lowest address of device memory; another in every process

    uint64_t device_bytes_used(int device) const;  ///< for cudaMemGetInfo
    uint64_t generation() const { return generation_; }   ///< grows with every change: caches compare it
    const std::map<uint64_t, std::unique_ptr<Allocation>>& live() const { return live_; }
    ManagedPages& managed_pages() { return managed_pages_; }   ///< of the live managed allocations

private:
    /// The address of free device memory, which is free no longer; 0: none. The variables of a module, which is
    /// loaded at its first use, come from the end: not where a program may still point after cudaFree.
    uint64_t take_first_range(uint64_t bytes, uint64_t alignment);
    uint64_t take_last_range(uint64_t bytes, uint64_t alignment);
    uint64_t take(std::map<uint64_t, uint64_t>::iterator range, uint64_t begin, uint64_t bytes);

    std::map<uint64_t, std::unique_ptr<Allocation>> live_;      ///< by address
    std::vector<Allocation> freed_;                             ///< the last ones, oldest first
    std::map<uint64_t, uint64_t> free_ranges_;                  ///< device ranges: address -> bytes
    uint64_t guard_ = 0, guard_bytes_ = 0;                      ///< device addresses as the host sees them: no access
    std::byte* backing_ = nullptr;                              ///< the same bytes, accessible
    uint64_t windows_ = 0;
    uint64_t reserved_guard_ = 0, reserved_windows_ = 0;        ///< the same ranges before alignment: to give them back
    std::byte* reserved_backing_ = nullptr;
    uint64_t generation_ = 1, serial_ = 0;
    ManagedPages managed_pages_;
};

}  // namespace lanescope::machine
