// The sentence below a table. Only sums over the whole launch are known, so it speaks of shares and averages, and
// it names a cause only where every cause of such numbers is one. What costs most bytes is what it is about.
#include <algorithm>

#include "report/format.h"
#include "report/report.h"

namespace lanescope::report {
namespace {

constexpr double sector_bytes = 32, line_bytes = 128, wavefront_bytes = 128;

struct Remark {
    double cost_bytes = 0;
    std::string text;
};

std::string share(double part) {
    if (part == 0.25) return "A quarter";
    if (part == 0.5) return "Half";
    if (part == 0.75) return "Three quarters";
    return part < 0.0001 ? "Less than 0.01 %" : number(100 * part) + " %";
}

// "1 sector", "2.50 sectors".
std::string counted(double value, const std::string& noun) { return number(value) + " " + noun + (value == 1 ? "" : "s"); }

// Of global and of local memory.
Remark on_memory(const std::string& name, const MemoryTraffic& t) {
    if (t.requests == 0) return {};
    const double requests = static_cast<double>(t.requests), asked = static_cast<double>(t.requested_bytes), moved = static_cast<double>(t.moved_bytes);
    const double sectors = static_cast<double>(t.sectors);
    const double waste = moved - asked;
    if (waste > 0) {
        const bool near_the_least = sectors * sector_bytes == moved && asked >= sector_bytes * requests && moved <= 1.5 * asked;
        if (!near_the_least) return {waste, fmt::format("{} of the bytes that {} move are not asked for.", share(waste / moved), name)};
        return {waste, fmt::format("On average, {} move {} for each request where {} hold as many bytes as the lanes ask for: some are "
                                   "used only in part, as when a request does not start at a multiple of 32 bytes.",
                                   name, counted(sectors / requests, "sector"), number(asked / requests / sector_bytes))};
    }
    const double lines = static_cast<double>(t.transactions) / requests, needed = std::max(1.0, asked / requests / line_bytes);
    if (t.transactions == t.sectors || lines <= needed) return {};   // not a Kepler, or no line too many
    return {1, fmt::format("Every byte that {} move was asked for, but on average they touch {} lines of 128 bytes for each request where {} "
                           "would hold as many bytes.", name, number(lines), number(needed))};
}

Remark on_shared(const char* name, const SharedTraffic& t, const char* who) {
    if (t.conflicts == 0) return {};
    const double wavefronts = static_cast<double>(t.wavefronts), conflicts = static_cast<double>(t.conflicts);
    return {conflicts * wavefront_bytes,
            fmt::format("Shared {} take {} passes on average where 1 would do without bank conflicts: {} take turns.", name,
                        number(wavefronts / (wavefronts - conflicts)), who)};
}

}  // namespace

std::string meaning(const counters::LaunchCounts& c) {
    const Remark remarks[] = {on_memory("global loads", c.global_load), on_memory("global stores", c.global_store),
                              on_memory("local loads", c.local_load), on_memory("local stores", c.local_store),
                              on_shared("loads", c.shared_load, "lanes that want different words of one bank"),
                              on_shared("stores", c.shared_store, "lanes that want different words of one bank"),
                              on_shared("atomics", c.shared_atomic, "lanes that share a bank")};
    const Remark& worst = *std::ranges::max_element(remarks, {}, &Remark::cost_bytes);
    if (worst.cost_bytes > 0) return worst.text;

    const bool loads = c.global_load.requests != 0, stores = c.global_store.requests != 0;
    const bool shared = c.shared_load.requests + c.shared_store.requests + c.shared_atomic.requests != 0;
    if (loads || stores) {
        return fmt::format("Every byte that global {} move was asked for{}.", loads && stores ? "loads and stores" : loads ? "loads" : "stores",
                           shared ? ", and shared memory has no bank conflicts" : "");
    }
    if (shared) return "Shared memory has no bank conflicts.";
    const uint64_t atomics = c.global_atomic.requests + c.global_reduction.requests;
    if (atomics != 0) {
        return fmt::format("Its atomic operations take {} for each request on average, at the L2 cache, which carries them out.",
                           counted(static_cast<double>(c.global_atomic.sectors + c.global_reduction.sectors) / static_cast<double>(atomics), "sector"));
    }
    if (c.local_load.requests + c.local_store.requests != 0) return "It uses no memory but local memory, which each thread has for itself.";
    return "It makes no request to global, local or shared memory.";
}

}  // namespace lanescope::report
