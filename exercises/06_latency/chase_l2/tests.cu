// Grades chase_l2: where the walk ends, who answered its loads, and the cycles that it reports. The cycles are compared
// with those of a chase of our own through the same chain, in the same run: what the L2 of a
// GPU takes is written nowhere here.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>

#include "chase_l2.h"
#include "grading/graded_test.h"

using namespace lanescope::grading;

namespace {

enum class Answer { l1, l2, memory };  // who is to answer our own timed loads

// Our own chase: from L1 (.ca) or past it (.cg), after `warm_up` loads.
template <bool by_way_of_l1>
__global__ void follow(const Element* first, unsigned warm_up, unsigned loads, long long* cycles, const Element** end) {
    const Element* element = first;
    const auto next = [&] {
        if (by_way_of_l1)
            asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(element)::"memory");
        else
            asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(element)::"memory");
    };
    for (unsigned i = 0; i < warm_up; ++i) next();
    const long long start = clock64();
    for (unsigned i = 0; i < loads; ++i) next();
    *cycles = clock64() - start;
    *end = element;
}

// A chain of its own: `elements` elements, one every `stride` bytes, in random order. Its memory is not used for any
// other, so nobody but kernels that follow it has brought it into a cache.
class Chain {
public:
    Chain(unsigned elements, unsigned stride)
        : order_(elements), stride_(stride), image_(std::size_t(elements) * stride) {
        std::iota(order_.begin(), order_.end(), 0u);
        std::mt19937 draw(elements + stride);
        for (unsigned i = elements; i > 1; --i) std::swap(order_[i - 1], order_[draw() % i]);
        if (cudaMalloc(&memory_, image_.size()) != cudaSuccess) ADD_FAILURE() << "no memory for " << words();
        for (unsigned k = 0; k < elements; ++k) {
            const Element element{at(k + 1)};
            std::memcpy(&image_[std::size_t(order_[k]) * stride_], &element, sizeof element);
        }
        cudaMemcpy(memory_, image_.data(), image_.size(), cudaMemcpyHostToDevice);
    }
    Chain(const Chain&) = delete;  // and no destructor: the memory is not given to another chain

    unsigned elements() const { return unsigned(order_.size()); }
    /// The element after so many loads.
    const Element* at(unsigned loads) const {
        return reinterpret_cast<const Element*>(memory_ + std::size_t(order_[loads % elements()]) * stride_);
    }
    std::string words() const { return text(elements(), " element(s), one every ", stride_, " bytes"); }

    /// "the element after 16 loads"
    std::string name_of(const Element* element) const {
        if (element == nullptr) return "a null pointer";
        for (unsigned k = 0; k < elements(); ++k)
            if (element == at(k)) return text("the element after ", k, " load(s)");
        return text("an address in none of its elements");
    }
    bool is_unchanged() const {
        std::vector<char> now(image_.size());
        cudaMemcpy(now.data(), memory_, now.size(), cudaMemcpyDeviceToHost);
        return now == image_;
    }
    /// Cycles of a load, by our own chase.
    double cycles(Answer answer, unsigned loads) const {
        const DeviceArray<long long> cycles({0});
        const DeviceArray<const Element*> end({nullptr});
        if (answer == Answer::l1)
            follow<true><<<1, 1>>>(at(0), 2 * elements(), loads, cycles.data(), end.data());
        else
            follow<false><<<1, 1>>>(at(0), answer == Answer::l2 ? 2 * elements() : 0, loads, cycles.data(), end.data());
        return double(cycles.values()[0]) / loads;
    }

private:
    std::vector<unsigned> order_;
    unsigned stride_;
    std::vector<char> image_;
    char* memory_ = nullptr;
};

std::string words(const Chain& chain, unsigned loads) {
    return text("a chain of ", chain.words(), ", ", loads, " timed loads");
}

// Runs the learner's chase and checks where it ended.
Chase check(const Chain& chain, unsigned loads, const std::string& note = "") {
    const std::string input = words(chain, loads) + note;
    Chase chase{-1, nullptr};
    if (!expect_success(chase_l2(chain.at(0), chain.elements(), loads, &chase), "chase_l2", input)) return chase;
    expect_equal(chain.name_of(chase.end), chain.name_of(chain.at(loads)), "end", input);
    return chase;
}

constexpr char first_right[] = "\nwhat the walk costs is looked at when it ends where it should";

// What more timed loads add to the counters: the warm-up is the same in both runs, so this is the timed part alone.
struct TimedPart {
    lanescope::Counts all;  // of the shorter run
    std::uint64_t requests, sectors, l1_hits, l2_sectors;
};

TimedPart timed_part(const Chain& chain, unsigned loads, unsigned more) {
    const auto first = lanescope::count([&] { check(chain, loads, first_right); });
    const auto second = lanescope::count([&] { check(chain, loads + more, first_right); });
    const auto added = [&](auto read) { return read(second) - read(first); };
    return {first, added([](const auto& c) { return c.global_load.requests; }),
            added([](const auto& c) { return c.global_load.sectors; }),
            added([](const auto& c) { return c.global_load.l1_hit_sectors; }),
            added([](const auto& c) { return c.l2_read_sectors; })};
}

std::string rounded(double cycles) {
    std::ostringstream out;
    out.precision(4);
    out << cycles;
    return out.str();
}

