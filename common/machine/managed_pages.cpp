#include "machine/managed_pages.h"

#include <algorithm>

namespace lanescope::machine {

uint64_t ManagedPages::Range::page_size(uint64_t page) const { return std::min(page_bytes, bytes - page * page_bytes); }

bool ManagedPages::Range::move_page(uint64_t page, int to) {
    if (where[page] == to) return false;
    where[page] = static_cast<int8_t>(to);
    whole = mixed;
    return true;
}

void ManagedPages::add(uint64_t address, uint64_t bytes) {
    ranges_[address] = {address, bytes, std::vector<int8_t>((bytes + page_bytes - 1) / page_bytes, at_host), at_host, false};
}

void ManagedPages::remove(uint64_t address) { ranges_.erase(address); }

ManagedPages::Range* ManagedPages::find(uint64_t address) {
    auto after = ranges_.upper_bound(address);
    if (after == ranges_.begin()) return nullptr;
    Range& range = std::prev(after)->second;
    return address - range.address < range.bytes ? &range : nullptr;
}

uint64_t ManagedPages::move(uint64_t address, uint64_t bytes, int to) {
    Range* const range = find(address);
    if (!range || bytes == 0 || range->whole == to) return 0;
    const uint64_t first = (address - range->address) / page_bytes;
    const uint64_t end = std::min<uint64_t>(range->where.size(), (address - range->address + bytes - 1) / page_bytes + 1);
    uint64_t moved = 0;
    for (uint64_t page = first; page < end; ++page) {
        if (range->move_page(page, to)) moved += range->page_size(page);
    }
    if (end - first == range->where.size()) range->whole = to;
    return moved;
}

}  // namespace lanescope::machine
