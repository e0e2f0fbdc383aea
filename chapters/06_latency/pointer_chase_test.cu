// That a chase visits what it says, and what pointer_chase prints. No time is asserted.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "chase.cuh"
#include "support/run_program.h"
#include "tutorial/counters.h"
#include "tutorial/simulated.h"

namespace {

using namespace latency;
using lanescope::test::Finished;
using lanescope::test::run_program;
using lanescope::tutorial::on_simulated_gpu;
using testing::HasSubstr;

TEST(VisitingOrder, EachElementOnce) {
    for (const unsigned n : {1u, 2u, 3u, 100u, 4096u, 100003u}) {
        for (const Order order : {Order::random, Order::sequential}) {
            std::vector<unsigned> visited = visiting_order(n, order);
            std::sort(visited.begin(), visited.end());
            std::vector<unsigned> all(n);
            std::iota(all.begin(), all.end(), 0u);
            EXPECT_EQ(visited, all) << n;
        }
    }
}

TEST(VisitingOrder, RandomIsNotInOrderAndAlwaysTheSame) {
    const std::vector<unsigned> order = visiting_order(1000, Order::random);
    EXPECT_EQ(order, visiting_order(1000, Order::random));
    // Of 1000 neighbours in a random permutation about 1 follows the one before it.
    int successors = 0;
    for (unsigned i = 1; i < 1000; ++i) successors += order[i] == order[i - 1] + 1;
    EXPECT_LT(successors, 10);
    const std::vector<unsigned> sequential = visiting_order(1000, Order::sequential);
    EXPECT_TRUE(std::is_sorted(sequential.begin(), sequential.end()));
}

// Follows the chain n times, and counts in the second word of each element that it was there.
__global__ void visit(char* elements, unsigned first, unsigned stride, unsigned n, unsigned long long* end) {
    char* p = elements + std::size_t(first) * stride;
    for (unsigned i = 0; i < n; ++i) {
        ++reinterpret_cast<unsigned long long*>(p)[1];
        p = *reinterpret_cast<char**>(p);
    }
    *end = p - elements;
}

class OneCycle : public testing::TestWithParam<std::tuple<unsigned, unsigned, Order>> {};

// n steps bring the walk back to where it began, having been at each element once: one cycle, and no shorter one.
TEST_P(OneCycle, VisitsEachElementOnce) {
    const auto [n, stride, order] = GetParam();
    const Chain chain(n, stride, order);
    const DeviceMemory<char> memory(chain.bytes());
    const DeviceMemory<unsigned long long> end_there(1);
    CUDA_CHECK(cudaMemset(memory.get(), 0, chain.bytes()));
    chain.link_in(memory.get());
    visit<<<1, 1>>>(memory.get(), chain.order()[0], stride, n, end_there.get());
    CUDA_CHECK(cudaGetLastError());
    std::vector<unsigned long long> words(chain.bytes() / 8);
    CUDA_CHECK(cudaMemcpy(words.data(), memory.get(), chain.bytes(), cudaMemcpyDeviceToHost));
    unsigned long long end = 0;
    CUDA_CHECK(cudaMemcpy(&end, end_there.get(), sizeof end, cudaMemcpyDeviceToHost));
    EXPECT_EQ(end, (unsigned long long)chain.order()[0] * stride);
    for (unsigned i = 0; i < n; ++i) ASSERT_EQ(words[std::size_t(i) * stride / 8 + 1], 1u) << "element " << i;
}

INSTANTIATE_TEST_SUITE_P(Sizes, OneCycle,
                         testing::Combine(testing::Values(1u, 2u, 255u, 256u, 257u, 5000u),
                                          testing::Values(16u, 128u, 4096u),
                                          testing::Values(Order::random, Order::sequential)));

// Wherever a walk stops: in the first pass, at its end, in a later one.
TEST(Walk, EndsWhereSoManyLoadsLead) {
    for (const unsigned n : {1u, 5u, 64u, 1000u}) {
        const Chain chain(n, 128, Order::random);
        for (const unsigned passes : {0u, 1u, 2u}) {
            for (const unsigned loads : {16u, 64u, 1008u}) {
                const unsigned long long end = chain.order()[(passes * n + loads) % n] * 128ull;
                EXPECT_EQ(chain.end_of(passes * n + loads), end);
                EXPECT_EQ(chain.walk(Operator::ca, passes, loads).last, end);
                EXPECT_EQ(chain.walk(Operator::cg, passes, loads).last, end);
                if (chain.bytes() <= 32768) EXPECT_EQ(chain.walk_shared(passes, loads).last, end);
            }
        }
    }
}

// To link n = 512 elements, 16 warps load 2 indices a lane and store an address. The walk then makes one request a
// load.
TEST(Walk, LoadsWhatItSays) {
    if (!lanescope::can_count()) GTEST_SKIP() << "nothing counts here";
    const Chain chain(512, 128, Order::random);
    for (const Operator op : {Operator::ca, Operator::cg}) {
        const auto counts = lanescope::count([&] { chain.walk(op, 2, 4096); });
        EXPECT_EQ(counts.global_load.requests, 16u * 2 + 2 * 512 + 4096);
        EXPECT_EQ(counts.shared_load.requests, 0u);
    }
    const Chain small(64, 128, Order::random);
    const auto counts = lanescope::count([&] { small.walk_shared(2, 4096); });
    EXPECT_EQ(counts.shared_load.requests, 2u * 64 + 4096);
    EXPECT_LE(counts.global_load.requests, 65u);  // the order, before the walk
}

// 512 lines are 64 KB, which an H200's L1 holds: after the first pass every load hits. Loads with .cg never do.
TEST(Walk, OnlyCaLooksInL1) {
    if (!on_simulated_gpu()) GTEST_SKIP() << "this GPU's counters are not read";
    const Chain chain(512, 128, Order::random);
    const auto hits = [&](Operator op, unsigned passes) {
        return lanescope::count([&] { chain.walk(op, passes, 512); }).global_load.l1_hit_sectors;
    };
    EXPECT_EQ(hits(Operator::ca, 2) - hits(Operator::ca, 1), 512u);
    EXPECT_EQ(hits(Operator::cg, 2) - hits(Operator::cg, 1), 0u);
}

TEST(Ladder, GoesThroughEachDoubling) {
    EXPECT_EQ(ladder(16, 64, 4), (std::vector<long long>{16, 20, 24, 28, 32, 40, 48, 56, 64}));
    EXPECT_EQ(ladder(17, 30, 2), (std::vector<long long>{17, 24, 30}));            // the ends are as given
    EXPECT_EQ(ladder(1, 8, 4), (std::vector<long long>{1, 2, 3, 4, 5, 6, 7, 8}));  // whole KB, each once
    EXPECT_EQ(ladder(227, 227, 4), (std::vector<long long>{227}));
    EXPECT_EQ(ladder(16, 64, 1), (std::vector<long long>{16, 32, 64}));
}

std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        rows.emplace_back();
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
}