// The cycles agree with those of our own chase.
void expect_cycles(const Chain& chain, unsigned loads, Answer answer, const std::string& note = "") {
    constexpr double tolerance = 0.02;
    const double found = check(chain, loads, first_right + note).cycles_per_load;
    const Chain small(65, 128), fresh(513, 128);
    const double expected = chain.cycles(Answer::l2, 1024), l1 = small.cycles(Answer::l1, 1024),
                 memory = fresh.cycles(Answer::memory, 512);
    const char* const who =
        answer == Answer::l2 ? "what L2 takes; modelled" : "what memory takes, for L2 cannot hold the chain; modelled";
    if (std::fabs(found - expected) <= tolerance * expected) return;
    ADD_FAILURE() << "cycles_per_load: expected " << rounded(expected) << " (" << who << "), got " << rounded(found)
                  << "\nfor " << words(chain, loads) << note << "\na load from L1 takes " << rounded(l1)
                  << " cycles here, one from memory " << rounded(memory) << " (modelled)";
}

__global__ void write_to(int* address) { *address = 1; }

}  // namespace

GRADED_TEST(EndsWhereTheChainLeads, 2, "Chasing a pointer") {
    for (const unsigned elements : {3u, 31u, 65u, 257u, 1001u}) {
        for (const unsigned stride : {8u, 32u, 128u, 1032u}) {
            const Chain chain(elements, stride);
            for (const unsigned loads : {16u, 256u, 1008u}) {
                const Chase chase = check(chain, loads);
                expect_equal(chase.cycles_per_load > 0, true, "cycles_per_load > 0", words(chain, loads));
            }
            expect_equal(chain.is_unchanged(), true, "chain unchanged", chain.words());
        }
    }
}

// More timed loads, more load requests, one for one: one warp, and no other chain beside this one.
GRADED_TEST(OneLoadAfterTheOther, 2, "Chasing a pointer") {
    SKIP_WITHOUT_COUNTERS();
    constexpr std::uint64_t others = 16;  // pointers and numbers that a kernel may load
    for (const unsigned elements : {3u, 101u, 4001u}) {
        for (const unsigned stride : {32u, 128u}) {
            const Chain chain(elements, stride);
            constexpr unsigned loads = 512, more = 1024;
            const TimedPart part = timed_part(chain, loads, more);
            const std::string input = words(chain, loads) + text(", then ", more, " more");
            expect_equal(part.requests, std::uint64_t{more}, text("load requests of the ", more, " loads more"), input);
            expect_equal(part.sectors, std::uint64_t{more}, text("load sectors of the ", more, " loads more"), input);
            const std::uint64_t counted = part.all.global_load.requests,
                                untimed = counted - std::min<std::uint64_t>(loads, counted);
            if (untimed < elements)
                ADD_FAILURE() << "load requests besides the timed ones: expected at least " << elements
                              << " (each element once), counted " << untimed << "\nfor " << input;
            expect_at_most(untimed, 4 * elements + others, "load requests besides the timed ones",
                           "up to four for each element", input);
        }
    }
}

// 65 elements fit into any L1, also one to a line, and so do 501 sectors; 4001 lines, 500 KB, do not.
GRADED_TEST(NeverAsksL1, 3, "Which load looks where") {
    SKIP_WITHOUT_COUNTERS();
    for (const auto& [elements, stride] : {std::pair{65u, 128u}, {501u, 32u}, {3u, 128u}, {301u, 8u}, {4001u, 128u}}) {
        const Chain chain(elements, stride);
        constexpr unsigned loads = 512, more = 4096;
        const TimedPart part = timed_part(chain, loads, more);
        const std::string input = words(chain, loads + more);
        expect_at_most(part.l1_hits, 0, text("L1 hits of the last ", more, " timed loads"), "all go to L2", input);
        expect_equal(part.l2_sectors, std::uint64_t{more},
                     text("sectors read from L2 by the last ", more, " timed loads"), input);
    }
}

// Of 256 loads one may wait for the last load of the warm-up, which comes from memory: less than 1 %.
GRADED_TEST(MeasuresL2, 4, "The plateaus") {
    SKIP_WITHOUT_COUNTERS();
    for (const auto& [elements, stride, loads] : {std::tuple{65u, 128u, 1024u},
                                                  {65u, 128u, 4096u},
                                                  {501u, 32u, 256u},
                                                  {4001u, 128u, 1024u},
                                                  {301u, 1024u, 4096u},
                                                  {3u, 64u, 512u}})
        expect_cycles(Chain(elements, stride), loads, Answer::l2);
}

// A number that is known beforehand is not a measurement: on other GPUs, and where L2 cannot hold the chain, it is
// another.
GRADED_TEST(MeasuresOtherGpusToo, 2, "The plateaus") {
    SKIP_WITHOUT_COUNTERS();
    setenv("LANESCOPE_GPU", "t4,k80,a100", 1);  // no CUDA function was called before: these are the devices now
    int devices = 0;
    cudaGetDeviceCount(&devices);
    if (devices != 3) ADD_FAILURE() << "CUDA was used before this test began, so that it could not choose its GPUs";
    for (int device = 0; device < devices; ++device) {
        cudaSetDevice(device);
        cudaDeviceProp properties;
        cudaGetDeviceProperties(&properties, device);
        const std::string note = text(", on a simulated ", properties.name);
        expect_cycles(Chain(65, 128), 1024, Answer::l2, note);
        const unsigned twice = 2 * properties.l2CacheSize / 128 + 1;
        if (device < 2) expect_cycles(Chain(twice, 128), 1024, Answer::memory, note);
    }
}

GRADED_TEST(ReturnsErrors, 1, "Chasing a pointer") {
    const Chain chain(10, 128);
    write_to<<<1, 1>>>(nullptr);
    cudaDeviceSynchronize();  // from now on every launch reports what that kernel did
    Chase chase{};
    expect_error(chase_l2(chain.at(0), 10, 16, &chase), cudaErrorIllegalAddress, "chase_l2",
                 "a chain of 10 elements, after a kernel that wrote to an illegal address");
}
