// Grades shifted_copy: the copy at many offsets and sizes, then the sectors that its requests touch.
#include <algorithm>

#include "grading/graded_test.h"
#include "shifted_copy.h"

using namespace lanescope::grading;

namespace {

constexpr int sector_ints = 8;

struct Case {
    int n, from_offset, to_offset;   // in ints, from an address that is a multiple of 256
    std::string words() const {
        return text("n = ", n, ", from ", from_offset, " and to ", to_offset, " int(s) past a multiple of 128 bytes");
    }
};

std::vector<int> part(const std::vector<int>& all, size_t begin, size_t count) {
    return {all.begin() + begin, all.begin() + begin + count};
}

// Runs the learner's copy and checks what it did to the memory. The counters are those of this run.
lanescope::Counts check(const Case& c, const std::string& note = "") {
    constexpr int behind = 40, poison = -1;
    const std::string input = c.words() + note;
    // `from` ends where its allocation ends, so that a read behind it is an error. The words before it are no samples.
    std::vector<int> source(c.from_offset + c.n, -2);
    for (int i = 0; i < c.n; ++i) source[c.from_offset + i] = i * 7 + 3;
    const DeviceArray<int> from(source);
    const DeviceArray<int> to(std::vector<int>(c.to_offset + c.n + behind, poison));
    cudaError_t error = cudaSuccess;
    const lanescope::Counts counts =
        lanescope::count([&] { error = copy_samples(to.data() + c.to_offset, from.data() + c.from_offset, c.n); });
    if (!expect_success(error, "copy_samples", input)) return counts;
    const std::vector<int> result = to.values();
    expect_equal(part(result, c.to_offset, c.n), part(source, c.from_offset, c.n), "to", input);
    expect_equal(part(result, 0, c.to_offset), std::vector<int>(c.to_offset, poison), "ints before to", input);
    expect_equal(part(result, c.to_offset + c.n, behind), std::vector<int>(behind, poison),
                 "ints behind the last of to", input);
    expect_equal(from.values(), source, "from and the ints before it", input);
    expect_at_most(counts.copied_to_host_bytes, 0, "bytes copied to the host", "the samples stay on the GPU", input);
    return counts;
}

constexpr int large = 1 << 18;
constexpr std::uint64_t warps = large / 32;   // that copy one sample with each lane
constexpr char first_right[] = "\nsectors are looked at when the copy is right";

// Sectors in which the array lies.
std::uint64_t sectors_of(int offset, int n) { return (offset + n - 1) / sector_ints - offset / sector_ints + 1; }

constexpr std::uint64_t edges = 16;   // where a solution cuts the array into a few pieces
constexpr Counter global_sectors{"global load and store sectors", [](const lanescope::MemoryCounts& c) {
                                     return c.global_load.sectors + c.global_store.sectors;
                                 }};

// That the samples went through registers of many threads, 32 at a time.
void expect_shared_work(const lanescope::Counts& counts, const Case& c) {
    const std::string input = c.words();
    const std::uint64_t bytes = sizeof(int) * c.n;
    const auto missing = [&](const lanescope::MemoryTraffic& traffic) {
        return bytes - std::min(bytes, traffic.requested_bytes);
    };
    expect_at_most(missing(counts.global_load), 0, "bytes of samples that no kernel loaded", "a kernel copies", input);
    expect_at_most(missing(counts.global_store), 0, "bytes of samples that no kernel stored", "a kernel copies", input);
    std::uint64_t threads = 0;
    for (const auto& launch : counts.launches) threads += launch.blocks() * launch.threads_per_block();
    expect_at_most(counts, global_load_requests, 2 * warps, "two for 32 samples", input);
    expect_at_most(counts, global_store_requests, 2 * warps, "two for 32 samples", input);
    expect_at_most(large / std::max<std::uint64_t>(threads, 1), 32, "samples for each thread launched",
                   "so that thousands of threads share the work", input);
    expect_at_most(counts.busiest_warp_instructions, 600, "instructions of the busiest warp",
                   "room for 32 rounds of a loop", input);
}

__global__ void write_to(int* address) { *address = 1; }

}  // namespace

GRADED_TEST(CopiesAtEveryOffset, 2, "Reading at an offset") {
    for (int n : {1, 31, 300})
        for (int from_offset : {0, 1, 3, 8, 31})
            for (int to_offset : {0, 1, 5, 8, 30}) check({n, from_offset, to_offset});
    for (int offset = 0; offset < 34; ++offset) check({1000, offset, offset});
}

GRADED_TEST(CopiesEverySize, 1, "Reading at an offset") {
    for (int n : {0, 1, 2, 7, 8, 9, 32, 33, 224, 225, 255, 256, 257, 511, 1023, 1024, 1025, 4097})
        for (int offset : {0, 1, 31}) check({n, offset, offset});
    for (const Case& c : {Case{large, 0, 0}, Case{large - 31, 31, 31}, Case{100'003, 4, 1}}) check(c);
}

// `from` and `to` are shifted alike, as seen from the sectors, so whatever is aligned on one side is on the other. A
// sector that a request touches counts for it: a body that begins at a sector's first byte touches each once.
GRADED_TEST(AlignsBothSidesWhereItCan, 5, "Reading at an offset") {
    SKIP_WITHOUT_COUNTERS();
    for (const Case& c : {Case{large, 1, 1}, Case{large, 4, 4}, Case{large - 3, 7, 7}, Case{large + 5, 3, 11},
                          Case{large, 30, 6}, Case{large, 0, 0}}) {
        const lanescope::Counts counts = check(c, first_right);
        expect_at_most(counts, global_load_sectors, sectors_of(c.from_offset, c.n) + edges,
                       text("those in which the samples lie, and ", edges, " for edges"), c.words());
        expect_at_most(counts, global_store_sectors, sectors_of(c.to_offset, c.n) + edges,
                       text("those in which the samples lie, and ", edges, " for edges"), c.words());
        expect_shared_work(counts, c);
    }
}

// Shifted differently: with one sample for each lane one side is aligned, and the other touches one sector more
// with each request. (Through shared memory both can be aligned, which is less still.)
GRADED_TEST(AlignsOneSideAlways, 3, "Writing at an offset") {
    SKIP_WITHOUT_COUNTERS();
    for (const Case& c : {Case{large, 1, 2}, Case{large, 6, 3}, Case{large - 7, 5, 1}, Case{large + 1, 31, 20},
                          Case{large, 0, 5}, Case{large, 4, 0}}) {
        const lanescope::Counts counts = check(c, first_right);
        expect_at_most(
            counts, global_sectors, sectors_of(c.from_offset, c.n) + sectors_of(c.to_offset, c.n) + warps + 2 * edges,
            "those in which the samples lie, one more for 32 samples on one side, and some for edges", c.words());
        expect_shared_work(counts, c);
    }
}

GRADED_TEST(ReturnsErrors, 1, "Reading at an offset") {
    const DeviceArray<int> from(std::vector<int>(100, 1)), to(std::vector<int>(100, 2));
    write_to<<<1, 1>>>(nullptr);
    cudaDeviceSynchronize();   // from now on every launch reports what that kernel did
    expect_error(copy_samples(to.data() + 1, from.data() + 1, 99), cudaErrorIllegalAddress, "copy_samples",
                 "n = 99, after a kernel that wrote to an illegal address");
}
