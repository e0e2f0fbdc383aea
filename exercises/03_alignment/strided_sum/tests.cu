// Grades strided_sum: the sum on many grids, then what the loads touched to get it.
#include <numeric>

#include "grading/graded_test.h"
#include "strided_sum.h"

using namespace lanescope::grading;

namespace {

struct Case {
    int n, blocks, threads_per_block;
    std::string words() const {
        return text("n = ", n, ", ", blocks, " block(s) of ", threads_per_block, " thread(s)");
    }
    std::uint64_t warps() const { return static_cast<std::uint64_t>(blocks) * ((threads_per_block + 31) / 32); }
};

// Of both signs and large: the sum of a few does not fit into an int.
std::vector<int> values_of(int n) {
    std::vector<int> values(n);
    std::uint32_t random = 2024;
    for (int& value : values) {
        random = random * 1664525 + 1013904223;
        value = static_cast<int>((random >> 2) + 1'000'000'000);   // 1,000,000,000 to 2,073,741,823
        if (random >> 29 == 0) value = -value;
    }
    return values;
}

// Runs the learner's sum and checks it. The counters are those of this run.
lanescope::Counts check(const Case& c, const std::string& note = "") {
    const std::string input = c.words() + note;
    const std::vector<int> values = values_of(c.n);
    const long long expected = std::accumulate(values.begin(), values.end(), 0ll);

    const DeviceArray<int> on_gpu(values);   // ends behind the last value, so that a read further on is an error
    const DeviceArray<long long> totals(std::vector<long long>(3, 777));
    cudaError_t error = cudaSuccess;
    const lanescope::Counts counts =
        lanescope::count([&] { error = sum(on_gpu.data(), c.n, c.blocks, c.threads_per_block, totals.data() + 1); });
    if (!expect_success(error, "sum", input)) return counts;
    const std::vector<long long> result = totals.values();
    expect_equal(result[1], expected, "*total", input);
    expect_equal({result[0], result[2]}, std::vector<long long>(2, 777), "numbers beside *total", input);
    expect_equal(on_gpu.values(), values, "values", input);
    expect_launch(counts, c.blocks, c.threads_per_block, input);
    return counts;
}

constexpr Case large{1 << 20, 64, 256};
constexpr char first_right[] = "\nhow it was added up is looked at when the total is right";

// That kernels of many threads loaded all values, and added up before they went to the total.
void expect_shared_work(const lanescope::Counts& counts, const Case& c) {
    const std::uint64_t bytes = sizeof(int) * c.n, rounds = c.n / (32 * c.warps()) + 1;
    const std::uint64_t loaded = counts.global_load.requested_bytes;
    expect_at_most(loaded < bytes ? bytes - loaded : 0, 0, "bytes of values that no kernel loaded", "the GPU adds up",
                   c.words());
    expect_at_most(counts.copied_to_host_bytes, 8 * c.blocks, "bytes copied to the host",
                   "one number for each block: the GPU adds up, not the host", c.words());
    expect_at_most(counts, global_load_requests, c.n / 32 + 8 * c.warps(), "one for 32 values, and eight for each warp",
                   c.words());
    expect_at_most(counts, global_atomic_requests, c.warps(), "one for each warp", c.words());
    expect_at_most(counts.busiest_warp_instructions, 20 * rounds + 4000, "instructions of the busiest warp",
                   text("20 for each of its ", rounds, " rounds, and 4000 to add up within a block"), c.words());
}

__global__ void write_to(int* address) { *address = 1; }

}  // namespace

GRADED_TEST(SumsOnEveryGrid, 3, "Coalescing") {
    for (int n : {0, 1, 5, 31, 32, 33, 1000, 4097})
        for (const Case& grid :
             {Case{0, 1, 1}, Case{0, 1, 32}, Case{0, 2, 33}, Case{0, 5, 96}, Case{0, 8, 256}, Case{0, 1, 1024}})
            check({n, grid.blocks, grid.threads_per_block});
    for (const Case& c : {large, Case{100'003, 37, 96}, Case{262'144, 1024, 32}, Case{7, 300, 128}}) check(c);
    check({1000, 5, 96});   // and it starts from 0 every time
    check({1000, 5, 96});
}

// 32 neighbours lie in four sectors. The lanes of 16,384 threads with a piece of 64 values each touch 32 sectors with
// each request: eight times as many.
GRADED_TEST(LanesLoadNeighbours, 5, "Coalescing") {
    SKIP_WITHOUT_COUNTERS();
    const lanescope::Counts counts = check(large, first_right);
    const std::uint64_t limit = large.n / 8 + 2 * large.warps();
    expect_at_most(counts, global_load_sectors, limit, "one for 8 values, and two for each warp", large.words());
    expect_shared_work(counts, large);
}

// Sizes and grids that are multiples of nothing. Where each warp has a piece of its own, its loads are not aligned and
// touch five sectors for 32 values.
GRADED_TEST(LanesLoadNeighboursOnEveryGrid, 3, "Coalescing") {
    SKIP_WITHOUT_COUNTERS();
    for (const Case& c :
         {Case{1'000'003, 37, 96}, Case{300'001, 200, 64}, Case{262'145, 11, 1024}, Case{99'999, 128, 32}}) {
        const lanescope::Counts counts = check(c, first_right);
        expect_at_most(counts, global_load_sectors, c.n / 32 * 5 + 5 * c.warps(),
                       "five for 32 values, and five for each warp", c.words());
        expect_shared_work(counts, c);
    }
}

GRADED_TEST(ReturnsErrors, 1, "Coalescing") {
    const DeviceArray<int> values(std::vector<int>(100, 1));
    const DeviceArray<long long> total(std::vector<long long>(1, 777));
    const cudaError_t error = sum(values.data(), 100, 1, 2048, total.data());
    cudaGetLastError();                  // clears it, if the learner's code did not
    if (error != cudaErrorInvalidValue)   // which drivers have answered too
        expect_error(error, cudaErrorInvalidConfiguration, "sum", "n = 100, 1 block of 2048 threads, which no GPU has");
    write_to<<<1, 1>>>(nullptr);
    cudaDeviceSynchronize();   // from now on every call reports what that kernel did
    expect_error(sum(values.data(), 100, 1, 32, total.data()), cudaErrorIllegalAddress, "sum",
                 "n = 100, 1 block of 32 threads, after a kernel that wrote to an illegal address");
}