Finished run_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), PROGRAM_pointer_chase);
    return run_program(arguments);
}

TEST(PointerChase, Csv) {
    const Finished run =
        run_with({"--csv", "--from", "16", "--to", "32", "--op", "cg", "--order", "sequential", "--loads", "100"});
    ASSERT_EQ(run.exit_status, 0) << run.err;
    EXPECT_EQ(run.err, "");
    const auto rows = csv_rows(run.out);
    ASSERT_EQ(rows.size(), 1u + 5);  // 16, 20, 24, 28, 32
    EXPECT_EQ(rows[0], (std::vector<std::string>{"gpu", "kind", "space", "op", "order", "stride_bytes", "kb", "loads",
                                                 "cycles_per_load", "sm_mhz"}));
    for (std::size_t i = 1; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].size(), 10u) << run.out;
        EXPECT_EQ(rows[i][1], on_simulated_gpu() ? "modelled" : "measured");
        EXPECT_EQ(rows[i][2], "global");
        EXPECT_EQ(rows[i][3], "cg");
        EXPECT_EQ(rows[i][4], "sequential");
        EXPECT_EQ(rows[i][5], "128");
        EXPECT_EQ(rows[i][6], std::to_string(12 + 4 * i));
        EXPECT_EQ(rows[i][7], "112");  // rounded up to a multiple of 16
        EXPECT_GT(std::stod(rows[i][8]), 0);
        EXPECT_GT(std::stod(rows[i][9]), 0);
    }
}

TEST(PointerChase, CsvOfSharedMemoryHasNoOperator) {
    const auto rows =
        csv_rows(run_with({"--csv", "--space", "shared", "--from", "8", "--to", "8", "--stride", "64"}).out);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[1][2], "shared");
    EXPECT_EQ(rows[1][3], "-");
    EXPECT_EQ(rows[1][5], "64");
}

