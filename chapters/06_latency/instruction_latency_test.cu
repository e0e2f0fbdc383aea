// What instruction_latency runs and prints. The program checks the results of every chain before it prints. No time is
// asserted.
#include <gmock/gmock.h>

#include <sstream>
#include <string>
#include <vector>

#include "instructions.cuh"
#include "support/run_program.h"
#include "tutorial/counters.h"
#include "tutorial/simulated.h"

namespace {

using namespace latency;
using lanescope::test::Finished;
using lanescope::test::run_program;
using lanescope::tutorial::on_simulated_gpu;
using testing::HasSubstr;

const std::vector<std::string> instructions{"ffma", "fadd", "imad", "iadd", "shfl", "ex2", "rsqrt", "sin"};

Finished run_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), PROGRAM_instruction_latency);
    return run_program(arguments);
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

TEST(Chains, RunAsManyInstructionsWhateverTheirNumber) {
    EXPECT_EQ(1 * steps_of<1>, 480u);
    EXPECT_EQ(3 * steps_of<3>, 480u);
    EXPECT_EQ(7 * steps_of<7>, 476u);  // 480 is no multiple of 7
    EXPECT_EQ(8 * steps_of<8>, 480u);
}

// The chains of a kernel are independent: each ends as it would alone.
TEST(Chains, DoNotMix) {
    std::vector<unsigned> values(8 * lanes);
    for (unsigned i = 0; i < values.size(); ++i) values[i] = 2 * i + 1;
    unsigned* there = nullptr;
    unsigned long long* cycles = nullptr;
    CUDA_CHECK(cudaMalloc(&there, values.size() * sizeof(unsigned)));
    CUDA_CHECK(cudaMalloc(&cycles, sizeof *cycles));
    CUDA_CHECK(cudaMemcpy(there, values.data(), values.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
    const auto run = [&] { chains<Imad, 8><<<1, lanes>>>(there, cycles); };
    if (lanescope::can_count()) {
        // Two rounds of 480 instructions, the loads before and the stores after; each chain's operand is loaded once.
        const auto counts = lanescope::count(run);
        EXPECT_GE(counts.warp_instructions, 2u * timed_instructions);
        EXPECT_EQ(counts.global_load.requests, 8u);
    } else {
        run();
    }
    CUDA_CHECK(cudaGetLastError());
    std::vector<unsigned> found(values.size());
    CUDA_CHECK(cudaMemcpy(found.data(), there, found.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < values.size(); ++i) {
        unsigned x = values[i];
        for (unsigned k = 0; k < 2 * steps_of<8>; ++k) x = x * values[i] + values[i];
        ASSERT_EQ(found[i], x) << "chain " << i / lanes << ", lane " << i % lanes;
    }
    CUDA_CHECK(cudaFree(there));
    CUDA_CHECK(cudaFree(cycles));
}

TEST(InstructionLatency, Csv) {
    const Finished run = run_with({"--csv"});
    ASSERT_EQ(run.exit_status, 0) << run.err;
    EXPECT_EQ(run.err, "");
    const auto rows = csv_rows(run.out);
    ASSERT_EQ(rows.size(), 1u + 8 * 8);
    EXPECT_EQ(rows[0],
              (std::vector<std::string>{"gpu", "kind", "instruction", "ptx", "chains", "cycles_per_instruction"}));
    for (std::size_t i = 1; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].size(), 6u) << run.out;
        EXPECT_EQ(rows[i][1], on_simulated_gpu() ? "modelled" : "measured");
        EXPECT_EQ(rows[i][2], instructions[(i - 1) / 8]);
        EXPECT_EQ(rows[i][4], std::to_string((i - 1) % 8 + 1));
        EXPECT_GT(std::stod(rows[i][5]), 0);
    }
}

TEST(InstructionLatency, Table) {
    const Finished run = run_with({});
    ASSERT_EQ(run.exit_status, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr(on_simulated_gpu() ? "cycles for each instruction, modelled."
                                                      : "cycles for each instruction, measured."));
    for (const std::string& name : instructions) EXPECT_THAT(run.out, HasSubstr("\n" + name + " ")) << name;
}

TEST(InstructionLatency, OneInstructionOneNumberOfChains) {
    const auto rows = csv_rows(run_with({"--csv", "--op", "shfl", "--chains", "7"}).out);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[1][2], "shfl");
    EXPECT_EQ(rows[1][3], "shfl.sync.bfly.b32");
    EXPECT_EQ(rows[1][4], "7");
    EXPECT_EQ(csv_rows(run_with({"--csv", "--chains", "2"}).out).size(), 1u + 8);
    EXPECT_EQ(csv_rows(run_with({"--csv", "--op", "sin"}).out).size(), 1u + 8);
}

TEST(InstructionLatency, Help) {
    const Finished run = run_with({"--help"});
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_THAT(run.out, HasSubstr("Usage: instruction_latency"));
    EXPECT_THAT(run.out, HasSubstr("all, ffma, fadd, imad, iadd, shfl, ex2, rsqrt, sin, default all"));
    EXPECT_THAT(run.out, HasSubstr("1 to 8; without it 1 to 8 are tried"));
    EXPECT_THAT(run.out, HasSubstr("--csv"));
}

TEST(InstructionLatency, RefusesWhatItDoesNotUnderstand) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"--op", "fmul"}, "--op must be one of all, ffma,"},
        {{"--chains", "0"}, "--chains must be a whole number from 1 to 8"},
        {{"--chains", "9"}, "--chains must be a whole number"},
        {{"--op"}, "--op needs a word"},
        {{"--chains"}, "--chains needs a number"},
        {{"ffma"}, "ffma is not an option"},
    };
    for (const auto& [arguments, message] : cases) {
        const Finished run = run_with(arguments);
        EXPECT_EQ(run.exit_status, 2) << message;
        EXPECT_EQ(run.out, "");
        EXPECT_THAT(run.err, HasSubstr("instruction_latency: " + message));
        EXPECT_THAT(run.err, HasSubstr("\n  next: instruction_latency --help"));
    }
}

}  // namespace