TEST(PointerChase, TableAndPlateaus) {
    const Finished run = run_with({"--from", "16", "--to", "32"});
    ASSERT_EQ(run.exit_status, 0) << run.err;
    const std::string kind = on_simulated_gpu() ? "modelled" : "measured";
    EXPECT_THAT(run.out, HasSubstr("through global memory (ld.global.ca), followed by one thread"));
    EXPECT_THAT(run.out, HasSubstr("2 pass(es) over all elements to warm up, then 16384 timed loads"));
    EXPECT_THAT(run.out, HasSubstr("\n        16        128 "));
    EXPECT_THAT(run.out, HasSubstr("\n        32        256 "));
    EXPECT_THAT(run.out, HasSubstr("cycles, " + kind + ": 16 KB to 32 KB (5 sizes)"));
    EXPECT_THAT(run.out, HasSubstr("SM clock"));
    // What a real GPU's clock did is said, and that a program cannot ask; a modelled one is no matter of locks.
    EXPECT_EQ(run.out.find("gpu_clock_lock.sh") == std::string::npos, on_simulated_gpu()) << run.out;
    EXPECT_THAT(run_with({"--from", "16", "--to", "16"}).out, HasSubstr("none in these sizes"));
}

TEST(PointerChase, StrideSetsTheNumberOfElements) {
    EXPECT_THAT(run_with({"--from", "16", "--to", "16", "--stride", "4096"}).out, HasSubstr("        16          4 "));
    EXPECT_THAT(run_with({"--from", "16", "--to", "16", "--stride", "8"}).out, HasSubstr("        16       2048 "));
    EXPECT_THAT(run_with({"--from", "1", "--to", "1", "--stride", "1024"}).out, HasSubstr("         1          1 "));
}

TEST(PointerChase, SharedMemoryEndsWhereABlocksDoes) {
    int bytes = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    const long long kb = bytes / 1024;
    const auto rows = csv_rows(run_with({"--csv", "--space", "shared"}).out);
    EXPECT_EQ(rows.back()[6], std::to_string(kb));
    const Finished refused = run_with({"--space", "shared", "--to", std::to_string(kb + 1)});
    EXPECT_EQ(refused.exit_status, 2);
    EXPECT_THAT(refused.err, HasSubstr("a block can have " + std::to_string(kb) + " KB of shared memory on this GPU"));
}

TEST(PointerChase, Help) {
    const Finished run = run_with({"--help"});
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_THAT(run.out, HasSubstr("Usage: pointer_chase"));
    for (const char* option : {"--csv", "--space", "--op", "--from", "--to", "--steps", "--stride", "--order",
                               "--warmup", "--loads", "--device"})
        EXPECT_THAT(run.out, HasSubstr(std::string("\n  ") + option + " ")) << option;
}

TEST(PointerChase, RefusesWhatItDoesNotUnderstand) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"--space", "local"}, "--space must be one of global, shared, not \"local\""},
        {{"--op", "cs"}, "--op must be one of ca, cg, not \"cs\""},
        {{"--order", "reverse"}, "--order must be one of random, sequential"},
        {{"--from", "0"}, "--from must be a whole number from 1 to 4194304"},
        {{"--from", "64", "--to", "32"}, "--to 32 is less than --from 64"},
        {{"--stride", "12"}, "--stride 12 is not a multiple of 8"},
        {{"--stride", "4"}, "--stride must be a whole number from 8"},
        {{"--from", "1", "--stride", "2048"}, "--stride 2048: no element fits in 1 KB"},
        {{"--to", "4194304", "--stride", "8"}, "are more than 2^28 elements"},
        {{"--loads", "0"}, "--loads must be a whole number from 1"},
        {{"--device", "63"}, "--device 63: this machine has "},
        {{"--to"}, "--to needs a number"},
        {{"--csv=1"}, "--csv=1 is not an option"},
        {{"17"}, "17 is not an option"},
    };
    for (const auto& [arguments, message] : cases) {
        const Finished run = run_with(arguments);
        EXPECT_EQ(run.exit_status, 2) << message;
        EXPECT_EQ(run.out, "");
        EXPECT_THAT(run.err, HasSubstr("pointer_chase: "));
        EXPECT_THAT(run.err, HasSubstr(message));
        EXPECT_THAT(run.err, HasSubstr("\n  next: "));
    }
}

}  // namespace
